// block_steps.hpp - single steps of frank_wolfe: of one example's block, at the present w.
//
// Held by frank_wolfe. Towards the plane of the largest violation, or from the plane that gains
// most to that one; see frank_wolfe.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "qp/pairwise.hpp"
#include "qp/working_set.hpp"
#include "solver/options.hpp"
#include "solver/weighted_mean.hpp"
#include "state_stream.hpp"

namespace sculpt::core {

class BlockSteps {
 public:
  // The working set outlives it.
  BlockSteps(const FrankWolfeOptions& options, WorkingSet& working_set);

  // The planes of a block at w, and its gap there.
  BlockGap score(std::int64_t example);
  // Moves alpha and w. Requires that the block was scored last.
  void step(std::int64_t example);

  // The mean of all w so far, where it is wanted.
  Vector mean() const;
  // It begins anew where w has gone back.
  void restart_mean();

  void save(StateWriter& out) const { mean_.save(out); }
  void load(StateReader& in) { mean_.load(in); }

 private:
  WorkingSet& working_set_;
  FrankWolfeStep step_;
  bool averaging_;
  WeightedMean mean_;
  std::vector<double> score_;   // [planes] of the block scored last
  std::vector<double> before_;  // its alpha before a step
};

}  // namespace sculpt::core
