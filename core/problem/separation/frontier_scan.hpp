// frontier_scan.hpp - finds the largest violation over a frontier, slice by slice.
//
//   max over counts c of   b - <w, a>  of an output with loss g(c) and score S(c)
//
// Called by SeparationSolver. Exact under every formulation, because each violation grows with the
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
  // The counts of the entry that violates most. Of equal entries, the one with the smallest counts,
  // compared from the first count on. Empty if no entry violates more than `known_violation`.
  std::optional<Counts> counts;
  double score = 0;      // `S(counts)`.
  double loss = 0;       // `g(counts)`.
  double violation = 0;  // Of `counts`, or `known_violation`.
  double high = 0;       // No entry violates more than this, up to rounding.
  double rounding = 0;   // Bound of the rounding error of `high`.
  double largest = 0;    // Largest violation of the entries read. Minus infinity if none is finite.
  bool complete = true;  // No slice was skipped.

  void raise_high(double violation, double rounding_of_violation) {
    high = std::max(high, violation);
    rounding = std::max(rounding, rounding_of_violation);
  }
};

class FrontierScan {
 public:
  FrontierScan(Oracle& oracle, const Formulation& formulation)
      : oracle_(oracle), formulation_(formulation) {}

  // Runs one frontier query for the example of `query`. `truth_score`: the score of its truth.
  // Skips each slice that cannot improve the result: `score_bound` proves that no entry violates
  // more than `known_violation` or an earlier entry. `known_violation`: a violation that an output
  // attains, minus infinity if none is known. The violation 0 of the truth is included without it.
  // `rounding`: bound of the rounding error of a score minus the truth's score. Polls in every
  // slice, skipped ones included, because their number has no limit. [worker]
  FrontierMaximum run(int worker, const sculpt_query& query, double truth_score,
                      double known_violation, double rounding,
                      const ScoreDifferenceBound& score_bound, const ThrowIfStopped& poll);

 private:
  struct Bound {
    double violation;
    double loss;  // of an output with that violation
  };
  Bound bound_of_slice(int worker, const sculpt_query& query, std::int64_t first,
                       const ScoreDifferenceBound& score_bound, const ThrowIfStopped& poll);
  double violation(double loss, double score_difference) const;
  double factor(double loss) const { return formulation_.plane_of(loss).factor; }

  Oracle& oracle_;
  const Formulation& formulation_;
  std::vector<double> score_;  // [size[1]] of the current slice
  std::vector<double> loss_;   // [size[1]]
};

}  // namespace sculpt::core
