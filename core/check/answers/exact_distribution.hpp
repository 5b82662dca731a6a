// exact_distribution.hpp - computes p(y) ~ exp(<w, psi> + loss_weight * Delta) of an example by
// listing all outputs.
//
// The reference for the tests of expectation, k_best and sample (distribution_tests.cpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/fixture/oracle_query.hpp"
#include "check/fixture/test_fixture.hpp"

namespace sculpt::core {

// A vector [dimension], and the sum of the absolute terms of each entry, for the rounding error.
struct DenseValue {
  std::vector<double> value;
  std::vector<double> magnitude;
};

class ExactDistribution {
 public:
  // Requires a complete fixture.outputs(query.example), which must outlive it. Excludes the
  // truth if the oracle reports TRUTH_OUTSIDE.
  ExactDistribution(TestFixture& fixture, const OracleQuery& query);

  bool empty() const { return members_.empty(); }
  struct WeightedOutput {
    const Output* output;
    double score;        // <w, psi> + loss_weight * Delta
    double probability;  // 0 if too small for a double
  };
  // All outputs, by falling score. For equal scores the smaller labels come first.
  const std::vector<WeightedOutput>& members() const { return members_; }
  double log_z() const { return log_z_; }
  // The largest size and the largest count of the terms of a score.
  const Terms& largest_terms() const { return largest_terms_; }

  // Return E[psi] and Cov[psi] v.
  DenseValue mean(std::int64_t dimension) const;
  DenseValue covariance_times(std::span<const double> v) const;

 private:
  std::vector<WeightedOutput> members_;
  double log_z_;
  Terms largest_terms_;
};

}  // namespace sculpt::core
