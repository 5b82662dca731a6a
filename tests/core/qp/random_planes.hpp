// random_planes.hpp - working sets of random planes whose columns differ in size.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "linalg/vector.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core::test {

using Bounds = std::vector<std::uint8_t>;  // [dimension] 1 where w_j >= 0, or empty

// [dimension] 1 for the weights 0, 2, 4 and so on; empty if not `wanted`.
inline Bounds alternate_bounds(bool wanted, std::size_t dimension) {
  Bounds bounds;
  for (std::size_t j = 0; wanted && j < dimension; ++j) bounds.push_back(j % 2 == 0 ? 1 : 0);
  return bounds;
}

struct PlaneShape {
  std::int64_t blocks;
  std::size_t max_planes;  // of a block
  std::size_t dimension;
};

// Planes that a hidden w within the bounds satisfies. If slacks are allowed, it violates some. The
// first column is about `size` times as long as the last. The others have lengths in between.
inline WorkingSet random_planes(unsigned seed, const PlaneShape& shape, const SlackTerm& term,
                                double size, const Bounds& bounds) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Vector hidden;
  for (std::size_t j = 0; j < shape.dimension; ++j) {
    hidden.push_back(bounds.empty() || bounds[j] == 0 ? normal(random) : std::abs(normal(random)));
  }
  WorkingSet working_set(shape.blocks, static_cast<std::int64_t>(shape.dimension), term, bounds);
  for (std::int64_t i = 0; i < shape.blocks; ++i) {
    const std::size_t planes = 1 + random() % shape.max_planes;
    for (std::size_t p = 0; p < planes; ++p) {
      Vector a(shape.dimension, 0.0);
      double product = 0;
      for (std::size_t j = 0; j < shape.dimension; ++j) {
        if (random() % 4 != 0) a[j] = normal(random);
        product += a[j] * hidden[j];
      }
      const bool noisy = !term.is_forbidden() && random() % 8 == 0;
      if (!noisy && std::abs(product) < 0.1) continue;
      for (std::size_t j = 0; j < shape.dimension; ++j) {
        if (!noisy && product < 0 && (bounds.empty() || bounds[j] == 0)) a[j] = -a[j];
        if (!noisy && product < 0 && !bounds.empty() && bounds[j] != 0) a[j] = std::abs(a[j]);
        const double part = static_cast<double>(j) / static_cast<double>(shape.dimension);
        a[j] *= std::pow(size, 0.5 - part);
      }
      working_set.add(i, PlaneVector(a), 0.5 + 0.25 * static_cast<double>(random() % 4), p + 1);
    }
  }
  return working_set;
}

}  // namespace sculpt::core::test
