#include "qp/interior/normal_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/square_sum.hpp"

namespace sculpt::core {
namespace {

// A rank update with more than this fraction of all columns is added as a dense one.
constexpr double dense_fraction = 0.15;

// With more than this fraction of all columns, the entries of a rank update are found by a loop
// over all columns. With fewer, its columns are sorted.
constexpr double scan_fraction = 0.05;

// The columns of the matrix are cut into this many panels of equal work, for any number of threads.
// Below this dimension there is one panel.
constexpr std::size_t panel_count = 8;
constexpr std::size_t min_dimension = 64;

// Pivots of the scaled matrix, which has 1 on its diagonal, are raised by this much times the
// dimension. Rounding may have made them negative.
constexpr double pivot_shift = 1e-16;

}  // namespace

void NormalMatrix::Sum::resize(std::size_t dimension) {
  value.assign(dimension, 0.0);
  is_touched.assign(dimension, 0);
  touched.clear();
}

void NormalMatrix::Sum::add(double scale, const PlaneRows::Row& row) {
  for (std::size_t k = 0; k < row.index.size(); ++k) {
    const auto j = static_cast<std::size_t>(row.index[k]);
    value[j] += scale * row.value[k];
    if (is_touched[j] != 0) continue;
    is_touched[j] = 1;
    touched.push_back(row.index[k]);
  }
}

void NormalMatrix::Sum::add(double scale, const Sum& other) {
  for (const std::int32_t index : other.touched) {
    const auto j = static_cast<std::size_t>(index);
    value[j] += scale * other.value[j];
    if (is_touched[j] != 0) continue;
    is_touched[j] = 1;
    touched.push_back(index);
  }
}

void NormalMatrix::Sum::clear() {
  for (const std::int32_t index : touched) {
    value[static_cast<std::size_t>(index)] = 0;
    is_touched[static_cast<std::size_t>(index)] = 0;
  }
  touched.clear();
}

void NormalMatrix::set_diagonal(std::span<const double> diagonal) {
  const auto dimension = static_cast<Eigen::Index>(diagonal.size());
  matrix_.setZero(dimension, dimension);
  for (Eigen::Index j = 0; j < dimension; ++j)
    matrix_(j, j) = diagonal[static_cast<std::size_t>(j)];
  begin_.assign(1, 0);
  index_.clear();
  value_.clear();
  sign_.clear();
  difference_.resize(diagonal.size());
  weighted_differences_.resize(diagonal.size());
}

void NormalMatrix::clear() {
  matrix_.resize(0, 0);
}

// In terms of the header: r is `reference`, and each add() is one c_p with its weight.
void NormalMatrix::add_block(const PlaneRows& planes, std::size_t begin, std::size_t end,
                             std::span<const double> weight, double zero_weight) {
  std::size_t reference = end;  // the zero plane
  double largest = zero_weight;
  double total = zero_weight;
  for (std::size_t p = begin; p < end; ++p) {
    total += weight[p];
    if (weight[p] > largest) {
      largest = weight[p];
      reference = p;
    }
  }
  std::size_t update_count = 0;
  double last_weight = 0;
  const auto add = [&](double scale) {
    weighted_differences_.add(scale, difference_);
    store_square(difference_, scale, 1);
    last_weight = scale;
    ++update_count;
  };
  for (std::size_t p = begin; p < end; ++p) {
    if (p == reference || weight[p] == 0) continue;
    difference_.add(1, planes.row(p));
    if (reference != end) difference_.add(-1, planes.row(reference));
    add(weight[p]);
  }
  if (reference != end && zero_weight > 0) {
    difference_.add(-1, planes.row(reference));
    add(zero_weight);
  }
  if (update_count == 1) {  // one update with the difference of the two terms, so nothing cancels
    const double factor = std::sqrt(std::isinf(total) ? 1 : (total - last_weight) / total);
    for (std::size_t k = begin_[begin_.size() - 2]; k < begin_.back(); ++k) value_[k] *= factor;
    weighted_differences_.clear();
  } else if (update_count > 1 && !std::isinf(total)) {
    store_square(weighted_differences_, 1 / total, -1);
  } else {
    weighted_differences_.clear();
  }
  if (index_.size() >= entries_at_a_time) add_squares();
}

// Stores the rank update of `sum` with this weight, to be added later. Clears the sum.
void NormalMatrix::store_square(Sum& sum, double weight, double sign) {
  const double root = std::sqrt(weight);
  const auto append = [&](std::int32_t index) {
    const double value = sum.value[static_cast<std::size_t>(index)];
    if (value == 0) return;
    index_.push_back(index);
    value_.push_back(root * value);
  };
  const auto rows = static_cast<double>(matrix_.rows());
  if (static_cast<double>(sum.touched.size()) > scan_fraction * rows) {
    for (Eigen::Index j = 0; j < matrix_.rows(); ++j) append(static_cast<std::int32_t>(j));
  } else {
    std::sort(sum.touched.begin(), sum.touched.end());
    for (const std::int32_t index : sum.touched) append(index);
  }
  begin_.push_back(index_.size());
  sign_.push_back(sign);
  sum.clear();
}

bool NormalMatrix::is_dense(std::size_t square) const {
  return static_cast<double>(begin_[square + 1] - begin_[square]) >
         dense_fraction * static_cast<double>(matrix_.rows());
}

void NormalMatrix::add_squares() {
  run_panels([this](std::size_t begin, std::size_t end) { add_sparse(begin, end); });
  add_dense();
  begin_.assign(1, 0);
  index_.clear();
  value_.clear();
  sign_.clear();
}

// Panels of columns with equally many numbers below the diagonal.
void NormalMatrix::run_panels(
    const std::function<void(std::size_t begin, std::size_t end)>& panel) {
  const auto dimension = static_cast<std::size_t>(matrix_.rows());
  if (dimension < min_dimension) return panel(0, dimension);
  const auto boundary = [dimension](std::size_t k) {
    const double left = 1 - static_cast<double>(k) / panel_count;
    return dimension - static_cast<std::size_t>(std::sqrt(left) * static_cast<double>(dimension));
  };
  if (workers_ == nullptr) {
    for (std::size_t k = 0; k < panel_count; ++k) panel(boundary(k), boundary(k + 1));
    return;
  }
  workers_->run(panel_count, [&](std::int64_t task, int) {
    const auto k = static_cast<std::size_t>(task);
    panel(boundary(k), boundary(k + 1));
  });
}

// Adds the sparse rank updates to the columns [begin, end) of the matrix.
void NormalMatrix::add_sparse(std::size_t begin, std::size_t end) {
  for (std::size_t square = 0; square < sign_.size(); ++square) {
    if (is_dense(square)) continue;
    const auto* const first = index_.data() + begin_[square];
    const auto* const last = index_.data() + begin_[square + 1];
    const double* const value = value_.data() + begin_[square];
    for (const auto* column = std::lower_bound(first, last, static_cast<std::int32_t>(begin));
         column != last && static_cast<std::size_t>(*column) < end; ++column) {
      double* const to = matrix_.col(*column).data();
      const double scale = sign_[square] * value[column - first];
      for (const auto* row = column; row != last; ++row) to[*row] += scale * value[row - first];
    }
  }
}

// Adds the dense rank updates, several at a time.
void NormalMatrix::add_dense() {
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> squares;
  Eigen::VectorXd signs(dense_at_a_time);
  Eigen::Index count = 0;
  const auto flush = [&] {
    if (count == 0) return;
    const std::span<const double> sign(signs.data(), static_cast<std::size_t>(count));
    run_panels([&](std::size_t begin, std::size_t end) {
      const auto dimension = static_cast<std::size_t>(matrix_.rows());
      add_square_sum({matrix_.data(), dimension, begin, end}, squares.data(), sign);
    });
    work_ += 0.5 * static_cast<double>(count) * static_cast<double>(matrix_.rows()) *
             static_cast<double>(matrix_.rows());
    count = 0;
  };
  for (std::size_t square = 0; square < sign_.size(); ++square) {
    const auto size = static_cast<double>(begin_[square + 1] - begin_[square]);
    if (!is_dense(square)) {
      work_ += 0.5 * size * size;
      continue;
    }
    if (squares.size() == 0) squares.resize(dense_at_a_time, matrix_.rows());
    squares.row(count).setZero();
    for (std::size_t k = begin_[square]; k < begin_[square + 1]; ++k) {
      squares(count, index_[k]) = value_[k];
    }
    signs(count) = sign_[square];
    if (++count == dense_at_a_time) flush();
  }
  flush();
}

// Column j of M below the diagonal, stored in the unused half above it. The columns are stored from
// the last to the first: column k of that half has room for k numbers.
auto NormalMatrix::original_column(Eigen::Index j) {
  const Eigen::Index below = matrix_.rows() - j - 1;
  return matrix_.col(below).head(below);
}

bool NormalMatrix::factorize() {
  add_squares();
  const Eigen::Index dimension = matrix_.rows();
  diagonal_ = matrix_.diagonal();
  scale_ = diagonal_.cwiseSqrt().cwiseInverse();
  if (!scale_.allFinite() || (scale_.array() <= 0).any()) return false;
  for (Eigen::Index j = 0; j < dimension; ++j) {
    const Eigen::Index below = dimension - j - 1;
    original_column(j) = matrix_.col(j).tail(below);
    matrix_.col(j).tail(below).array() *= scale_(j) * scale_.tail(below).array();
    matrix_(j, j) = 1 + pivot_shift * static_cast<double>(dimension);
  }
  work_ += factorization_work(static_cast<double>(dimension));
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factorization(matrix_);
  return factorization.info() == Eigen::Success && matrix_.allFinite();
}

// x = scale (L L')^-1 scale x, by columns of the lower triangle.
void NormalMatrix::solve_scaled(Eigen::Ref<Eigen::VectorXd> x) const {
  const Eigen::Index dimension = matrix_.rows();
  x.array() *= scale_.array();
  for (Eigen::Index j = 0; j < dimension; ++j) {
    x(j) /= matrix_(j, j);
    const Eigen::Index below = dimension - j - 1;
    x.tail(below) -= x(j) * matrix_.col(j).tail(below);
  }
  for (Eigen::Index j = dimension - 1; j >= 0; --j) {
    const Eigen::Index below = dimension - j - 1;
    x(j) = (x(j) - matrix_.col(j).tail(below).dot(x.tail(below))) / matrix_(j, j);
  }
  x.array() *= scale_.array();
}

void NormalMatrix::solve(std::span<double> x) {
  const Eigen::Index dimension = matrix_.rows();
  Eigen::Map<Eigen::VectorXd> solution(x.data(), dimension);
  Eigen::VectorXd residual = solution;
  solve_scaled(solution);
  for (Eigen::Index j = 0; j < dimension; ++j) {
    const auto column = original_column(j);
    residual(j) -= diagonal_(j) * solution(j) + column.dot(solution.tail(column.size()));
    residual.tail(column.size()) -= solution(j) * column;
  }
  solve_scaled(residual);
  solution += residual;
  work_ += 3 * static_cast<double>(dimension) * static_cast<double>(dimension);
}

}  // namespace sculpt::core
