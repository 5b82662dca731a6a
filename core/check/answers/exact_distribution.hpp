// exact_distribution.hpp - p(y) ~ exp(<w, psi> + loss_weight * Delta) over all outputs of an
// example, by listing them.
//
// What the tests of expectation, k_best and sample compare with (distribution_tests.cpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/fixture/oracle_query.hpp"
#include "check/fixture/test_fixture.hpp"

namespace sculpt::core {

// Entry by entry, [dimension], with the sum of absolute terms that rounding errors are measured by.
struct DenseValue {
  std::vector<double> value;
  std::vector<double> size;
};

class ExactDistribution {
 public:
  // Requires a complete fixture.outputs(question.example), which must outlive it. A truth that the
  // oracle says is outside of its outputs is left out.
  ExactDistribution(TestFixture& fixture, const OracleQuery& question);

  bool empty() const { return members_.empty(); }
  struct WeightedOutput {
    const Output* output;
    double score;        // <w, psi> + loss_weight * Delta
    double probability;  // 0 where it is too small for a double
  };
  // The best first; of equal ones the smaller labels.
  const std::vector<WeightedOutput>& members() const { return members_; }
  double log_z() const { return log_z_; }
  // Of the scores, the size and the number of each that are the largest.
  const Terms& largest_terms() const { return largest_terms_; }

  // E[psi], and Cov[psi] v.
  DenseValue mean(std::int64_t dimension) const;
  DenseValue covariance_times(std::span<const double> v) const;

 private:
  std::vector<WeightedOutput> members_;
  double log_z_;
  Terms largest_terms_;
};

}  // namespace sculpt::core
