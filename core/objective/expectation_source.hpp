// expectation_source.hpp - the port of the solvers that work with probabilities: log Z, E[psi] and
// Cov[psi] under p(y) ~ exp(<w, psi(x_i, y)> + loss_weight Delta(y_i, y)).
//
// Implemented by problem/. Asked at w = 0 it tells of the uniform distribution over the outputs.
// Every call runs on all threads, its result does not depend on their number, and it throws
// Failure, or Cancelled when the pass was interrupted or the user asked to stop: what it writes is
// worth nothing then.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/vector.hpp"
#include "linalg/weight_view.hpp"
#include "objective/example_source.hpp"
#include "objective/pass.hpp"

namespace sculpt::core {

struct Expectation {
  double log_z = 0;   // minus infinity where there is no output
  SparseVector mean;  // E[psi]; empty where there is no output
};

struct MeanExpectation {
  std::vector<double> log_z;  // [n] as above
  Vector mean;                // [dimension] 1/n sum of E_i[psi], in a fixed order
};

class ExpectationSource : public ExampleSource {
 public:
  // out[k] is that of examples[k].
  virtual void expect(WeightView w, std::span<const std::int64_t> examples, const Pass& pass,
                      std::vector<Expectation>& out) = 0;
  // Of all examples.
  virtual void expect_jointly(WeightView w, const Pass& pass, MeanExpectation& out) = 0;
  // out[dimension] = 1/n sum of Cov_i[psi] v, of all examples, in a fixed order.
  virtual void covariance_times(WeightView w, WeightView v, const Pass& pass, Vector& out) = 0;
};

}  // namespace sculpt::core
