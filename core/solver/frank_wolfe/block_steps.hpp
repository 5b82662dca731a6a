// block_steps.hpp - the steps of frank_wolfe: of one example's block at a time, at the present w.
//
// Held by frank_wolfe, which says when they are made; the sources are there. A step goes towards
// the plane of the largest violation, or from the plane that gains most to that one. The gap of
// each block is remembered as it was seen last.
#pragma once

#include <cstdint>
#include <vector>

#include "base/file/state_stream.hpp"
#include "objective/plane_source.hpp"
#include "qp/block/pairwise_steps.hpp"
#include "qp/working_set/working_set.hpp"
#include "solver/cutting_plane/pass_controller.hpp"
#include "solver/frank_wolfe/block_gaps.hpp"
#include "solver/frank_wolfe/example_draws.hpp"
#include "solver/frank_wolfe/frank_wolfe.hpp"
#include "solver/frank_wolfe/weighted_mean.hpp"

namespace sculpt::core {

class BlockSteps {
 public:
  // All outlive it.
  BlockSteps(const FrankWolfeOptions& options, WorkingSet& working_set,
             PassController& pass_controller);

  // The draws of a pass begin: by the gaps, or each example once.
  void begin_draws(std::uint64_t seed, std::uint64_t pass);
  // Draws until the oracle has to be asked about a batch; a plane that is known and promises enough
  // is stepped to in place of a call. False: the pass is over, there is nothing to ask.
  bool draw_batch(std::vector<std::int64_t>& batch);
  // Adds the plane of an answer, and steps.
  void step_by_answer(std::int64_t example, const Separation& answer);
  // Steps over the planes that the block has, where that gains.
  void step_by_planes(std::int64_t example);
  // Only looks at the gap.
  void measure(std::int64_t example);

  BlockGaps& gaps() { return gaps_; }

  // The mean of all w so far. Requires options.averaging.
  Vector mean() const;
  // It begins anew where w has gone back.
  void restart_mean();

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  bool step_without_call(std::int64_t example);
  BlockGap score(std::int64_t example);
  void step(std::int64_t example);
  void note_gap(std::int64_t example, double gap);

  const FrankWolfeOptions& options_;
  WorkingSet& working_set_;
  PassController& pass_controller_;
  std::int64_t count_;  // n
  BlockGaps gaps_;
  WeightedMean mean_;
  ExampleDraws draws_;
  std::vector<double> score_;   // [planes] of the block scored last
  std::vector<double> before_;  // its alpha before a step
};

}  // namespace sculpt::core
