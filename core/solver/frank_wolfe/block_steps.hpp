// block_steps.hpp - the steps of frank_wolfe: one example's block at a time, at the current w.
//
// Held by frank_wolfe, which decides when steps are made; frank_wolfe.hpp names the sources. A step
// goes towards the plane of the largest violation, or moves alpha to that plane from the plane that
// gains most. The gap of each block is stored as it was last measured.
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
  // All arguments must outlive it.
  BlockSteps(const FrankWolfeOptions& options, WorkingSet& working_set,
             PassController& pass_controller);

  // Begins the draws of a pass: by the gaps, or each example once.
  void begin_draws(std::uint64_t seed, std::uint64_t pass);
  // Draws examples until `batch` is full. If the gap of a known plane is large enough, it makes a
  // step to that plane instead of a call of the oracle. Returns false if the pass is over and there
  // is nothing to ask.
  bool draw_batch(std::vector<std::int64_t>& batch);
  // Adds the plane of an answer, and makes a step.
  void step_by_answer(std::int64_t example, const Separation& answer);
  // Makes a step over the planes of the block if that gains.
  void step_by_planes(std::int64_t example);
  // Only updates the gap.
  void measure(std::int64_t example);

  BlockGaps& gaps() { return gaps_; }

  // The weighted mean of all w so far. Requires options.averaging.
  Vector mean() const;
  // Starts a new mean, because w has gone back.
  void restart_mean();

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  bool step_to_known_plane(std::int64_t example);
  BlockGap score(std::int64_t example);
  void step(std::int64_t example);
  void set_gap(std::int64_t example, double gap);

  const FrankWolfeOptions& options_;
  WorkingSet& working_set_;
  PassController& pass_controller_;
  std::int64_t count_;  // n
  BlockGaps gaps_;
  WeightedMean mean_;
  ExampleDraws draws_;
  std::vector<double> score_;           // [planes] of the block scored last
  std::vector<double> previous_alpha_;  // its alpha before a step
};

}  // namespace sculpt::core
