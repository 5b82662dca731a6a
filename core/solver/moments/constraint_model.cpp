#include "solver/moments/constraint_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/rounding.hpp"
#include "parallel/blocks.hpp"
#include "qp/block/pairwise_steps.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_steps = 1000000;

// A plane whose alpha was 0 after this many QPs in a row is dropped.
constexpr std::int32_t drop_after = 50;

// x += scale v
void add(Workers* workers, double scale, const Vector& v, Vector& x) {
  for_each_block(workers, x.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) x[j] += scale * v[j];
  });
}

}  // namespace

void ConstraintModel::begin(Vector b, Vector x) {
  b_ = std::move(b);
  x_of_b_ = std::move(x);
  product_of_b_ = dot_in_blocks(workers_, b_, x_of_b_);
  block_.b = {0};
  block_.alpha = {price_};
  block_.age = {0};
  const double zero = 0;
  block_.gram.add({&zero, 1});
}

// x is not exact. So both products of two planes differ, and their mean is used.
void ConstraintModel::add(Vector a, Vector x) {
  std::vector<double> products = {0};
  for (const SolvedPlane& plane : planes_) {
    products.push_back(0.5 *
                       (dot_in_blocks(workers_, plane.a, x) + dot_in_blocks(workers_, a, plane.x)));
  }
  products.push_back(dot_in_blocks(workers_, a, x));
  block_.gram.add(products);
  block_.b.push_back(-dot_in_blocks(workers_, a, x_of_b_));
  block_.alpha.push_back(0);
  block_.age.push_back(0);
  planes_.push_back({std::move(a), std::move(x)});
}

// -<w, a_t> at w = A^-1 z.
void ConstraintModel::find_scores(std::vector<double>& score) const {
  score = block_.b;
  for (std::size_t p = 0; p < score.size(); ++p) {
    for (std::size_t q = 1; q < score.size(); ++q) {
      score[p] -= block_.gram[p][q] * block_.alpha[q];
    }
  }
}

void ConstraintModel::optimize(double fraction) {
  std::vector<double> score;
  find_scores(score);
  double value = -0.5 * product_of_b_;  // D
  for (std::size_t p = 1; p < score.size(); ++p) {
    value += 0.5 * block_.alpha[p] * (block_.b[p] + score[p]);
  }
  const double tolerance = std::max(fraction * std::abs(value), rounding());
  improve_block(block_, SlackTerm::linear(price_), score, tolerance, max_steps);
  drop_unused();
  find_scores(score);
  slack_ = *std::max_element(score.begin(), score.end());
}

void ConstraintModel::drop_unused() {
  std::vector<std::size_t> kept = {0};
  for (std::size_t p = 1; p < block_.size(); ++p) {
    block_.age[p] = block_.alpha[p] > 0 ? 0 : block_.age[p] + 1;
    if (block_.age[p] <= drop_after) kept.push_back(p);
  }
  if (kept.size() == block_.size()) return;
  block_.gram.keep(kept);
  for (std::size_t p = 1; p < kept.size(); ++p) {
    if (kept[p] == p) continue;
    block_.b[p] = block_.b[kept[p]];
    block_.alpha[p] = block_.alpha[kept[p]];
    block_.age[p] = block_.age[kept[p]];
    planes_[p - 1] = std::move(planes_[kept[p] - 1]);
  }
  block_.b.resize(kept.size());
  block_.alpha.resize(kept.size());
  block_.age.resize(kept.size());
  planes_.resize(kept.size() - 1);
}

void ConstraintModel::find_point(Vector& w, Vector& z) const {
  w = x_of_b_;
  z = b_;
  for (std::size_t t = 0; t < planes_.size(); ++t) {
    const double alpha = block_.alpha[t + 1];
    if (alpha == 0) continue;
    core::add(workers_, alpha, planes_[t].x, w);
    core::add(workers_, alpha, planes_[t].a, z);
  }
}

double ConstraintModel::rounding() const {
  return 4 * unit_roundoff * product_of_b_;
}

std::int64_t ConstraintModel::plane_count() const {
  return std::ssize(planes_);
}

std::int64_t ConstraintModel::active_count() const {
  return has_begun() ? std::count_if(block_.alpha.begin() + 1, block_.alpha.end(),
                                     [](double alpha) { return alpha > 0; })
                     : 0;
}

void ConstraintModel::save(StateWriter& out) const {
  out.put(has_begun());
  if (!has_begun()) return;
  out.put(slack_);
  out.put_array(b_);
  out.put_array(x_of_b_);
  out.put_array(block_.b);
  out.put_array(block_.alpha);
  out.put_array(block_.age);
  for (std::size_t p = 1; p < block_.size(); ++p) {
    out.put_array(planes_[p - 1].a);
    out.put_array(planes_[p - 1].x);
    out.put_array(std::vector<double>(block_.gram[p], block_.gram[p] + p + 1));
  }
}

void ConstraintModel::load(StateReader& in, std::size_t dimension) {
  if (!in.get_flag()) return;
  const auto get_vector = [&](std::size_t size) {
    Vector vector;
    in.get_array(vector);
    in.require(vector.size() == size, "a vector of another length");
    return vector;
  };
  const auto slack = in.get<double>();
  Vector b = get_vector(dimension);
  begin(std::move(b), get_vector(dimension));
  slack_ = slack;
  in.get_array(block_.b);
  const std::size_t size = block_.b.size();
  in.require(size > 0, "a block without planes");
  in.get_array(block_.alpha);
  in.require(block_.alpha.size() == size, "a vector of another length");
  for (const double alpha : block_.alpha) in.require(alpha >= 0, "an alpha that is negative");
  in.get_array(block_.age);
  in.require(block_.age.size() == size, "a vector of another length");
  for (std::size_t p = 1; p < size; ++p) {
    Vector a = get_vector(dimension);
    planes_.push_back({std::move(a), get_vector(dimension)});
    block_.gram.add(get_vector(p + 1));
  }
}

ConstrainedPoint constrained_point(Workers* workers, const Vector& w, const Vector& product,
                                   const Vector& z, const Vector& b, double lambda) {
  const double curvature = dot_in_blocks(workers, w, product);
  const double gain = dot_in_blocks(workers, b, w);
  const double aim = dot_in_blocks(workers, w, z);
  const double squared_residual = sum_over_blocks(workers, w.size(), [&](auto begin, auto end) {
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) sum += (z[j] - product[j]) * (z[j] - product[j]);
    return sum;
  });
  ConstrainedPoint point;
  point.q = 0.5 * curvature - gain;
  point.residual_cost = squared_residual / (2 * lambda);
  point.dual = -aim + 0.5 * curvature - point.residual_cost;
  point.magnitude = 0.5 * std::abs(curvature) + std::abs(gain) + std::abs(aim);
  return point;
}

}  // namespace sculpt::core
