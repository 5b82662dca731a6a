// Planes are dropped or merged to stay within the memory limit.

#include "qp/working_set/plane_limit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "core/qp/random_blocks.hpp"
#include "qp/qp_solver.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr std::size_t dimension_of_fractions = 6;

// Entries are fractions. So the mean of planes takes no more bytes than the planes.
Blocks fractions(unsigned seed) {
  Blocks blocks = random_blocks(seed, 5, 12, dimension_of_fractions);
  for (auto& block : blocks) {
    for (Plane& plane : block) {
      for (double& value : plane.a.value) value /= 3;
    }
  }
  return blocks;
}

double max_violation(const Blocks& blocks, std::size_t block, const Vector& w) {
  double violation = 0;
  for (const Plane& plane : blocks[block]) {
    violation = std::max(violation, plane.b - PlaneVector(plane.a).dot(w));
  }
  return violation;
}

// No plane is violated more than those of `blocks`, and the products are those of its entries.
void check_planes(const WorkingSet& working_set, const Blocks& blocks) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  Vector w(dimension_of_fractions);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = working_set.block(static_cast<std::int64_t>(i));
    for (int trial = 0; trial < 50; ++trial) {
      for (double& value : w) value = normal(random);
      for (std::size_t p = 1; p < block.size(); ++p) {
        CHECK(block.b[p] - block.a[p].dot(w) <= max_violation(blocks, i, w) + 1e-12);
      }
    }
    Vector scattered(dimension_of_fractions, 0.0);
    for (std::size_t p = 1; p < block.size(); ++p) {
      block.a[p].scatter(scattered);
      for (std::size_t q = 1; q < block.size(); ++q) {
        const double product = block.a[q].dot(scattered) + working_set.slack_term().ridge;
        CHECK(block.gram[p][q] == doctest::Approx(product).epsilon(1e-12));
      }
      block.a[p].unscatter(scattered);
    }
  }
}

}  // namespace

TEST_CASE("a plane limit drops or merges planes, and does not change w and the dual") {
  for (const SlackTerm& term : {SlackTerm::linear(0.7), SlackTerm::squared(3)}) {
    for (const bool dense : {false, true}) {
      for (unsigned seed = 1; seed <= 10; ++seed) {
        const Blocks blocks = fractions(seed);
        WorkingSet working_set(static_cast<std::int64_t>(blocks.size()), dimension_of_fractions,
                               term);
        fill(working_set, blocks, dense);
        QpSolver qp_solver(working_set);
        QpRequest request;
        request.tolerance = 1e-7;  // with less, Newton steps give alpha to more planes
        qp_solver.solve(request);
        working_set.age();
        const double dual = working_set.dual();
        const Vector w = working_set.w().dense();
        const std::int64_t active = working_set.active_count();
        REQUIRE(active < working_set.plane_count());

        CHECK(limit_plane_bytes(working_set, working_set.bytes()));  // nothing to do
        const std::size_t all = working_set.bytes();
        CHECK(limit_plane_bytes(working_set, all - 1));
        CHECK(working_set.bytes() < all);
        CHECK(working_set.active_count() == active);  // idle planes are enough

        CHECK_FALSE(limit_plane_bytes(working_set, 1));
        CHECK(working_set.active_count() == working_set.plane_count());
        CHECK(working_set.active_count() < active);
        for (std::size_t i = 0; i < blocks.size(); ++i) {
          CHECK(working_set.block(static_cast<std::int64_t>(i)).size() <= 3);
        }
        check_planes(working_set, blocks);
        qp_solver.evaluate();
        CHECK(working_set.dual() == doctest::Approx(dual).epsilon(1e-12));
        for (std::size_t j = 0; j < dimension_of_fractions; ++j) {
          CHECK(working_set.w().dense()[j] == doctest::Approx(w[j]).epsilon(1e-9));
        }
      }
    }
  }
}

TEST_CASE("under hard margin a plane limit drops idle planes, and merges none") {
  const Blocks blocks = fractions(4);
  WorkingSet working_set(static_cast<std::int64_t>(blocks.size()), dimension_of_fractions,
                         SlackTerm::forbidden());
  fill(working_set, blocks);
  working_set.block(0).alpha[1] = 1;
  working_set.block(1).alpha[1] = working_set.block(1).alpha[2] = 1;
  working_set.age();
  CHECK_FALSE(limit_plane_bytes(working_set, 1));
  CHECK(working_set.plane_count() == 3);
}

TEST_CASE("the mean of planes does not store entries that cancel") {
  WorkingSet working_set(1, 100, SlackTerm::linear(1));
  SparseVector one;
  SparseVector other;
  for (std::int32_t k = 0; k < 40; ++k) {
    one.index.push_back(2 * k);
    one.value.push_back(k % 2 == 0 ? 0.1 * (k + 1) : 0.3);
    other.index.push_back(2 * k);
    other.value.push_back(k % 2 == 0 ? -0.1 * (k + 1) : 0.7);
  }
  working_set.add(0, PlaneVector(one), 1, 0);
  working_set.add(0, PlaneVector(other), 1, 1);
  working_set.block(0).alpha = {0, 0.5, 0.5};
  CHECK(working_set.merge(0, 1, 2));
  CHECK(working_set.block(0).a[1].entry_count() == 20);
}

TEST_CASE("planes are not merged if their mean takes more memory") {
  WorkingSet working_set(1, 100, SlackTerm::linear(1));
  for (std::int32_t plane = 0; plane < 2; ++plane) {
    SparseVector counts;  // four values in each plane, but sixteen different pairs
    for (std::int32_t k = 0; k < 80; ++k) {
      counts.index.push_back(k);
      counts.value.push_back(1 + (plane == 0 ? k : k / 4) % 4);
    }
    working_set.add(0, PlaneVector(counts), 1, static_cast<std::uint64_t>(plane));
  }
  working_set.block(0).alpha = {0, 0.3, 0.7};
  CHECK_FALSE(working_set.merge(0, 1, 2));
  CHECK(working_set.plane_count() == 2);
}

TEST_CASE("planes that share an input vector are merged only if that saves memory") {
  const auto plane_of = [](std::int32_t size, std::int32_t other) {
    SparseVector a;
    for (const std::int32_t label : {0, other}) {
      for (std::int32_t k = 0; k < size; ++k) {
        a.index.push_back(100 * label + k);
        a.value.push_back((label == 0 ? 0.1 : -0.1) * (k + 1));
      }
    }
    return PlaneVector(a);
  };
  for (const bool is_long : {true, false}) {
    WorkingSet planes(1, 400, SlackTerm::linear(1));
    const std::int32_t size = is_long ? 60 : 3;
    std::size_t before = planes.bytes();
    for (std::int32_t other = 1; other < 4; ++other) {
      planes.add(0, plane_of(size, other), 1, static_cast<std::uint64_t>(other));
      const std::size_t added = planes.bytes() - before;
      const std::size_t entries = plane_of(size, other).bytes();
      if (is_long) CHECK((added > entries) == (other == 1));
      before = planes.bytes();
    }
    planes.block(0).alpha = {0.1, 0.3, 0.4, 0.2};
    CHECK(planes.merge(0, 1, 2) == !is_long);
    CHECK((planes.bytes() < before) == !is_long);
  }
}
