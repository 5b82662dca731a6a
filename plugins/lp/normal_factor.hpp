// normal_factor.hpp - the factorization L D L^T of matrices A W A^T with the same sparsity. Its
// size is known before it is stored.
//
// Rows are ordered by minimum degree (Eigen's AMD). Eigen's simplicial factorization computes the
// values. Used by the interior point method.
#pragma once

#include <Eigen/Sparse>

#include <cstdint>

class NormalFactor {
 public:
  using Matrix = Eigen::SparseMatrix<double>;

  // Prepares for matrices with the sparsity of `pattern`, which is symmetric and has both halves.
  // Returns the number of entries of L. If that exceeds `max_entries`, it returns at least
  // `max_entries` + 1 and stores nothing.
  std::int64_t analyze(const Matrix& pattern, std::int64_t max_entries);
  // Returns false if rounding prevents a factorization.
  bool factorize(const Matrix& matrix);
  Eigen::VectorXd solve(const Eigen::VectorXd& right_side) const;

 private:
  void reorder(const Matrix& matrix);
  std::int64_t count_entries(std::int64_t max_entries) const;

  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order_;
  Matrix reordered_;  // the upper half
  Eigen::SimplicialLDLT<Matrix, Eigen::Upper, Eigen::NaturalOrdering<int>> factor_;
};
