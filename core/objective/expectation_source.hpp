// expectation_source.hpp - the port of the solvers that work with probabilities: log Z, E[psi] and
// Cov[psi] under p(y) ~ exp(<w, psi(x_i, y)> + loss_weight Delta(y_i, y)).
//
// Implemented by problem/. At w = 0 the distribution is uniform over the outputs. Every call runs
// on all threads, and its result does not depend on their number. It throws Failure. It throws
// Cancelled if the pass was interrupted or the user asked to stop. After an exception the output is
// invalid.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/vector.hpp"
#include "linalg/weight_view.hpp"
#include "objective/example_source.hpp"
#include "objective/pass.hpp"
#include "qp/plane/plane_vector.hpp"

namespace sculpt::core {

struct LogZ {
  double value = 0;      // minus infinity if there is no output
  bool is_exact = true;  // false: it and E[psi] are approximations, such as those of Bethe

  friend bool operator==(const LogZ&, const LogZ&) = default;
};

struct Expectation {
  LogZ log_z;
  SparseVector mean;  // E[psi]; empty if there is no output
};

// b_i = psi(x_i, y_i) - E_i[psi], without the weight of the example.
struct TruthDeviation {
  bool has_output = false;  // false: no output, or weight 0; then b is empty
  PlaneVector b;
};

// The same under a loss_weight and a scale, with the loss of the example.
struct ResidualVector {
  double loss = 0;  // log Z - <w, psi(x_i, y_i)>; 0 if there is no output
  SparseVector b;   // psi(x_i, y_i) - E_i[psi]; empty if there is no output
};

struct LossMoments {
  Vector covariance;         // [dimension] 1/n sum of c_i Cov_i(psi, Delta)
  std::vector<double> mean;  // [n] E_i[Delta], without weights; 0 if it has no output or weight 0
};

// c_i: the weights of the examples. Examples of weight 0 are not asked about, and have log Z = 0.
struct MeanExpectation {
  std::vector<double> log_z;  // [n] one for each example, without its weight
  bool is_exact = true;       // true if all of them are
  Vector mean;                // [dimension] 1/n sum of c_i E_i[psi], in a fixed order
};

class ExpectationSource : public ExampleSource {
 public:
  // False if no call of the oracle is made. [any]
  virtual bool asks_oracle() const { return true; }
  // out[k] is the expectation for examples[k]. [main]
  virtual void compute_expectations(WeightView w, std::span<const std::int64_t> examples,
                                    const Pass& pass, std::vector<Expectation>& out) = 0;
  // A step for one example, on this thread. With p(y) ~ exp(scale <v, psi> + loss_weight Delta):
  //   v[dimension] += factor (psi(x_i, y_i) - E_i[psi])
  // Returns log Z - scale <v, psi(x_i, y_i)> before the step; 0 if there is no output, and then v
  // stays as it is. [main]
  struct Residual {
    std::int64_t example = 0;
    double scale = 1;
    double factor = 0;
  };
  virtual double add_residual(const Residual& residual, const Pass& pass, Vector& v) = 0;
  // out[k] is that of examples[k] at w, without weights of examples, on all threads. [main]
  virtual void compute_residuals(WeightView w, std::span<const std::int64_t> examples,
                                 const Pass& pass, std::vector<ResidualVector>& out) = 0;
  // The weighted mean over all examples. [main]
  virtual void compute_mean_expectation(WeightView w, const Pass& pass, MeanExpectation& out) = 0;
  // Refuses an oracle without covariances, before it is asked for anything else: asks about one
  // example at w, and drops the answer. [main]
  virtual void require_covariances(WeightView w, const Pass& pass) {
    static_cast<void>(w);
    static_cast<void>(pass);
  }
  // out[dimension] = 1/n sum of c_i Cov_i[psi] v, over all examples, in a fixed order. [main]
  virtual void covariance_times(WeightView w, WeightView v, const Pass& pass, Vector& out) = 0;
  // Asks about each example twice. Requires that the problem offers Port::loss_covariances. [main]
  virtual void compute_loss_moments(WeightView w, const Pass& pass, LossMoments& out) = 0;
  // out[k] is that of examples[k]. [main]
  virtual void compute_truth_deviations(WeightView w, std::span<const std::int64_t> examples,
                                        const Pass& pass, std::vector<TruthDeviation>& out) = 0;
  // out[dimension] = 1/n sum of c_i b_i <b_i, v> over the examples from `first` that have outputs,
  // in a fixed order. n counts all examples. [main]
  virtual void truth_deviations_times(WeightView w, WeightView v, std::int64_t first,
                                      const Pass& pass, Vector& out) = 0;
};

}  // namespace sculpt::core
