#include "qp/working_set/working_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "linalg/products.hpp"
#include "qp/plane/plane_products.hpp"

namespace sculpt::core {
namespace {

// If D rises without bound along a ray, alpha grows in steps. So it stays finite until it is a
// proof.
constexpr double max_ray_factor = 1e3;

// Columns shorter than this fraction of the longest plane are ignored: rounding hides them.
constexpr double min_column_length = 1e-12;

// Scores are good enough if their error is below this fraction of the largest b.
constexpr double max_score_error = 1e-6;

// D may fall by this fraction of its terms: rounding.
constexpr double max_dual_fall = 1e-12;

// A factor closer to 1 gains at most the square of this number times D, which is rounding.
constexpr double negligible_factor_change = 1e-12;

}  // namespace

double WorkingSet::Ray::factor() const {
  if (linear <= 0 || quadratic <= 0) return 1;
  const double best = std::min(linear / quadratic, max_ray_factor);
  return std::abs(best - 1) < negligible_factor_change ? 1 : best;
}

WorkingSet::WorkingSet(std::int64_t block_count, std::int64_t dimension,
                       const SlackTerm& slack_term, std::span<const std::uint8_t> nonnegative,
                       InnerProduct* inner_product)
    : slack_term_(slack_term),
      blocks_(static_cast<std::size_t>(block_count)),
      nonnegative_(nonnegative),
      inner_product_(inner_product),
      w_(static_cast<std::size_t>(dimension), 0.0),
      v_(inner_product == nullptr ? 0 : w_.size(), 0.0),
      complete_v_(v_),
      beta_(nonnegative.size(), 0.0),
      scratch_(static_cast<std::size_t>(dimension), 0.0),
      columns_(static_cast<std::size_t>(dimension)) {
  for (Block& block : blocks_) {
    block.a.emplace_back();
    block.b.push_back(0);
    block.alpha.push_back(slack_term_.cap);
    block.key.push_back(0);
    block.age.push_back(0);
    block.shrunk.push_back(0);
    block.gram.add(std::array{0.0});
  }
}

std::optional<WorkingSet::NewPlane> WorkingSet::make_plane(
    std::int64_t index, const SparseVector& a, double b, std::uint64_t key, Vector& zeros,
    std::span<const NewPlane> pending) const {
  const Block& block = this->block(index);
  if (block.has_key(key)) return std::nullopt;
  NewPlane plane{PlaneVector(a), b, key, {}};
  plane.products = products(index, pending, plane.a, zeros);
  if (!std::isfinite(plane.products.back())) return std::nullopt;
  return plane;
}

bool WorkingSet::add(std::int64_t index, PlaneVector a, double b, std::uint64_t key) {
  const Block& block = this->block(index);
  if (block.has_key(key)) return false;
  NewPlane plane{std::move(a), b, key, {}};
  plane.products = products(index, {}, plane.a, scratch_);
  if (!std::isfinite(plane.products.back())) return false;
  add(index, std::move(plane));
  return true;
}

void WorkingSet::add(std::int64_t index, NewPlane plane) {
  Block& block = this->block(index);
  const bool scored_by_gram = scores_by_gram();
  block.changed = true;
  block.entries += plane.a.entry_count();
  entries_ += plane.a.entry_count();
  columns_.add_columns_of(plane.a);
  if (inner_product_ != nullptr) {
    complete_w();
    inner_product_->use_columns_of(plane.a);
  }
  keep(block, plane.a);
  block.a.push_back(std::move(plane.a));
  block.b.push_back(plane.b);
  block.alpha.push_back(0);
  block.key.push_back(plane.key);
  block.age.push_back(0);
  block.shrunk.push_back(0);
  largest_squared_norm_ = std::max(largest_squared_norm_, plane.products.back());
  largest_b_ = std::max(largest_b_, std::abs(plane.b));
  for (std::size_t p = 1; p < block.size(); ++p) plane.products[p] += slack_term_.ridge;
  block.gram.add(plane.products);
  if (scored_by_gram && !scores_by_gram()) sum_planes();  // w was not updated until now
}

// Puts the entries of a new plane of the block where planes are kept.
void WorkingSet::keep(const Block& block, PlaneVector& plane) const {
  const bool shares_input = block.share_input(plane);
  if (memory_ != nullptr && !shares_input) plane.move_to(*memory_);
}

double WorkingSet::move_w(std::int64_t index, const std::vector<double>& alpha_before) {
  const Block& block = this->block(index);
  for (std::size_t p = 1; p < block.size(); ++p) {
    slack_term_.reference_price += block.alpha[p] - alpha_before[p];
  }
  if (inner_product_ != nullptr && !scores_by_gram()) {
    move_w(change_of(std::span(&index, 1), alpha_before));
    return 0;
  }
  if (!scores_by_gram()) {
    add_change(index, alpha_before, w_);
  }
  if (!has_bounds()) return 0;
  double gain = 0;
  for (std::size_t p = 1; p < block.size(); ++p) {
    if (block.alpha[p] == alpha_before[p]) continue;
    block.a[p].for_each_index([this, &gain](std::size_t j) { gain += clip(j); });
  }
  return gain;
}

void WorkingSet::add_change(std::int64_t index, const std::vector<double>& alpha_before,
                            Vector& w) const {
  const Block& block = this->block(index);
  PlaneSums sum(w);
  for (std::size_t p = 1; p < block.size(); ++p) {
    const double change = block.alpha[p] - alpha_before[p];
    if (change != 0) sum.add(change, block.a[p]);
  }
  sum.finish();
}

void WorkingSet::add_moves(const Vector& first, const Vector& second) {
  for (std::size_t j = 0; j < w_.size(); ++j) w_[j] = first[j] + second[j] - w_[j];
}

void WorkingSet::add_to_v(const Vector& change, const Vector& product) {
  if (inner_product_ == nullptr) {
    columns_.add(change, w_);
  } else {
    columns_.add(change, v_);
    axpy(1, product, w_);
    forget_incomplete(false);
    is_exact_ = is_complete_ = false;
  }
  clip_all();
}

double WorkingSet::clipping_gain(const Vector& change) const {
  double gain = 0;
  for (std::size_t j = 0; j < nonnegative_.size(); ++j) {
    if (nonnegative_[j] == 0) continue;
    const double moved = w_[j] + change[j];
    const double clipped = std::max(0.0, moved - beta_[j]);
    gain += 0.5 * (moved - clipped) * (moved + clipped);
  }
  return gain;
}

void WorkingSet::zero_on_bounds(Vector& x) const {
  for (std::size_t j = 0; j < beta_.size(); ++j) {
    if (beta_[j] > 0) x[j] = 0;
  }
}

// beta_j = max(0, -v_j) and w_j = v_j + beta_j. Returns the gain.
double WorkingSet::clip(std::size_t j) {
  if (nonnegative_[j] == 0) return 0;
  const double before = w_[j];
  const double v = before - beta_[j];
  beta_[j] = std::max(0.0, -v);
  w_[j] = std::max(0.0, v);
  return 0.5 * (before - w_[j]) * (before + w_[j]);
}

void WorkingSet::clip_all() {
  for (std::size_t j = 0; j < nonnegative_.size(); ++j) clip(j);
}

// Returns the sum over the blocks of ridge A^2.
double WorkingSet::ridge_term() const {
  if (slack_term_.ridge == 0) return 0;
  double sum = 0;
  for (const Block& block : blocks_) {
    const double alpha_sum = block.alpha_sum();
    sum += alpha_sum * alpha_sum;
  }
  return slack_term_.ridge * sum;
}

void WorkingSet::scale_alpha(double factor) {
  for (Block& block : blocks_) {
    for (std::size_t p = 1; p < block.size(); ++p) block.alpha[p] *= factor;
  }
  if (inner_product_ == nullptr) {
    columns_.scale(factor, w_);
  } else {
    for (Vector* const vector : {&w_, &v_, &complete_v_}) {
      for (double& value : *vector) value *= factor;
    }
  }
  for (double& value : beta_) value *= factor;
  slack_term_.reference_price *= factor;
}

double WorkingSet::scale_to_best_dual() {
  if (slack_term_.is_linear()) return 0;
  Ray ray;
  std::vector<double> score;
  for (std::int64_t index = 0; index < block_count(); ++index) {
    const Block& block = this->block(index);
    if (scores_by_gram()) this->score(index, score);
    for (std::size_t p = 1; p < block.size(); ++p) {
      if (block.alpha[p] == 0) continue;
      ray.linear += block.alpha[p] * block.b[p];
      if (scores_by_gram()) ray.quadratic += block.alpha[p] * (block.b[p] - score[p]);
    }
  }
  if (!scores_by_gram()) ray.quadratic = columns_.dot(model_vector(), w_) + ridge_term();
  const double factor = ray.factor();
  if (factor == 1) return 0;
  scale_alpha(factor);
  return (factor - 1) * (ray.linear - 0.5 * (factor + 1) * ray.quadratic);
}

void WorkingSet::refresh() {
  sum_planes();
  const double factor = slack_term_.is_linear() ? 1 : ray_.factor();
  if (factor == 1) return;
  scale_alpha(factor);
  sum_planes();
}

bool WorkingSet::dual_has_fallen() const {
  return dual_ < accepted_.dual - max_dual_fall * accepted_.dual_magnitude;
}

void WorkingSet::restore_accepted_alpha() {
  auto stored = accepted_.alpha.begin();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    std::vector<double>& alpha = blocks_[i].alpha;
    const auto end = stored + static_cast<std::ptrdiff_t>(accepted_.block_sizes[i]);
    std::fill(std::copy(stored, end, alpha.begin()), alpha.end(), 0.0);
    stored = end;
  }
  sum_planes();
}

// Computes everything that refresh() sets, without scaling alpha.
void WorkingSet::sum_planes() {
  Vector& v = inner_product_ == nullptr ? w_ : scratch_;
  columns_.clear(v);
  std::fill(beta_.begin(), beta_.end(), 0.0);
  ray_ = {};
  double magnitude = 0;
  double alpha_sum = 0;
  alpha_norm_sum_ = 0;
  evaluated_.alpha.clear();
  evaluated_.block_sizes.clear();
  PlaneSums sum(v);
  for (std::int64_t index = 0; index < block_count(); ++index) {
    const Block& block = this->block(index);
    prefetch_after(index, PlaneFilter::active);
    evaluated_.add_block(block.alpha);
    for (std::size_t p = 1; p < block.size(); ++p) {
      if (block.alpha[p] == 0) continue;
      sum.add(block.alpha[p], block.a[p]);
      if (blocks_.size() == 1) alpha_norm_sum_ += block.alpha[p] * std::sqrt(block.gram[p][p]);
      ray_.linear += block.alpha[p] * block.b[p];
      magnitude += block.alpha[p] * std::abs(block.b[p]);
      alpha_sum += block.alpha[p];
    }
  }
  sum.finish();
  if (inner_product_ != nullptr) follow_sum();
  clip_all();
  squared_norm_ = columns_.dot(model_vector(), w_);
  slack_term_.reference_price = alpha_sum;
  ray_.quadratic = squared_norm_ + ridge_term();
  dual_ = ray_.linear - 0.5 * ray_.quadratic;
  dual_magnitude_ = magnitude + ray_.quadratic;
  evaluated_.dual = dual_;
  evaluated_.dual_magnitude = dual_magnitude_;
}

// A score is b minus a sum of alpha_q <a_q, a_p>. This sum is at most alpha_norm_sum_ times the
// norm of the longest plane.
bool WorkingSet::are_products_precise() const {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double score_error = epsilon * alpha_norm_sum_ * std::sqrt(largest_squared_norm_);
  return score_error <= max_score_error * largest_b_;
}

double WorkingSet::largest_norm() const {
  return std::sqrt(std::max(largest_squared_norm_, largest_averaged_plane_));
}

// An upper bound: sqrt(largest number of entries) times the length of the shortest column. After
// scaling each entry is at most that length.
double WorkingSet::largest_norm_after_column_scaling() const {
  if (inner_product_ != nullptr) return largest_norm();
  Vector length(w_.size(), 0.0);
  std::size_t max_entries = 0;
  for (const Block& block : blocks_) {
    for (std::size_t p = 1; p < block.size(); ++p) {
      max_entries = std::max(max_entries, block.a[p].entry_count());
      block.a[p].for_each_entry([&length](std::size_t j, double value) {
        length[j] = std::max(length[j], std::abs(value));
      });
    }
  }
  double shortest = std::sqrt(largest_squared_norm_);
  for (const double value : length) {
    if (value > 0) shortest = std::min(shortest, value);
  }
  return std::clamp(shortest * std::sqrt(static_cast<double>(max_entries)),
                    min_column_length * largest_norm(), largest_norm());
}

// The largest D along the ray is linear^2 / (2 quadratic). The norm of the longest plane mostly
// shows that there is no proof, without reading all planes.
bool WorkingSet::is_inseparable(double separation_floor) const {
  if (!slack_term_.is_forbidden() || ray_.linear <= 0) return false;
  const double bound = separation_floor * ray_.linear;
  const double unscaled = bound * largest_norm();
  if (ray_.quadratic > unscaled * unscaled) return false;
  const double scaled = bound * largest_norm_after_column_scaling();
  return ray_.quadratic <= scaled * scaled;
}

bool WorkingSet::set_alpha_to_infeasible_plane() {
  if (!slack_term_.is_forbidden()) return false;
  for (Block& block : blocks_) {
    for (std::size_t p = 1; p < block.size(); ++p) {
      if (block.gram[p][p] != 0 || block.b[p] <= 0) continue;
      for (Block& other : blocks_) std::fill(other.alpha.begin() + 1, other.alpha.end(), 0.0);
      block.alpha[p] = 1;
      refresh();
      return true;
    }
  }
  return false;
}

Vector WorkingSet::v() const {
  Vector v = model_vector();
  for (std::size_t j = 0; j < beta_.size(); ++j) v[j] -= beta_[j];
  return v;
}

void WorkingSet::clip_to_bounds(Vector& x) const {
  for (std::size_t j = 0; j < nonnegative_.size(); ++j) {
    if (nonnegative_[j] != 0) x[j] = std::max(0.0, x[j]);
  }
}

std::int64_t WorkingSet::plane_count() const {
  std::size_t count = 0;
  for (const Block& block : blocks_) count += block.size() - 1;
  return static_cast<std::int64_t>(count);
}

std::int64_t WorkingSet::active_count() const {
  std::int64_t count = 0;
  for (const Block& block : blocks_) {
    count += std::count_if(block.alpha.begin() + 1, block.alpha.end(),
                           [](double alpha) { return alpha > 0; });
  }
  return count;
}

}  // namespace sculpt::core
