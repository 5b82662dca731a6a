// n_slack_passes.hpp - decides if the next pass of n_slack is in batches or at one w, and how many
// planes it takes of each answer.
//
// Called by n_slack before each pass. Both follow from what the passes so far have found.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "qp/working_set/working_set.hpp"
#include "solver/cutting_plane/pass_controller.hpp"
#include "solver/n_slack/n_slack.hpp"

namespace sculpt::core {

// Answers in batches belong to different w and prove nothing. The next pass is at one w
//   - if batches see a small gap, or found nothing new
//   - if D hardly rose: if columns differ in size, steps in single blocks change w too much
//   - if a limit makes it the last pass
//   - if it is the first pass and starts with the planes or the w of a warm start
inline bool next_pass_is_at_one_w(const NSlackOptions& options,
                                  const PassController& pass_controller,
                                  const WorkingSet& working_set) {
  // Batches stall if D rises by less than this fraction of itself and of the gap.
  constexpr double stalled_rise = 0.01;
  if (options.batch == 0 || options.batch >= pass_controller.example_count()) return true;
  if (pass_controller.limit_after_next_pass()) return true;
  if (pass_controller.passes() == 0) {
    return pass_controller.starts_with_warm_start_planes() || pass_controller.has_start_point();
  }
  const StopRules& stop_rules = pass_controller.stop_rules();
  const PassFindings& findings = pass_controller.findings;
  const double frozen_fraction = std::max(options.frozen_below, stop_rules.relative_gap());
  const double primal = working_set.dual() + findings.gap;
  const double rise = working_set.dual() - findings.dual_at_begin;
  const bool is_stalled = rise < stalled_rise * std::min(findings.gap, working_set.dual());
  return is_stalled || findings.new_planes == 0 ||
         findings.gap <= frozen_fraction * std::abs(primal) ||
         (stop_rules.epsilon() && findings.violation_beyond_slack <= *stop_rules.epsilon());
}

// The number of next best planes to take from each answer, beyond the most violated one. Of 1 to 8,
// two to four took the least time on texts of 58 classes. Only used if more than half of the known
// planes have alpha > 0. On letter and scene a third have, and next best planes would mostly stay
// idle.
inline std::int64_t next_best_count(const WorkingSet& working_set) {
  constexpr std::int64_t max_next_best_count = 3;
  constexpr double min_active_fraction = 0.5;
  const auto known = static_cast<double>(working_set.plane_count());
  const auto active = static_cast<double>(working_set.active_count());
  return active > min_active_fraction * known ? max_next_best_count : 0;
}

}  // namespace sculpt::core
