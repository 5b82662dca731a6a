// frank_wolfe_passes.hpp - decides if the next pass of frank_wolfe makes steps or asks at one w,
// and if all blocks are then optimized at once (the fully corrective step).
//
// Held by frank_wolfe. Both follow from what the passes so far have found. The gaps belong to
// different w, so they are estimates.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/file/state_stream.hpp"
#include "base/infinity.hpp"
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
    if (pass_controller_.limit_after_next_pass() || did_fully_corrective_step_) return true;
    if (pass_controller_.passes() == 0) {
      return pass_controller_.starts_with_warm_start_planes() || pass_controller_.has_start_point();
    }
    return pass_controller_.passes() - gaps_.proved_pass >= options_.gap_check ||
           pass_controller_.qp_is_exact() || seems_to_reach_target();
  }
  bool next_is_at_mean() const {
    return options_.averaging && !pass_controller_.qp_is_exact() && !seems_to_reach_target();
  }

  // A mean of all w has no planes of its own. A memory limit may have dropped or merged planes that
  // this step would need.
  bool may_make_fully_corrective_step() const {
    return !options_.averaging && !options_.max_planes_megabytes;
  }
  // Returns true if all blocks should be optimized at once (the fully corrective step). Call it
  // once after each pass at one w: it stores the gap of the pass. The step is made if the gap has
  // not halved since the last pass at one w, or if steps gain nothing. `was_fully_corrective`: the
  // last step was fully corrective. Then it is repeated if that step missed no planes. If planes
  // were missing, single steps find them sooner, unless the target is near and the next pass is at
  // one w anyway.
  bool should_make_fully_corrective_step(bool was_fully_corrective) {
    const double gap = std::max(0.0, pass_controller_.findings.gap);
    const bool has_hardly_fallen = gap > stalled_gap_ratio * std::exchange(previous_gap_, gap);
    if (!may_make_fully_corrective_step()) return false;
    const bool planes_were_missing =
        was_fully_corrective && pass_controller_.findings.new_planes > 0;
    // Single steps would undo it.
    const bool is_repeated = was_fully_corrective && !planes_were_missing;
    return pass_controller_.qp_is_exact() || is_repeated ||
           (has_hardly_fallen && (!planes_were_missing || seems_to_reach_target()));
  }

  // True if all blocks were optimized at once after the last pass.
  bool did_fully_corrective_step() const { return did_fully_corrective_step_; }
  // Records the steps after a pass: fully corrective, or of single blocks.
  void record_step(bool is_fully_corrective) { did_fully_corrective_step_ = is_fully_corrective; }

  void save(StateWriter& out) const {
    out.put(is_at_mean);
    out.put(did_fully_corrective_step_);
    out.put(previous_gap_);
  }
  void load(StateReader& in) {
    is_at_mean = in.get_flag();
    did_fully_corrective_step_ = in.get_flag();
    previous_gap_ = in.get<double>();
    in.require(previous_gap_ >= 0, "a gap that is negative or not a number");
  }

  bool is_at_mean = false;  // the current pass at one w asks at the mean of all w

 private:
  // Steps stall if the gap of a pass at one w exceeds this fraction of the previous such gap.
  static constexpr double stalled_gap_ratio = 0.5;

  bool seems_to_reach_target() const {
    const StopRules& stop_rules = pass_controller_.stop_rules();
    const double gap = gaps_.total();
    const double beyond_slack = pass_controller_.findings.violation_beyond_slack;
    return gap <= stop_rules.relative_gap() * std::abs(working_set_.dual() + gap) ||
           (stop_rules.epsilon() && beyond_slack <= *stop_rules.epsilon());
  }

  const FrankWolfeOptions& options_;
  const WorkingSet& working_set_;
  const PassController& pass_controller_;
  const BlockGaps& gaps_;
  bool did_fully_corrective_step_ = false;
  double previous_gap_ = infinity;  // of the last pass at one w
};

}  // namespace sculpt::core
