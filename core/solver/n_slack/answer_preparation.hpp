// answer_preparation.hpp - answers of the oracle on their way into the working set, a batch at a
// time.
//
// Held by n_slack. What costs of an answer is done on all threads: scoring the block that it
// belongs to, bringing the plane into its smallest form, its products with the block's planes. No
// block changes meanwhile, and each has one answer in a batch, so nothing depends on the order.
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
  BlockGap seen;  // of its block, before
  // Of the answer, those violated beyond seen.slack, to be added in this order.
  std::vector<WorkingSet::NewPlane> planes;
};

class AnswerPreparation {
 public:
  // All outlive it; workers == nullptr: this thread alone. The result is the same.
  AnswerPreparation(const PassController& pass_controller, WorkingSet& working_set,
                    Workers* workers);

  // What is known of a block, scored in room of the thread's own.
  using Look = std::function<BlockGap(std::int64_t block, std::vector<double>& room)>;

  // [k] what answers[k] is to blocks[k], until the next call. Adds nothing.
  std::span<PreparedAnswer> prepare(std::span<const std::int64_t> blocks,
                                    std::span<const Separation> answers, const Look& look);

 private:
  const PassController& pass_controller_;
  WorkingSet& working_set_;
  Workers* workers_;
  std::vector<PreparedAnswer> arrivals_;
  std::vector<std::vector<double>> rooms_;  // [threads]
  std::vector<Vector> zeros_;               // [threads][dimension]
};

}  // namespace sculpt::core
