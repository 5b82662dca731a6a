// The exact optimum of one block on the planes with alpha > 0, its face.

#include "qp/block/block_face.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/qp/random_blocks.hpp"
#include "linalg/products.hpp"
#include "qp/block/pairwise_steps.hpp"
#include "qp/qp_solver.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

double dual_by_gram(const WorkingSet& working_set) {
  const Block& block = working_set.block(0);
  double dual = 0;
  for (std::size_t p = 1; p < block.size(); ++p) {
    dual += block.alpha[p] * block.b[p];
    for (std::size_t q = 1; q < block.size(); ++q) {
      dual -= 0.5 * block.alpha[p] * block.alpha[q] * block.gram[p][q];
    }
  }
  return dual;
}

// Gives alpha to some of the planes, with a sum of `cap`.
void spread_alpha(Block& block, double cap, unsigned seed) {
  std::mt19937_64 random(seed);
  const std::size_t first = block.alpha[0] == cap ? 0 : 1;
  double sum = 0;
  for (std::size_t p = first; p < block.size(); ++p) {
    block.alpha[p] = random() % 4 == 0 ? 0 : static_cast<double>(1 + random() % 9);
    sum += block.alpha[p];
  }
  if (sum == 0) sum = block.alpha[block.size() - 1] = 1;
  for (std::size_t p = first; p < block.size(); ++p) block.alpha[p] *= cap / sum;
}

// Adds the joint plane of the hinges 1 - <w, x> over random x, at the current w.
void add_joint_plane(WorkingSet& working_set) {
  constexpr int examples = 300;
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  const Vector& w = working_set.w().dense();
  Vector a(w.size(), 0.0);
  double b = 0;
  Vector x(w.size());
  for (int i = 0; i < examples; ++i) {
    for (double& value : x) value = 0.1 + normal(random);
    if (dot(x, w) >= 1) continue;
    axpy(1.0 / examples, x, a);
    b += 1.0 / examples;
  }
  working_set.add(0, PlaneVector(a), b, static_cast<std::uint64_t>(working_set.plane_count()));
}

}  // namespace

TEST_CASE("an ascent on a face returns its gain, keeps alpha feasible and updates the scores") {
  constexpr double cap = 0.7;
  for (const SlackTerm& term :
       {SlackTerm::linear(cap), SlackTerm::squared(cap), SlackTerm::forbidden()}) {
    for (unsigned seed = 0; seed < 60; ++seed) {
      CAPTURE(seed);
      const Blocks blocks = random_blocks(seed, 1, 12, 1 + seed % 6);
      WorkingSet working_set(1, 1 + seed % 6, term);
      fill(working_set, blocks, true);
      Block& block = working_set.block(0);
      spread_alpha(block, cap, seed);
      const double before = dual_by_gram(working_set);
      std::vector<double> score;
      working_set.score(0, score);
      const std::vector<double> alpha = block.alpha;
      const BlockFace::Outcome done = BlockFace().ascend(block, term, score);
      CHECK(done.gain >= 0);
      CHECK(dual_by_gram(working_set) - before == doctest::Approx(done.gain).epsilon(1e-9));
      std::vector<double> fresh;
      working_set.score(0, fresh);
      for (std::size_t p = 0; p < block.size(); ++p) {
        CHECK(block.alpha[p] >= 0);
        if (alpha[p] == 0) CHECK(block.alpha[p] == 0);
        CHECK(score[p] == doctest::Approx(fresh[p]).epsilon(1e-9).scale(10));
      }
      if (!term.is_linear()) continue;
      CHECK(std::accumulate(block.alpha.begin(), block.alpha.end(), 0.0) ==
            doctest::Approx(cap).epsilon(1e-14));
    }
  }
}

TEST_CASE("an ascent on a face keeps the sum of alpha at the cap, and drops tiny alpha") {
  constexpr double cap = 0.7;
  const SlackTerm term = SlackTerm::linear(cap);
  for (unsigned seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const Blocks blocks = random_blocks(seed, 1, 40, 30);
    WorkingSet working_set(1, 30, term);
    fill(working_set, blocks, true);
    Block& block = working_set.block(0);
    std::fill(block.alpha.begin(), block.alpha.end(), cap / 40);
    block.alpha[0] = 1e-18;
    std::vector<double> score;
    working_set.score(0, score);
    BlockFace().ascend(block, term, score);
    const double sum = std::accumulate(block.alpha.begin(), block.alpha.end(), 0.0);
    CHECK(std::abs(sum - cap) <= 2e-16 * cap);
    for (const double alpha : block.alpha) CHECK((alpha == 0 || alpha > 1e-16 * cap));
  }
}

TEST_CASE("an ascent on a face reaches equal scores if no plane leaves the face") {
  const SlackTerm term = SlackTerm::linear(1);
  WorkingSet working_set(1, 3, term);
  fill(working_set, {{plane({2, 1, 0}, 1), plane({1, 2, 0.5}, 1.1), plane({1, 1, 2}, 0.9)}});
  Block& block = working_set.block(0);
  block.alpha = {0, 0.9, 0.05, 0.05};
  std::vector<double> score;
  working_set.score(0, score);
  CHECK(BlockFace().ascend(block, term, score).gain > 0.1);
  REQUIRE(*std::min_element(block.alpha.begin() + 1, block.alpha.end()) > 0.01);
  for (std::size_t p = 2; p < 4; ++p) CHECK(score[p] == doctest::Approx(score[1]).epsilon(1e-12));
}

TEST_CASE("a block of nearly parallel joint planes is solved within 20000 pairwise steps") {
  const SlackTerm term = SlackTerm::linear(1e4);
  WorkingSet working_set(1, 30, term);
  QpSolver qp_solver(working_set);
  for (int plane = 0; plane < 150; ++plane) {
    add_joint_plane(working_set);
    qp_solver.solve({});
  }
  Block& block = working_set.block(0);
  CHECK(working_set.active_count() > 10);
  std::fill(block.alpha.begin(), block.alpha.end(), 0.0);
  block.alpha[0] = term.cap;
  std::vector<double> score;
  working_set.score(0, score);
  const double tolerance = 1e-13 * block_gap(block, term, score).gap;
  const PairwiseSteps done = improve_block(block, term, score, tolerance, 20000);
  CHECK(done.steps < 20000);
  CHECK(done.gap <= tolerance);
}
