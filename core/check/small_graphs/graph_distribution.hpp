// graph_distribution.hpp - p(y) ~ exp <theta, z(y)> over the assignments of a small graph, by
// listing them.
//
// What the tests of map_expectation, map_k_best and map_sample compare with
// (map_distribution_tests.cpp, interrupted_sequence_tests.cpp). In long double, so that what
// differs is the solver's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/small_graphs/small_graph.hpp"

namespace sculpt::core {

class GraphDistribution {
 public:
  explicit GraphDistribution(const SmallGraph& graph);

  struct WeightedOutput {
    std::vector<std::int32_t> y;
    std::vector<std::size_t> cells;  // of theta that y picks, one for each factor
    double score;                    // <theta, z(y)>
    double probability;              // 0 where it is too small for a double
  };
  // The best first; of equal ones the smaller labels. Empty where a variable has no state.
  const std::vector<WeightedOutput>& members() const { return members_; }
  double log_z() const { return log_z_; }
  // The terms of no score are more.
  const Terms& largest_terms() const { return largest_terms_; }

  // [theta] E[z], and Cov[z] direction.
  std::vector<double> mean() const;
  std::vector<double> covariance_times(std::span<const double> direction) const;

 private:
  std::size_t theta_size_;
  std::vector<WeightedOutput> members_;
  double log_z_;
  Terms largest_terms_;
};

}  // namespace sculpt::core
