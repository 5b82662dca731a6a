// answer_preparation.hpp - prepares answers of the oracle for the working set, a batch at a time.
//
// Held by n_slack. The expensive work runs on all threads: scoring the block, bringing the plane
// into its smallest form, and its products with the block's planes. No block changes meanwhile, and
// each block has one answer in a batch. So nothing depends on the order.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "objective/plane_source.hpp"
#include "parallel/workers.hpp"
#include "qp/block/pairwise_steps.hpp"
#include "qp/working_set/working_set.hpp"
#include "solver/cutting_plane/pass_controller.hpp"

namespace sculpt::core {

struct PreparedAnswer {
  BlockGap known_gap;  // gap and slack of its block, by the planes before the answer
  // Planes of the answer that are violated beyond known_gap.slack, to be added in this order.
  std::vector<WorkingSet::NewPlane> planes;
};

class AnswerPreparation {
 public:
  // All arguments must outlive it; workers == nullptr: this thread alone. The result is the same.
  AnswerPreparation(const PassController& pass_controller, WorkingSet& working_set,
                    Workers* workers);

  // Returns the gap of a block. `score`: scratch memory of the thread.
  using MeasureBlock = std::function<BlockGap(std::int64_t block, std::vector<double>& score)>;

  // Returns [k] what answers[k] adds to blocks[k]; valid until the next call. Changes no block.
  std::span<PreparedAnswer> prepare(std::span<const std::int64_t> blocks,
                                    std::span<const Separation> answers,
                                    const MeasureBlock& measure_block);

 private:
  const PassController& pass_controller_;
  WorkingSet& working_set_;
  Workers* workers_;
  std::vector<PreparedAnswer> prepared_;
  std::vector<Vector> zeros_;  // [threads][dimension]
};

}  // namespace sculpt::core
