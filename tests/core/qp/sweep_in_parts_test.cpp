// Sweeps over many blocks in two parts.

#include "qp/sweep_in_parts.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "core/qp/random_blocks.hpp"
#include "core/qp/restricted_values.hpp"
#include "qp/qp_solver.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr std::size_t dimension_of_many = 12;
constexpr std::size_t many = 3000;  // number of blocks: enough work for two parts
constexpr double cap = 0.01;

WorkingSet many_blocks(unsigned seed, const SlackTerm& term) {
  WorkingSet working_set(many, dimension_of_many, term);
  fill(working_set, random_blocks(seed, many, 5, dimension_of_many));
  working_set.refresh();
  return working_set;
}

std::vector<std::int64_t> all_blocks(const WorkingSet& working_set) {
  std::vector<std::int64_t> blocks(static_cast<std::size_t>(working_set.block_count()));
  std::iota(blocks.begin(), blocks.end(), std::int64_t{0});
  return blocks;
}

Vector sum_of_planes(const WorkingSet& working_set) {
  Vector sum(dimension_of_many, 0.0);
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    const Block& block = working_set.block(i);
    for (std::size_t p = 1; p < block.size(); ++p) block.a[p].add_to(block.alpha[p], sum);
  }
  return sum;
}

void check_w(const WorkingSet& working_set) {
  const Vector sum = sum_of_planes(working_set);
  for (std::size_t j = 0; j < dimension_of_many; ++j) {
    CHECK(working_set.w().dense()[j] == doctest::Approx(sum[j]).epsilon(1e-9));
  }
}

}  // namespace

TEST_CASE("sweep in parts: the gain is that of the dual, and w is the sum of alpha a") {
  for (const SlackTerm& term : {SlackTerm::linear(cap), SlackTerm::squared(1 / cap)}) {
    WorkingSet working_set = many_blocks(3, term);
    SweepInParts parts(working_set, nullptr);
    const std::vector<std::int64_t> blocks = all_blocks(working_set);
    std::vector<double> gap(many, 0.0);
    REQUIRE(parts.is_worthwhile(blocks));
    for (int sweep = 0; sweep < 5; ++sweep) {
      const double before = dual_of(working_set, {});
      const SweepInParts::Outcome done = parts.run(blocks, 0, gap);
      check_w(working_set);
      CHECK(done.gain > 0);
      CHECK(done.gain == doctest::Approx(dual_of(working_set, {}) - before).epsilon(1e-8));
      CHECK(done.work > static_cast<double>(many));
    }
  }
}

TEST_CASE("sweep in parts: the result has the same bits for every number of threads") {
  std::vector<Vector> found;
  for (const int threads : {0, 1, 2, 4}) {
    WorkingSet working_set = many_blocks(4, SlackTerm::linear(cap));
    Workers workers(std::max(1, threads));
    QpSolver qp_solver(working_set, threads == 0 ? nullptr : &workers);
    QpRequest request;
    request.tolerance = 1e-6;
    CHECK(qp_solver.solve(request) == QpEnd::tolerance);
    CHECK(qp_solver.restricted_gap() <= 1e-6);
    found.push_back(working_set.w().dense());
  }
  for (const Vector& w : found) CHECK(w == found.front());
}

TEST_CASE("sweep in parts: the alpha of one part is restored if both gain the same") {
  WorkingSet working_set(many, dimension_of_many, SlackTerm::linear(1));
  for (std::int64_t block = 0; block < static_cast<std::int64_t>(many); ++block) {
    const Plane same = plane(std::vector<double>(dimension_of_many, 1.0), 1);
    REQUIRE(working_set.add(block, PlaneVector(same.a), same.b, 1));
  }
  working_set.refresh();
  SweepInParts parts(working_set, nullptr);
  std::vector<double> gap(many, 0.0);
  const SweepInParts::Outcome done = parts.run(all_blocks(working_set), 0, gap);
  CHECK(done.has_conflict);
  check_w(working_set);
  // All blocks have the same plane. One step reaches the optimum, b^2 / (2 ||a||^2).
  CHECK(dual_of(working_set, {}) == doctest::Approx(0.5 / dimension_of_many));
  CHECK(done.gain == doctest::Approx(0.5 / dimension_of_many));
  CHECK(working_set.active_count() == 1);
}

TEST_CASE("sweep in parts: a part without any gain does not clash with the other") {
  WorkingSet working_set(many, dimension_of_many, SlackTerm::linear(cap));
  for (std::int64_t block = 0; block < static_cast<std::int64_t>(many); ++block) {
    const double b = block < static_cast<std::int64_t>(many) / 2 ? 1 : -1;
    const Plane same = plane(std::vector<double>(dimension_of_many, 1.0), b);
    REQUIRE(working_set.add(block, PlaneVector(same.a), same.b, 1));
  }
  working_set.refresh();
  SweepInParts parts(working_set, nullptr);
  std::vector<double> gap(many, 0.0);
  const SweepInParts::Outcome done = parts.run(all_blocks(working_set), 0, gap);
  CHECK_FALSE(done.has_conflict);
  CHECK(done.gain > 0);
  CHECK(done.gain == doctest::Approx(dual_of(working_set, {})));
  check_w(working_set);
}

TEST_CASE("sweep in parts: not used for little work, forbidden slacks or bounds on w") {
  WorkingSet linear = many_blocks(5, SlackTerm::linear(cap));
  const std::vector<std::int64_t> blocks = all_blocks(linear);
  CHECK(SweepInParts(linear, nullptr).is_worthwhile(blocks));
  CHECK_FALSE(SweepInParts(linear, nullptr).is_worthwhile(std::span(blocks).first(100)));
  WorkingSet forbidden = many_blocks(5, SlackTerm::forbidden());
  CHECK_FALSE(SweepInParts(forbidden, nullptr).is_worthwhile(blocks));
  const std::vector<std::uint8_t> nonnegative(dimension_of_many, 1);
  WorkingSet bounded(many, dimension_of_many, SlackTerm::linear(cap), nonnegative);
  fill(bounded, random_blocks(5, many, 5, dimension_of_many));
  CHECK_FALSE(SweepInParts(bounded, nullptr).is_worthwhile(blocks));
}
