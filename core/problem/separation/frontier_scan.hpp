// frontier_scan.hpp - the largest violation over a frontier, slice by slice.
//
//   max over counts c of   b - <w, a>  of an output with loss g(c) and score S(c)
//
// Called by SeparationSolver. Exact under every formulation, since each violation grows with the
// score.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "base/cancelled.hpp"
#include "problem/oracle/oracle.hpp"
#include "problem/separation/loss_weight_search.hpp"

namespace sculpt::core {

struct FrontierMaximum {
  bool no_output = false;
  bool truth_outside = false;
  // The smallest counts, the first count first, of the entries that violate most; empty when none
  // violates more than the floor.
  std::optional<Counts> counts;
  double score = 0;      // S(counts)
  double loss = 0;       // g(counts)
  double violation = 0;  // theirs, or the floor
  double high = 0;       // no entry violates more than this: the same, to rounding
  double rounding = 0;   // by how much rounding may move that
  double largest = 0;    // of the entries asked for; minus infinity when none is finite
  bool complete = true;  // no slice was left out

  void raise_high(double violation, double noise) {
    high = std::max(high, violation);
    rounding = std::max(rounding, noise);
  }
};

class FrontierScan {
 public:
  FrontierScan(Oracle& oracle, const Formulation& formulation)
      : oracle_(oracle), formulation_(formulation) {}

  // One conversation about the example of `query`, whose truth has this score. Leaves out slices
  // of which the ceiling says that no entry violates more than the floor or an entry before. The
  // floor is a violation known to be attained, minus infinity when there is none; that of the
  // truth, 0, counts by itself. Polls in every slice, those left out too: nothing bounds their
  // number. [worker]
  // `rounding`: by how much it may move the difference of a score and that of the truth.
  FrontierMaximum run(int worker, const sculpt_query& query, double truth_score, double floor,
                      double rounding, const ScoreDifferenceBound& ceiling,
                      const ThrowIfStopped& poll);

 private:
  struct Bound {
    double violation;
    double loss;  // of an output that would violate as much
  };
  Bound bound_of_slice(int worker, const sculpt_query& query, std::int64_t first,
                       const ScoreDifferenceBound& ceiling, const ThrowIfStopped& poll);
  double violation(double loss, double lead) const;
  double factor(double loss) const { return formulation_.plane_of(loss).factor; }

  Oracle& oracle_;
  const Formulation& formulation_;
  std::vector<double> score_;  // [size[1]] of a slice
  std::vector<double> loss_;   // [size[1]]
};

}  // namespace sculpt::core
