#include "normal_factor.hpp"

#include <vector>

std::int64_t NormalFactor::analyze(const Matrix& pattern, std::int64_t max_entries) {
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> inverse;
  Eigen::AMDOrdering<int>()(pattern, inverse);
  order_ = inverse.inverse();
  reorder(pattern);
  const std::int64_t entries = count_entries(max_entries);
  if (entries <= max_entries) factor_.analyzePattern(reordered_);
  return entries;
}

bool NormalFactor::factorize(const Matrix& matrix) {
  reorder(matrix);
  factor_.factorize(reordered_);
  return factor_.info() == Eigen::Success;
}

Eigen::VectorXd NormalFactor::solve(const Eigen::VectorXd& right_side) const {
  const Eigen::VectorXd ordered = order_ * right_side;
  const Eigen::VectorXd solution = factor_.solve(ordered);
  return order_.inverse() * solution;
}

void NormalFactor::reorder(const Matrix& matrix) {
  reordered_.resize(matrix.rows(), matrix.cols());
  reordered_.selfadjointView<Eigen::Upper>() =
      matrix.selfadjointView<Eigen::Lower>().twistedBy(order_);
}

// Row k of L has an entry in every column on the paths from the entries of row k of the matrix up
// the elimination tree to k. Liu, SIAM Journal on Matrix Analysis and Applications 11 (1990).
std::int64_t NormalFactor::count_entries(std::int64_t max_entries) const {
  constexpr int no_parent = -1;
  const auto rows = static_cast<int>(reordered_.rows());
  std::vector<int> parent(static_cast<std::size_t>(rows), no_parent);
  std::vector<int> visited_by(static_cast<std::size_t>(rows), -1);
  std::int64_t entries = 0;
  for (int k = 0; k < rows && entries <= max_entries; ++k) {
    visited_by[static_cast<std::size_t>(k)] = k;
    for (Matrix::InnerIterator entry(reordered_, k); entry; ++entry) {
      for (auto j = static_cast<std::size_t>(entry.row()); visited_by[j] != k;
           j = static_cast<std::size_t>(parent[j])) {
        if (parent[j] == no_parent) parent[j] = k;
        visited_by[j] = k;
        ++entries;
      }
    }
  }
  return entries;
}
