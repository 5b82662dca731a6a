// expectation_problem.hpp - a toy problem with its expectations.
//
// Called by the tests of expectations (oracle/, sources/).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/problem/separation.hpp"
#include "problem/sources/problem_ports.hpp"

namespace sculpt::core {

// Sets a plan of two examples, of three positions and of two. Both kinds of oracles offer
// expectations.
inline void plan_expectations() {
  toy_plan() = {};
  toy_plan().training = {{{0, 1, 2}, {0, 1, 2}}, {{3, 1}, {2, 1}}};
  toy_plan().offers_expectations = true;
}

// A problem of the current plan. Its queries are at w = 0 unless other weights are set.
class ExpectationProblem {
 public:
  explicit ExpectationProblem(const std::vector<const sculpt_component*>& oracles,
                              bool guard = false)
      : problem_(spec(oracles, guard), Purpose::training, 1, {}), ports_(problem_, 5) {}
  explicit ExpectationProblem(const sculpt_component& oracle, bool guard = false)
      : ExpectationProblem(std::vector<const sculpt_component*>{&oracle}, guard) {}

  void set_weights(Vector w) { w_ = std::move(w); }
  std::string obstacle() { return ports_.ports().obstacle_to(Port::expectations); }
  ExpectationSource& source() { return *ports_.ports().expectations; }
  Ports& ports() { return ports_.ports(); }

  Expectation mean_of(std::int64_t example) {
    std::vector<Expectation> out;
    source().compute_expectations(w_, std::vector<std::int64_t>{example}, 1, out);
    return out.front();
  }
  MeanExpectation mean(const Pass& pass = 1) {
    MeanExpectation out;
    source().compute_mean_expectation(w_, pass, out);
    return out;
  }
  // psi of the truth, times the weight of its example.
  Vector truth_of(std::int64_t example) {
    Vector sum = zero_weights();
    ports_.ports().counts->sum_truths(std::vector<std::int64_t>{example}, sum);
    return sum;
  }
  // The mean of b_i <b_i, v> of the examples from `first_example`.
  Vector truth_deviations(const Vector& v, std::int64_t first_example) {
    Vector out;
    source().truth_deviations_times(w_, v, first_example, 1, out);
    return out;
  }
  // b_i, without the weight of the example.
  Vector truth_deviation_of(std::int64_t example) {
    std::vector<TruthDeviation> out;
    source().compute_truth_deviations(w_, std::vector<std::int64_t>{example}, 1, out);
    Vector b = zero_weights();
    out.front().b.add_to(1, b);
    return b;
  }
  // Cov[psi] v for v = (1/2, ..., 1/2).
  Vector covariance(const Pass& pass = 1) {
    Vector out;
    source().covariance_times(w_, Vector(toy_weight_count, 0.5), pass, out);
    return out;
  }

 private:
  static ProblemSpec spec(const std::vector<const sculpt_component*>& oracles, bool guard) {
    ProblemSpec result = toy_spec(*oracles.front());
    result.oracles.resize(oracles.size());
    for (std::size_t k = 0; k < oracles.size(); ++k) result.oracles[k].description = oracles[k];
    result.is_guarded = guard;
    return result;
  }

  Problem problem_;
  ProblemPorts ports_;
  Vector w_ = zero_weights();
};

}  // namespace sculpt::core
