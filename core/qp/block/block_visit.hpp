// block_visit.hpp - one block brought near to its optimum, all others frozen.
//
// Held by QpSolver and by each part of SweepInParts. Scores the block's planes that are not_shrunk,
// makes pairwise steps, and leaves the change of alpha for the caller to add to w.
#pragma once

#include <cstdint>
#include <vector>

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

class BlockVisit {
 public:
  struct Outcome {
    double gap = 0;   // of the block, as it was found
    double gain = 0;  // of the dual
    double work = 0;  // plane entries touched
    bool moved = false;
  };

  // Steps at w until the gap is at most `tolerance` or a part of what was found; none where it is
  // already. Touches the block's alpha alone: visits of different blocks may go side by side.
  Outcome improve(WorkingSet& working_set, std::int64_t block, WeightView w, double tolerance);

  const std::vector<double>& alpha_before() const { return before_; }  // of the last one that moved

 private:
  std::vector<double> score_, before_;
};

}  // namespace sculpt::core
