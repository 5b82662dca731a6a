// normal_factor.hpp - L D L^T of matrices A W A^T that have the same entries, whose size is known
// before it is stored.
//
// Rows in the order of minimum degree (Eigen's AMD), numbers by Eigen's simplicial factorization.
// Used by the interior point method.
#pragma once

#include <Eigen/Sparse>

#include <cstdint>

class NormalFactor {
 public:
  using Matrix = Eigen::SparseMatrix<double>;

  // For the matrices with the entries of this one, which is symmetric and has both halves. The
  // entries of L; at least `most` + 1 where it has more than that, and then nothing is stored.
  std::int64_t analyze(const Matrix& pattern, std::int64_t most);
  // False when rounding leaves no factor.
  bool factorize(const Matrix& matrix);
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;

 private:
  void reorder(const Matrix& matrix);
  std::int64_t count_entries(std::int64_t most) const;

  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order_;
  Matrix reordered_;  // the upper half
  Eigen::SimplicialLDLT<Matrix, Eigen::Upper, Eigen::NaturalOrdering<int>> factor_;
};
