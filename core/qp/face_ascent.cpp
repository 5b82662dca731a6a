#include "qp/face_ascent.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "linalg/products.hpp"
#include "qp/block/negligible_alpha.hpp"

namespace sculpt::core {
namespace {

// Conjugate gradients end when the squared residual has fallen to this fraction.
constexpr double residual_fraction = 1e-4;
constexpr int max_trials = 5;

// Number of conjugate gradient iterations. Measured on multiclass sets: more than 20 may take a
// hundred times as long. Measured on the OCR letters: fewer than 10 take a third more time.
constexpr double min_iterations = 3;
constexpr double max_iterations = 64;
constexpr double iteration_factor = 1.5;
constexpr double good_gain = 0.7;  // above this fraction of the predicted gain: more iterations
constexpr double bad_gain = 0.2;   // below this fraction: fewer iterations

constexpr double length_factor = 0.4;  // factor from the length of one trial to the next

// A smaller curvature, as a fraction of the bound from the planes' norms, is rounding. It comes
// from duplicate or dependent planes, which pairwise steps handle.
constexpr double min_curvature_fraction = 1e-10;

double inner(const std::vector<double>& x, const std::vector<double>& y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

}  // namespace

FaceAscent::Outcome FaceAscent::improve() {
  const Outcome outcome = ascend();
  working_set_.columns().clear(w_change_);
  return outcome;
}

FaceAscent::Outcome FaceAscent::ascend() {
  work_ = 0;
  face_.collect();
  if (face_.variables().empty()) return {};
  run_conjugate_gradients();
  const double gain = search_along_direction();
  adapt_iterations(gain);
  return {gain, work_};
}

// Tries shorter and shorter steps along the direction. Returns the gain of the first that gains, or
// 0.
double FaceAscent::search_along_direction() {
  double length = longest_step();
  for (int trial = 0; trial < max_trials; ++trial, length *= length_factor) {
    const double gain = try_step(length);
    if (gain > 0) return gain;
  }
  return 0;
}

void FaceAscent::adapt_iterations(double gain) {
  if (gain > good_gain * predicted_gain_) {
    iterations_ = std::min(iterations_ * iteration_factor, max_iterations);
  }
  if (gain < bad_gain * predicted_gain_) {
    iterations_ = std::max(iterations_ / iteration_factor, min_iterations);
  }
}

void FaceAscent::load(StateReader& in) {
  iterations_ = in.get<double>();
  in.require(iterations_ >= min_iterations && iterations_ <= max_iterations,
             "a number of iterations that is out of range");
}

// Projects to the directions that the face allows.
void FaceAscent::project_gradient(std::vector<double>& gradient) const {
  if (!working_set_.slack_term().is_linear()) return;
  std::size_t begin = 0;
  for (const std::size_t end : face_.block_ends()) {
    double mean = 0;
    for (std::size_t k = begin; k < end; ++k) mean += gradient[k];
    mean /= static_cast<double>(end - begin);
    for (std::size_t k = begin; k < end; ++k) gradient[k] -= mean;
    begin = end;
  }
}

// out_k += scale ridge (sum of x over the block of k). Returns ridge times the sum of the squares.
double FaceAscent::add_ridge(double scale, const std::vector<double>& x,
                             std::vector<double>& out) const {
  const double ridge = working_set_.slack_term().ridge;
  if (ridge == 0) return 0;
  double squares = 0;
  std::size_t begin = 0;
  for (const std::size_t end : face_.block_ends()) {
    double sum = 0;
    for (std::size_t k = begin; k < end; ++k) sum += x[k];
    for (std::size_t k = begin; k < end; ++k) out[k] += scale * ridge * sum;
    squares += sum * sum;
    begin = end;
  }
  return ridge * squares;
}

// Sets direction_ and its predicted gain: the conjugate gradients of Hestenes & Stiefel for the
// projected system.
void FaceAscent::run_conjugate_gradients() {
  const std::vector<ActiveFace::Variable>& variables = face_.variables();
  const std::size_t size = variables.size();
  trial_.resize(size);
  direction_.assign(size, 0.0);
  predicted_gain_ = 0;
  face_.multiply(working_set_.w().dense(), residual_);
  for (std::size_t k = 0; k < size; ++k) {
    residual_[k] = variables[k].b - residual_[k];
    trial_[k] = *variables[k].alpha;
  }
  add_ridge(-1, trial_, residual_);
  work_ += face_.entries();
  project_gradient(residual_);
  conjugate_ = residual_;
  double squared = inner(residual_, residual_);
  const double target = residual_fraction * squared;
  for (int step = 0; step < static_cast<int>(iterations_) && squared > target; ++step) {
    const double curvature = multiply_by_gram();
    if (curvature <= 0) return;
    const double length = squared / curvature;
    predicted_gain_ += 0.5 * length * squared;
    for (std::size_t k = 0; k < size; ++k) {
      direction_[k] += length * conjugate_[k];
      residual_[k] -= length * product_[k];
    }
    const double previous = squared;
    squared = inner(residual_, residual_);
    for (std::size_t k = 0; k < size; ++k) {
      conjugate_[k] = residual_[k] + squared / previous * conjugate_[k];
    }
  }
}

// product = projection of the dual's Hessian, A^T A + ridge, times conjugate. Returns the curvature
// along conjugate, or 0 if it is rounding.
double FaceAscent::multiply_by_gram() {
  const std::vector<ActiveFace::Variable>& variables = face_.variables();
  double bound = 0;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    bound += conjugate_[k] * conjugate_[k] * variables[k].squared_norm;
  }
  face_.sum(conjugate_, w_change_);
  working_set_.zero_on_bounds(w_change_);
  const Vector& product = multiply_change();
  double curvature = product_with_change(product);
  face_.multiply(product, product_);
  curvature += add_ridge(1, conjugate_, product_);
  work_ += 2 * face_.entries();
  project_gradient(product_);
  return curvature > min_curvature_fraction * bound ? curvature : 0;
}

// M times w_change_, or w_change_ itself.
const Vector& FaceAscent::multiply_change() {
  InnerProduct* const inner_product = working_set_.inner_product();
  if (inner_product == nullptr) return w_change_;
  product_of_change_.assign(w_change_.size(), 0.0);
  change_ = entries_of(w_change_);
  inner_product->add_product(change_, InnerProduct::Columns::in_use, product_of_change_);
  work_ += inner_product->work_per_entry() * static_cast<double>(change_.index.size());
  return product_of_change_;
}

// <w_change_, x>, after multiply_change().
double FaceAscent::product_with_change(const Vector& x) const {
  if (working_set_.inner_product() != nullptr) return dot(change_, x);
  return working_set_.columns().dot(w_change_, x);
}

// Returns 1, or less if d leaves the simplices so far that rounding would spoil the projection.
double FaceAscent::longest_step() const {
  if (!working_set_.slack_term().is_linear()) return 1;
  double largest = 0;
  for (const double d : direction_) largest = std::max(largest, std::abs(d));
  const double max_change = 100 * working_set_.slack_term().cap;
  return largest > max_change ? max_change / largest : 1;
}

// Euclidean projection of trial_[begin, end) to the feasible set of a block.
void FaceAscent::project_block(std::size_t begin, std::size_t end) {
  double alpha_sum = 0;
  for (std::size_t k = begin; k < end; ++k) {
    alpha_sum += *face_.variables()[k].alpha;
  }
  if (working_set_.slack_term().is_linear()) {
    project_to_simplex(begin, end, alpha_sum);
    return;
  }
  for (std::size_t k = begin; k < end; ++k) {
    if (trial_[k] <= negligible_alpha * alpha_sum) trial_[k] = 0;
  }
}

// Euclidean projection to alpha >= 0 with this sum: all values are lowered by one shift, found from
// the sorted values.
void FaceAscent::project_to_simplex(std::size_t begin, std::size_t end, double alpha_sum) {
  const auto first = trial_.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = trial_.begin() + static_cast<std::ptrdiff_t>(end);
  sorted_.assign(first, last);
  std::sort(sorted_.begin(), sorted_.end(), std::greater<>());
  double sum = 0;
  double shift = 0;
  for (std::size_t k = 0; k < sorted_.size(); ++k) {
    sum += sorted_[k];
    const double candidate = (sum - alpha_sum) / static_cast<double>(k + 1);
    if (sorted_[k] <= candidate) break;
    shift = candidate;
  }
  double projected_sum = 0;
  for (auto value = first; value != last; ++value) {
    *value -= shift;
    if (*value <= negligible_alpha * alpha_sum) *value = 0;
    projected_sum += *value;
  }
  for (auto value = first; value != last; ++value) *value *= alpha_sum / projected_sum;
}

// The loss of a trial by the ridge: 1/2 ridge sum (A'^2 - A^2).
double FaceAscent::ridge_loss() const {
  const double ridge = working_set_.slack_term().ridge;
  if (ridge == 0) return 0;
  double sum = 0;
  std::size_t begin = 0;
  for (const std::size_t end : face_.block_ends()) {
    double alpha_sum = 0;
    double change = 0;
    for (std::size_t k = begin; k < end; ++k) {
      alpha_sum += *face_.variables()[k].alpha;
      change += trial_[k] - *face_.variables()[k].alpha;
    }
    sum += change * (alpha_sum + 0.5 * change);
    begin = end;
  }
  return ridge * sum;
}

// Returns the gain of the dual at the projection of alpha + length d. Moves alpha there if it is
// positive, else returns 0.
double FaceAscent::try_step(double length) {
  const std::vector<ActiveFace::Variable>& variables = face_.variables();
  const std::size_t size = variables.size();
  for (std::size_t k = 0; k < size; ++k) {
    trial_[k] = *variables[k].alpha + length * direction_[k];
  }
  std::size_t begin = 0;
  for (const std::size_t end : face_.block_ends()) {
    project_block(begin, end);
    begin = end;
  }
  product_.resize(size);
  double linear = 0;
  for (std::size_t k = 0; k < size; ++k) {
    product_[k] = trial_[k] - *variables[k].alpha;
    linear += product_[k] * variables[k].b;
  }
  face_.sum(product_, w_change_);
  work_ += face_.entries();
  const Vector& product = multiply_change();
  const double gain = linear - product_with_change(working_set_.w().dense()) -
                      0.5 * product_with_change(product) - ridge_loss() +
                      working_set_.clipping_gain(w_change_);
  if (!(gain > 0)) return 0;
  for (std::size_t k = 0; k < size; ++k) {
    *variables[k].alpha = trial_[k];
  }
  working_set_.add_to_v(w_change_, product);
  return gain;
}

}  // namespace sculpt::core
