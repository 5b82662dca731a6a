#include "qp/block/block_face.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "qp/block/negligible_alpha.hpp"

namespace sculpt::core {
namespace {

// A pivot below this fraction of its curvature is rounding: the plane depends on the planes before
// it.
constexpr double min_pivot_fraction = 1e-12;

double inner(const double* x, const double* y, std::size_t size) {
  using Row = Eigen::Map<const Eigen::VectorXd>;
  const auto entries = static_cast<Eigen::Index>(size);
  return Row(x, entries).dot(Row(y, entries));
}

}  // namespace

BlockFace::Outcome BlockFace::ascend(Block& block, const SlackTerm& term,
                                     std::vector<double>& score) {
  Outcome outcome;
  is_sum_fixed_ = term.is_linear();
  for (collect_planes(block); planes_.size() > 1; collect_planes(block)) {
    outcome.work += factorize(block);
    solve(score);
    std::size_t leaving_plane = block.size();
    const double length = longest_step(block, leaving_plane);
    const double gain = move_alpha(block, length, leaving_plane, score);
    restore_sum(block, term.cap);
    outcome.work += static_cast<double>(planes_.size() * score.size());
    outcome.gain += gain;
    if (gain <= 0 || leaving_plane == block.size()) break;
  }
  return outcome;
}

// Puts the largest alpha last: if the sum is fixed, it gives what the others take.
void BlockFace::collect_planes(const Block& block) {
  planes_.clear();
  for (std::size_t p = is_sum_fixed_ ? 0 : 1; p < block.size(); ++p) {
    if (block.alpha[p] > 0) planes_.push_back(p);
  }
  const auto largest = std::max_element(
      planes_.begin(), planes_.end(),
      [&block](std::size_t p, std::size_t q) { return block.alpha[p] < block.alpha[q]; });
  if (largest != planes_.end()) std::swap(*largest, planes_.back());
}

// Planes of the linear system. If the sum is fixed, the last one follows from the others.
std::size_t BlockFace::free_count() const {
  return is_sum_fixed_ ? planes_.size() - 1 : planes_.size();
}

// Cholesky factorization of the products of the planes, or of their differences to the last one. A
// plane that depends on those before it gets a pivot of 0. Returns the numbers touched.
double BlockFace::factorize(const Block& block) {
  const std::size_t size = free_count();
  const double* last = block.gram[planes_.back()];
  factor_.assign(size * size, 0.0);
  for (std::size_t k = 0; k < size; ++k) {
    double* row = factor_.data() + k * size;
    const std::size_t p = planes_[k];
    for (std::size_t l = 0; l <= k; ++l) {
      const std::size_t q = planes_[l];
      row[l] = block.gram[p][q];
      if (is_sum_fixed_) row[l] += last[planes_.back()] - last[p] - last[q];
    }
    const double curvature = row[k];
    for (std::size_t l = 0; l < k; ++l) {
      const double* other = factor_.data() + l * size;
      const double remainder = row[l] - inner(row, other, l);
      row[l] = other[l] > 0 ? remainder / other[l] : 0;
    }
    const double pivot = curvature - inner(row, row, k);
    row[k] = pivot > min_pivot_fraction * curvature ? std::sqrt(pivot) : 0;
  }
  const auto n = static_cast<double>(size);
  return n * n * n / 6;
}

// Sets direction_ to the optimum of the quadratic, by forward and backward substitution.
void BlockFace::solve(const std::vector<double>& score) {
  const std::size_t size = free_count();
  direction_.assign(planes_.size(), 0.0);
  for (std::size_t k = 0; k < size; ++k) {
    const double* row = factor_.data() + k * size;
    if (row[k] == 0) continue;
    const double slope = score[planes_[k]] - (is_sum_fixed_ ? score[planes_.back()] : 0);
    direction_[k] = (slope - inner(row, direction_.data(), k)) / row[k];
  }
  for (std::size_t k = size; k-- > 0;) {
    const double* row = factor_.data() + k * size;
    if (row[k] == 0) continue;
    direction_[k] /= row[k];
    for (std::size_t l = 0; l < k; ++l) direction_[l] -= row[l] * direction_[k];
  }
  if (is_sum_fixed_) {
    direction_.back() = -std::accumulate(direction_.begin(), direction_.end(), 0.0);
  }
}

// The largest step, at most 1, that leaves every alpha at or above 0. Sets `leaving_plane` to the
// plane that ends the step, if there is one.
double BlockFace::longest_step(const Block& block, std::size_t& leaving_plane) const {
  double length = 1;
  for (std::size_t k = 0; k < planes_.size(); ++k) {
    const std::size_t p = planes_[k];
    if (block.alpha[p] + length * direction_[k] >= 0) continue;
    length = block.alpha[p] / -direction_[k];
    leaving_plane = p;
  }
  return length;
}

// Moves alpha and score by `length` times the direction. Returns the gain. Moves nothing unless the
// gain is positive.
double BlockFace::move_alpha(Block& block, double length, std::size_t leaving_plane,
                             std::vector<double>& score) {
  change_.assign(score.size(), 0.0);
  double slope = 0;
  for (std::size_t k = 0; k < planes_.size(); ++k) {
    const double* row = block.gram[planes_[k]];
    for (std::size_t r = 0; r < change_.size(); ++r) change_[r] += direction_[k] * row[r];
    slope += direction_[k] * score[planes_[k]];
  }
  double curvature = 0;
  for (std::size_t k = 0; k < planes_.size(); ++k) curvature += direction_[k] * change_[planes_[k]];
  const double gain = length * (slope - 0.5 * length * curvature);
  if (!(gain > 0)) return 0;
  for (std::size_t k = 0; k < planes_.size(); ++k) {
    double& alpha = block.alpha[planes_[k]];
    alpha = planes_[k] == leaving_plane ? 0 : std::max(0.0, alpha + length * direction_[k]);
  }
  for (std::size_t r = 0; r < score.size(); ++r) score[r] -= length * change_[r];
  return gain;
}

// Adds the rounding error of the sum to the largest alpha.
void BlockFace::restore_sum(Block& block, double target_sum) const {
  if (!is_sum_fixed_) return;
  const double min_alpha = negligible_alpha * block.alpha_sum();
  for (double& alpha : block.alpha) alpha = alpha > min_alpha ? alpha : 0;
  const double sum = std::accumulate(block.alpha.begin(), block.alpha.end(), 0.0);
  *std::max_element(block.alpha.begin(), block.alpha.end()) += target_sum - sum;
}

}  // namespace sculpt::core
