// w and the dual of a working set under bounds, compared with sums over its planes.

#include "qp/working_set/working_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "core/qp/random_planes.hpp"
#include "core/qp/restricted_values.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

TEST_CASE("under bounds move_w() sets w = max(0, v) and returns what clipping adds to the dual") {
  constexpr std::size_t dimension = 7;
  const Bounds bounds = alternate_bounds(true, dimension);
  WorkingSet working_set = random_planes(3, {6, 8, dimension}, SlackTerm::squared(0.5), 1, bounds);
  std::mt19937_64 random(4);
  int clipped = 0;
  for (int round = 0; round < 200; ++round) {
    const auto index = static_cast<std::int64_t>(random() % 6);
    Block& block = working_set.block(index);
    const std::vector<double> before = block.alpha;
    Vector moved = working_set.w().dense();  // the new w without clipping
    for (std::size_t p = 1; p < block.size(); ++p) {
      if (random() % 2 == 0) continue;
      block.alpha[p] = random() % 3 == 0 ? 0.0 : 0.1 * static_cast<double>(random() % 10);
      block.a[p].add_to(block.alpha[p] - before[p], moved);
    }
    const double gain = working_set.move_w(index, before);

    Vector v(dimension, 0.0);
    for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
      const Block& each = working_set.block(i);
      for (std::size_t p = 1; p < each.size(); ++p) each.a[p].add_to(each.alpha[p], v);
    }
    double expected = 0;  // 1/2 ||moved||^2 - 1/2 ||w||^2
    for (std::size_t j = 0; j < dimension; ++j) {
      const double w = bounds[j] != 0 ? std::max(0.0, v[j]) : v[j];
      CHECK(working_set.w().dense()[j] == doctest::Approx(w).epsilon(1e-9));
      expected += 0.5 * (moved[j] * moved[j] - w * w);
    }
    CHECK(gain == doctest::Approx(expected).epsilon(1e-9));
    clipped += gain > 1e-6 ? 1 : 0;
  }
  CHECK(clipped > 50);
}
