// n_slack_passes.hpp - how n_slack asks in its next pass: in batches or at one w, and for how many
// planes of an example.
//
// Asked by n_slack before each pass. Both follow from what the passes so far have found.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "qp/working_set/working_set.hpp"
#include "solver/cutting_plane/pass_controller.hpp"
#include "solver/n_slack/n_slack.hpp"

namespace sculpt::core {

// In batches the answers belong to different w and prove nothing: all are asked at one w when they
// say that the gap is small, when nothing new was found, when D hardly rose (where columns differ
// in size, steps in single blocks change w too much), and in the last pass that a limit allows; in
// the first pass when there are planes already, which are those of an earlier run.
inline bool next_pass_is_at_one_w(const NSlackOptions& options,
                                  const PassController& pass_controller,
                                  const WorkingSet& working_set) {
  // Batches stall where D rises by less than this part of itself and of the gap.
  constexpr double stalled_rise = 0.01;
  if (options.batch == 0 || options.batch >= pass_controller.example_count()) return true;
  if (pass_controller.limit(true)) return true;
  if (pass_controller.passes() == 0) return pass_controller.is_first_with_planes();
  const Stopping& stopping = pass_controller.stopping();
  const PassFindings& found = pass_controller.found;
  const double small = std::max(options.frozen_below, stopping.relative_gap());
  const double primal = working_set.dual() + found.gap;
  const double rise = working_set.dual() - found.dual_before;
  const bool stalls = rise < stalled_rise * std::min(found.gap, working_set.dual());
  return stalls || found.new_planes == 0 || found.gap <= small * std::abs(primal) ||
         (stopping.epsilon() && found.excess <= *stopping.epsilon());
}

// Planes that an answer may bring beside the one that is violated most: of 1 to 8, two to four took
// the least time on texts of 58 classes. Only where more than a part of the planes that are known
// carry alpha: on letter and scene a third does, and further ones would mostly lie idle.
inline std::int64_t further_planes(const WorkingSet& working_set) {
  constexpr std::int64_t most_further = 3;
  constexpr double busy_part = 0.5;
  const auto known = static_cast<double>(working_set.plane_count());
  const auto active = static_cast<double>(working_set.active_count());
  return active > busy_part * known ? most_further : 0;
}

}  // namespace sculpt::core
