#include "solver/moments/known_directions.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "linalg/products.hpp"
#include "parallel/blocks.hpp"

namespace sculpt::core {
namespace {

std::size_t bytes_of_direction(std::size_t dimension) {
  return 2 * dimension * sizeof(double);
}

}  // namespace

void KnownDirections::solve(Vector& x, Vector& r) const {
  if (is_empty()) return;
  std::vector<double> parts = parts_along(&Direction::p, r);
  subtract(parts, &Direction::product, r);
  for (double& part : parts) part = -part;
  subtract(parts, &Direction::p, x);
}

void KnownDirections::make_conjugate(Vector& p) const {
  if (!is_empty()) subtract(parts_along(&Direction::product, p), &Direction::p, p);
}

// <v, direction> / curvature of each direction.
std::vector<double> KnownDirections::parts_along(Vector Direction::*by, const Vector& v) const {
  std::vector<double> parts(directions_.size());
  const auto compute = [&](std::int64_t t, int /*worker*/) {
    const Direction& direction = directions_[static_cast<std::size_t>(t)];
    parts[static_cast<std::size_t>(t)] =
        dot(std::span<const double>(direction.*by), v) / direction.curvature;
  };
  const auto count = std::ssize(directions_);
  if (workers_ != nullptr) {
    workers_->run(count, compute);
  } else {
    for (std::int64_t t = 0; t < count; ++t) compute(t, 0);
  }
  return parts;
}

// v -= sum of part_t times direction t. Short blocks of v stay in the cache.
void KnownDirections::subtract(const std::vector<double>& parts, Vector Direction::*of,
                               Vector& v) const {
  constexpr std::size_t block = 1024;
  const auto subtract_block = [&](std::int64_t k, int /*worker*/) {
    const std::size_t begin = static_cast<std::size_t>(k) * block;
    const std::size_t end = std::min(v.size(), begin + block);
    for (std::size_t t = 0; t < parts.size(); ++t) {
      const double* const direction = (directions_[t].*of).data();
      for (std::size_t j = begin; j < end; ++j) v[j] -= parts[t] * direction[j];
    }
  };
  const auto blocks = static_cast<std::int64_t>((v.size() + block - 1) / block);
  if (workers_ != nullptr) {
    workers_->run(blocks, subtract_block);
  } else {
    for (std::int64_t k = 0; k < blocks; ++k) subtract_block(k, 0);
  }
}

void KnownDirections::add(const Vector& p, const Vector& product, double curvature) {
  // There are no more than p.size() conjugate directions: further ones would be rounding.
  if (directions_.size() >= p.size()) return;
  if ((directions_.size() + 1) * bytes_of_direction(p.size()) > max_bytes_) return;
  directions_.push_back({p, product, curvature});
}

void KnownDirections::save(StateWriter& out) const {
  out.put(std::ssize(directions_));
  for (const Direction& direction : directions_) {
    out.put(direction.curvature);
    out.put_array(direction.p);
    out.put_array(direction.product);
  }
}

void KnownDirections::load(StateReader& in, std::size_t dimension) {
  const auto count = static_cast<std::size_t>(in.get_count());
  in.require(count <= std::min(dimension, max_bytes_ / bytes_of_direction(dimension)),
             "too many directions");
  directions_.clear();
  for (std::size_t t = 0; t < count; ++t) {
    Direction& direction = directions_.emplace_back();
    direction.curvature = in.get<double>();
    in.require(direction.curvature > 0 && std::isfinite(direction.curvature),
               "a curvature that is not above 0");
    for (Vector Direction::*const part : {&Direction::p, &Direction::product}) {
      in.get_array(direction.*part);
      in.require((direction.*part).size() == dimension, "a vector of another dimension");
    }
  }
}

double KnownDirections::bytes(double max_bytes, double dimension) {
  return std::min(max_bytes, dimension * 2 * dimension * sizeof(double));
}

}  // namespace sculpt::core
