// CellDual: D, v and the gaps against their definitions by enumeration.

#include "objective/cell_dual.hpp"

#include <doctest/doctest.h>

#include <random>

#include "core/solver/crf/enumerated_cells.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;
using doctest::Approx;

namespace {

const LogLossTerms cell_terms[] = {{10, 0, 0, 1}, {5, 0, 1, 1}, {5, 0, 0.5, 0.3}, {2, 0, 1, 4}};

// Distributions at random.
CellBlocks random_blocks(CellDual& dual, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  CellBlocks blocks = dual.make_blocks();
  for (std::size_t i = 0; i < blocks.size.size(); ++i) {
    for (double& one : blocks.theta_of(i)) one = normal(random);
  }
  dual.compute_means(Vector(5, 0.0), Pass(1), blocks);
  return blocks;
}

}  // namespace

TEST_CASE("the dual of distributions, and the gap at their w, are those by definition") {
  for (const LogLossTerms& terms : cell_terms) {
    CAPTURE(terms.temperature);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      EnumeratedExpectations problem = random_enumerated(seed);
      problem.examples.emplace_back().truth_psi.assign(5, 1.0);  // without an output
      problem.weights = {1, 2, 0, 0.5, 1, 3, 1, 1};
      EnumeratedCellPorts ports(problem);
      CellDual dual(terms, ports.cells, ports.truths);
      const CellBlocks blocks = random_blocks(dual, seed);
      Vector v;
      dual.compute_weights(blocks, v);
      const double value = dual.value(blocks, v, Pass(1));
      CHECK(value == Approx(ports.cells.dual(terms, blocks.theta)).epsilon(1e-12));
      std::vector<double> gaps;
      const CellGap gap = dual.find_gaps(blocks, v, Pass(1), gaps);
      CHECK(value + gap.gap == Approx(problem.primal(terms, v)).epsilon(1e-12));
      double sum = 0;
      for (const double one : gaps) {
        CHECK(one >= 0);
        sum += one;
      }
      CHECK(sum == Approx(gap.gap).epsilon(1e-12));
      CHECK(gaps[2] == 0);
      CHECK(gaps[7] == 0);
    }
  }
}

TEST_CASE("the distributions of w prove half the squared length of the gradient as a gap") {
  for (const LogLossTerms& terms : cell_terms) {
    EnumeratedExpectations problem = random_enumerated(4);
    EnumeratedCellPorts ports(problem);
    CellDual dual(terms, ports.cells, ports.truths);
    CellBlocks blocks = dual.make_blocks();
    Vector w = {0.3, -0.2, 0.1, 0.5, -0.4};
    dual.set_to_weights(w, Pass(1), blocks);
    Vector v;
    dual.compute_weights(blocks, v);
    const double value = dual.value(blocks, v, Pass(1));
    double squared_gradient = 0;
    for (std::size_t j = 0; j < w.size(); ++j) {  // by central differences
      constexpr double step = 1e-5;
      Vector right = w;
      Vector left = w;
      right[j] += step;
      left[j] -= step;
      const double slope =
          (problem.primal(terms, right) - problem.primal(terms, left)) / (2 * step);
      CHECK(w[j] - v[j] == Approx(slope).epsilon(1e-7).scale(1));
      squared_gradient += slope * slope;
    }
    CHECK(problem.primal(terms, w) - value == Approx(0.5 * squared_gradient).epsilon(1e-7));
  }
}

TEST_CASE("scores of truths move the distributions towards the truths, and are taken back") {
  EnumeratedExpectations problem = random_enumerated(5);
  EnumeratedCellPorts ports(problem);
  CellDual dual({10, 0, 0, 1}, ports.cells, ports.truths);
  CellBlocks blocks = random_blocks(dual, 2);
  const CellBlocks before = blocks;
  const Vector w(5, 0.0);
  dual.add_truths(3, w, Pass(1), blocks);
  for (std::size_t i = 0; i < blocks.size.size(); ++i) {
    const bool has_choice = blocks.size[i] > 1;
    CHECK((blocks.mu_of(i)[0] > before.mu_of(i)[0]) == has_choice);
  }
  dual.add_truths(-3, w, Pass(1), blocks);
  for (std::size_t k = 0; k < blocks.mu.size(); ++k) {
    CHECK(blocks.mu[k] == Approx(before.mu[k]).epsilon(1e-12));
  }
}
