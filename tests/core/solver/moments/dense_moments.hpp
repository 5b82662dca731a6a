// dense_moments.hpp - the linear systems of soda and z_score as matrices, by summation over all
// outputs of a small problem.
#pragma once

#include <Eigen/Dense>

#include "core/solver/crf/enumerated_problem.hpp"
#include "objective/moment_objective.hpp"

namespace sculpt::core::test {

struct DenseMoments {
  DenseMoments(const MomentTerms& terms, const EnumeratedExpectations& problem) {
    const auto d = static_cast<Eigen::Index>(problem.dimension());
    const auto n = static_cast<double>(problem.examples.size());
    A = terms.lambda * Eigen::MatrixXd::Identity(d, d);
    b = Eigen::VectorXd::Zero(d);
    for (std::size_t i = 0; i < problem.examples.size(); ++i) {
      const auto& outputs = problem.examples[i].outputs;
      if (outputs.empty()) continue;
      const double share = problem.example_weight(static_cast<std::int64_t>(i)) / n;
      const double p = 1 / static_cast<double>(outputs.size());
      Eigen::VectorXd mean = Eigen::VectorXd::Zero(d);
      for (const EnumeratedOutput& y : outputs) mean += p * vector_of(y.psi);
      for (const EnumeratedOutput& y : outputs) {
        const Eigen::VectorXd deviation = vector_of(y.psi) - mean;
        A += share * p * deviation * deviation.transpose();
      }
      const Eigen::VectorXd b_i = vector_of(outputs[0].psi) - mean;
      b += share * b_i;
      if (terms.adds_deviations) A += share * b_i * b_i.transpose();
    }
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
};

}  // namespace sculpt::core::test
