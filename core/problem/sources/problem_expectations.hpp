// problem_expectations.hpp - expectations over the outputs of a Problem's training examples, for
// probabilistic solvers.
//
// Made by ProblemPorts. The oracle computes those of one example (expectations.hpp).
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "linalg/sparse_sum.hpp"
#include "objective/example_mean.hpp"
#include "objective/expectation_source.hpp"
#include "problem/sources/training_source.hpp"

namespace sculpt::core {

class ProblemExpectations : public ProblemPort<ExpectationSource> {
 public:
  // Returns why the problem does not offer expectations, or "".
  static std::string obstacle(Problem& problem);
  // `expectations`: those of the oracle of the problem. They outlive this.
  ProblemExpectations(Problem& problem, std::uint64_t run_seed, Expectations& expectations);

  void compute_expectations(WeightView w, std::span<const std::int64_t> examples, const Pass& pass,
                            std::vector<Expectation>& out) override;
  void compute_residuals(WeightView w, std::span<const std::int64_t> examples, const Pass& pass,
                         std::vector<ResidualVector>& out) override;
  double add_residual(const Residual& residual, const Pass& pass, Vector& v) override;
  void compute_mean_expectation(WeightView w, const Pass& pass, MeanExpectation& out) override;
  void require_covariances(WeightView w, const Pass& pass) override;
  void covariance_times(WeightView w, WeightView v, const Pass& pass, Vector& out) override;
  void compute_loss_moments(WeightView w, const Pass& pass, LossMoments& out) override;
  void compute_truth_deviations(WeightView w, std::span<const std::int64_t> examples,
                                const Pass& pass, std::vector<TruthDeviation>& out) override;
  void truth_deviations_times(WeightView w, WeightView v, std::int64_t first, const Pass& pass,
                              Vector& out) override;
  bool asks_oracle() const override { return expectations_.asks_oracle(); }
  double reduction_seconds() const override { return reduction_seconds_; }

 private:
  sculpt_query make_query(WeightView w, const Pass& pass);
  template <class Function, class Save, class Load>
  void for_each_example(WeightView w, std::span<const std::int64_t> examples, const Pass& pass,
                        const Function& function, const Save& save, const Load& load);
  // Calls add(example, worker, weight, sum) for all examples with a weight. mean = sum / n.
  // `shared`: what the ranks tell each other beside the sum.
  template <class Add>
  void sum_over_examples(Vector& mean, const Add& add, const ExampleMean::Shared& shared = {});
  void make_differences();
  double subtract_mean(int worker, const sculpt_query& query, const SparseVector& truth,
                       SparseVector& b);
  SparseAccumulator& scratch(int worker) { return scratches_[static_cast<std::size_t>(worker)]; }

  Expectations& expectations_;
  QueryWeights direction_weights_;
  ExampleMean example_mean_;
  Vector scaled_weights_;  // for oracles that cannot scale them
  SparseVector truth_psi_;
  double reduction_seconds_ = 0;
  std::deque<SparseSum> differences_;        // [threads] after the first deviation of a truth
  std::deque<SparseAccumulator> scratches_;  // [threads] after the first query
};

}  // namespace sculpt::core
