// frank_wolfe_passes.hpp - decides if the next pass of frank_wolfe makes steps or asks at one w,
// and if all blocks are then optimized at once (the fully corrective step).
//
// Held by frank_wolfe. Both follow from what the passes so far have found. The gaps belong to
// different w, so they are estimates.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/file/state_stream.hpp"
#include "qp/working_set/working_set.hpp"
#include "solver/cutting_plane/pass_controller.hpp"
#include "solver/frank_wolfe/block_gaps.hpp"
#include "solver/frank_wolfe/frank_wolfe.hpp"

namespace sculpt::core {

class FrankWolfePasses {
 public:
  // All arguments must outlive it.
  FrankWolfePasses(const FrankWolfeOptions& options, const WorkingSet& working_set,
                   const PassController& pass_controller, const BlockGaps& gaps)
      : options_(options),
        working_set_(working_set),
        pass_controller_(pass_controller),
        gaps_(gaps) {}

  bool next_is_at_one_w() const {
    if (pass_controller_.limit(true) || did_full_step) return true;
    if (pass_controller_.passes() == 0) return pass_controller_.is_first_with_planes();
    return pass_controller_.passes() - gaps_.checked >= options_.gap_check ||
           pass_controller_.qp_is_exact() || target_in_sight();
  }
  bool next_is_at_mean() const {
    return options_.averaging && !pass_controller_.qp_is_exact() && !target_in_sight();
  }

  // A mean of all w has no planes of its own. A memory limit may have dropped or merged planes that
  // this step would need.
  bool may_make_full_step() const { return !options_.averaging && !options_.max_planes_megabytes; }
  // True if all blocks should be optimized at once (the fully corrective step). This is so if the
  // gap has not halved since the last pass at one w, or if steps gain nothing. `was_corrected`: the
  // last step was fully corrective. Then it is true if that step missed no planes. If planes were
  // missing, single steps find them sooner, unless the target is near and the next pass is at one w
  // anyway.
  bool stalls(bool was_corrected) {
    const double gap = std::max(0.0, pass_controller_.found.gap);
    const bool too_little = gap > stalled_gap * std::exchange(last_gap_, gap);
    if (!may_make_full_step()) return false;
    const bool planes_missed = was_corrected && pass_controller_.found.new_planes > 0;
    const bool goes_on = was_corrected && !planes_missed;  // single steps would undo it
    return pass_controller_.qp_is_exact() || goes_on ||
           (too_little && (!planes_missed || target_in_sight()));
  }

  void save(StateWriter& out) const {
    out.put(at_mean);
    out.put(did_full_step);
    out.put(last_gap_);
  }
  void load(StateReader& in) {
    at_mean = in.get_flag();
    did_full_step = in.get_flag();
    last_gap_ = in.get<double>();
    in.require(last_gap_ >= 0, "a gap that is negative or no number");
  }

  bool at_mean = false;        // the current pass at one w asks at the mean of all w
  bool did_full_step = false;  // all blocks were optimized at once after the last pass

 private:
  // Steps stall if the gap of a pass at one w exceeds this part of the previous such gap.
  static constexpr double stalled_gap = 0.5;

  bool target_in_sight() const {
    const Stopping& stopping = pass_controller_.stopping();
    const double gap = gaps_.total();
    return gap <= stopping.relative_gap() * std::abs(working_set_.dual() + gap) ||
           (stopping.epsilon() && pass_controller_.found.excess <= *stopping.epsilon());
  }

  const FrankWolfeOptions& options_;
  const WorkingSet& working_set_;
  const PassController& pass_controller_;
  const BlockGaps& gaps_;
  double last_gap_ = std::numeric_limits<double>::infinity();  // of the last pass at one w
};

}  // namespace sculpt::core
