// block_visit.hpp - brings one block near to its optimum, with all other blocks fixed.
//
// Held by QpSolver and by each part of SweepInParts. Scores the planes of the block that are not
// shrunk, and makes pairwise steps. The caller adds the change of alpha to w.
#pragma once

#include <cstdint>
#include <vector>

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

class BlockVisit {
 public:
  struct Outcome {
    double gap = 0;   // of the block, before the visit
    double gain = 0;  // of the dual
    double work = 0;  // plane entries touched
    bool has_moved = false;
  };

  // Makes steps at w until the gap is at most `tolerance`, or small compared with the gap before.
  // Makes none if the gap is small already. Changes only this block's alpha, so different blocks
  // may be visited at the same time on several threads.
  Outcome improve(WorkingSet& working_set, std::int64_t block, WeightView w, double tolerance);

  // The alpha before the last visit that moved it.
  const std::vector<double>& alpha_before() const { return alpha_before_; }

 private:
  std::vector<double> score_, alpha_before_;
};

}  // namespace sculpt::core
