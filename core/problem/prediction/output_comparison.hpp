// output_comparison.hpp - why one output of an example scores higher than another: what each
// weight, each part of the output and each support atom adds to
//
//   <w, psi(x, first) - psi(x, second)>        second may be missing: then <w, psi(x, first)>
//
// Called by explain. Works on the main thread with the first session of each component.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linalg/vector.hpp"
#include "problem/prediction/predictor.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {

// What one weight adds: w_j times the difference of psi_j.
struct WeightShare {
  std::int64_t weight = 0;  // j
  double value = 0;         // w_j
  double difference = 0;    // psi_j(first) - psi_j(second)
  double share = 0;         // their product
};

// What one factor of the factor graph adds, if the outputs have different scores there.
struct PartShare {
  std::vector<std::int64_t> variables;  // of its scope
  std::vector<std::int32_t> first;      // [variables] labels of the first output
  std::vector<std::int32_t> second;     // [variables]
  double share = 0;
  std::vector<WeightShare> weights;  // the largest share first
};

struct PartShares {
  std::vector<PartShare> parts;  // the largest share first
  std::size_t count = 0;         // of all parts that differ
};

class OutputComparison {
 public:
  // `w`: of problem.dimension(). Both outlive this.
  OutputComparison(Problem& problem, const Vector& w);

  // <w, psi(x, y)>. Throws Failure as Features::vector(), as do the functions below. [main]
  double score(std::int64_t example, sculpt_labels y);

  // psi(x, first) - psi(x, second). `second`: data == NULL if there is none. [main]
  SparseVector difference(std::int64_t example, sculpt_labels first, sculpt_labels second);

  // The shares of all weights of a difference() that are not 0, the largest first. With a kernel:
  // of those without atoms. [main]
  std::vector<WeightShare> weight_shares(const SparseVector& difference) const;

  // The parts that differ, at most `max_parts` of them. None if the features offer no factor graph.
  // With a kernel, parts have no weights. [main]
  PartShares part_shares(std::int64_t example, sculpt_labels first, sculpt_labels second,
                         std::size_t max_parts);

 private:
  void vector(std::int64_t example, sculpt_labels y, SparseVector& out);

  Problem& problem_;
  const Vector& w_;
  SparseAccumulator scratch_;
  SparseSum sum_;
};

}  // namespace sculpt::core
