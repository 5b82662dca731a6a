#include "qp/block/block_visit.hpp"

#include <algorithm>

#include "qp/block/pairwise_steps.hpp"

namespace sculpt::core {
namespace {

// Steps end at this fraction of the block's gap before the visit.
constexpr double gap_fraction = 0.1;
constexpr std::int64_t steps_per_plane = 20;

// The cost of a plane, in plane entries touched, which is the unit of work.
constexpr double work_per_plane = 4;

}  // namespace

BlockVisit::Outcome BlockVisit::improve(WorkingSet& working_set, std::int64_t index, WeightView w,
                                        double tolerance) {
  Block& block = working_set.block(index);
  Outcome outcome;
  outcome.work = WorkingSet::work_per_block + work_per_plane * static_cast<double>(block.size()) +
                 static_cast<double>(working_set.score_not_shrunk(index, w, score_));
  const BlockGap initial = block_gap(block, working_set.slack_term(), score_);
  outcome.gap = initial.gap;
  if (initial.gap <= tolerance) return outcome;
  alpha_before_ = block.alpha;
  const auto size = static_cast<std::int64_t>(block.size());
  const PairwiseSteps steps =
      improve_block(block, working_set.slack_term(), score_,
                    std::max(tolerance, gap_fraction * initial.gap), steps_per_plane * size);
  outcome.work += static_cast<double>(steps.steps * size);
  outcome.gain = steps.gain;
  outcome.has_moved = true;
  return outcome;
}

}  // namespace sculpt::core
