// graph_distribution.hpp - computes p(y) ~ exp <theta, z(y)> of a small graph by listing all
// assignments.
//
// The reference for the tests of map_expectation, map_k_best and map_sample
// (map_distribution_tests.cpp, interrupted_sequence_tests.cpp). Sums are in long double, so that a
// difference comes from the solver.
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
    std::vector<std::size_t> cells;  // indices in theta of the cells that y uses, one per factor
    double score;                    // <theta, z(y)>
    double probability;              // 0 if too small for a double
  };
  // By falling score; for equal scores the smaller labels come first. Empty if a variable has no
  // state.
  const std::vector<WeightedOutput>& members() const { return members_; }
  double log_z() const { return log_z_; }
  // An upper bound of the terms of every score.
  const Terms& largest_terms() const { return largest_terms_; }

  // [theta] Return E[z], and Cov[z] direction.
  std::vector<double> mean() const;
  std::vector<double> covariance_times(std::span<const double> direction) const;

 private:
  std::size_t theta_size_;
  std::vector<WeightedOutput> members_;
  double log_z_;
  Terms largest_terms_;
};

}  // namespace sculpt::core
