// dense_moments.hpp - the linear systems of soda and z_score as matrices, by summation over all
// outputs of a small problem, or over samples of them.
#pragma once

#include <Eigen/Dense>

#include <vector>

#include "core/solver/crf/enumerated_problem.hpp"
#include "objective/moment_objective.hpp"

namespace sculpt::core::test {

// psi of the outputs of one example, each with the same probability.
using UniformOutputs = std::vector<Eigen::VectorXd>;

inline Eigen::VectorXd mean_of(const UniformOutputs& outputs) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(outputs.front().size());
  for (const Eigen::VectorXd& psi : outputs) sum += psi;
  return sum / static_cast<double>(outputs.size());
}

struct DenseMoments {
  // All outputs.
  DenseMoments(const MomentTerms& terms, const EnumeratedExpectations& problem) {
    begin(terms, problem.dimension());
    for (std::size_t i = 0; i < problem.examples.size(); ++i) {
      const UniformOutputs outputs = outputs_of(problem.examples[i]);
      if (!outputs.empty()) add(terms, problem, i, outputs, mean_of(outputs));
    }
  }
  // These samples of each example, around the mean of all outputs or their own.
  DenseMoments(const MomentTerms& terms, const EnumeratedExpectations& problem,
               const std::vector<UniformOutputs>& samples, bool has_exact_mean) {
    begin(terms, problem.dimension());
    for (std::size_t i = 0; i < problem.examples.size(); ++i) {
      const UniformOutputs outputs = outputs_of(problem.examples[i]);
      if (outputs.empty()) continue;
      add(terms, problem, i, samples[i], mean_of(has_exact_mean ? outputs : samples[i]));
    }
  }
  static UniformOutputs outputs_of(const EnumeratedExample& example) {
    UniformOutputs outputs;
    for (const EnumeratedOutput& y : example.outputs) outputs.push_back(vector_of(y.psi));
    return outputs;
  }
  static Eigen::VectorXd vector_of(const Vector& x) {
    return Eigen::Map<const Eigen::VectorXd>(x.data(), std::ssize(x));
  }
  // The solution of least norm.
  Eigen::VectorXd solution() const { return A.completeOrthogonalDecomposition().solve(b); }
  double primal(const Eigen::VectorXd& w) const { return 0.5 * w.dot(A * w) - b.dot(w); }
  double residual(const Vector& w) const { return (b - A * vector_of(w)).norm() / b.norm(); }

  Eigen::MatrixXd A;
  Eigen::VectorXd b;

 private:
  void begin(const MomentTerms& terms, std::int64_t dimension) {
    A = terms.lambda * Eigen::MatrixXd::Identity(dimension, dimension);
    b = Eigen::VectorXd::Zero(dimension);
  }
  void add(const MomentTerms& terms, const EnumeratedExpectations& problem, std::size_t i,
           const UniformOutputs& outputs, const Eigen::VectorXd& mean) {
    const double share = problem.example_weight(static_cast<std::int64_t>(i)) /
                         static_cast<double>(problem.examples.size());
    const double p = 1 / static_cast<double>(outputs.size());
    for (const Eigen::VectorXd& psi : outputs) {
      A += share * p * (psi - mean) * (psi - mean).transpose();
    }
    const Eigen::VectorXd b_i = vector_of(problem.examples[i].outputs[0].psi) - mean;
    b += share * b_i;
    if (terms.adds_deviations) A += share * b_i * b_i.transpose();
  }
};

}  // namespace sculpt::core::test
