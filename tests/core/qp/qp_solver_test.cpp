// The QP with linear slacks, compared with enumeration and with projected gradient.

#include "qp/qp_solver.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>

#include "core/qp/random_blocks.hpp"
#include "core/solver/projected_gradient.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// The largest dual over the stationary points of all supports, if feasible. This is the optimum: an
// optimal alpha with the fewest planes is the only stationary point of its support.
double optimum_by_enumeration(const Blocks& blocks, std::size_t dimension, double cap) {
  std::vector<std::size_t> owner;
  Eigen::MatrixXd a(dimension, 0);
  std::vector<double> b;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (std::size_t p = 0; p <= blocks[i].size(); ++p) {  // the last one is the zero plane
      a.conservativeResize(Eigen::NoChange, a.cols() + 1);
      a.col(a.cols() - 1).setZero();
      owner.push_back(i);
      b.push_back(p < blocks[i].size() ? blocks[i][p].b : 0);
      if (p == blocks[i].size()) continue;
      const SparseVector& sparse = blocks[i][p].a;
      for (std::size_t k = 0; k < sparse.index.size(); ++k) {
        a(sparse.index[k], a.cols() - 1) = sparse.value[k];
      }
    }
  }
  double best = -HUGE_VAL;
  const auto block_count = static_cast<Eigen::Index>(blocks.size());
  for (unsigned mask = 1; mask < 1u << owner.size(); ++mask) {
    std::vector<std::size_t> support;
    for (std::size_t v = 0; v < owner.size(); ++v) {
      if ((mask >> v & 1) != 0) support.push_back(v);
    }
    const auto size = static_cast<Eigen::Index>(support.size());
    Eigen::MatrixXd system = Eigen::MatrixXd::Zero(size + block_count, size + block_count);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(size + block_count);
    right.tail(block_count).setConstant(cap);
    for (Eigen::Index r = 0; r < size; ++r) {
      const std::size_t p = support[static_cast<std::size_t>(r)];
      const auto constraint = size + static_cast<Eigen::Index>(owner[p]);
      for (Eigen::Index s = 0; s < size; ++s) {
        const auto q = static_cast<Eigen::Index>(support[static_cast<std::size_t>(s)]);
        system(r, s) = a.col(static_cast<Eigen::Index>(p)).dot(a.col(q));
      }
      system(r, constraint) = system(constraint, r) = 1;
      right(r) = b[p];
    }
    const Eigen::VectorXd solution = system.completeOrthogonalDecomposition().solve(right);
    if ((system * solution - right).norm() > 1e-8) continue;
    if (size > 0 && solution.head(size).minCoeff() < -1e-10) continue;
    double dual = 0;
    Eigen::VectorXd w = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(dimension));
    for (Eigen::Index r = 0; r < size; ++r) {
      const std::size_t p = support[static_cast<std::size_t>(r)];
      dual += solution(r) * b[p];
      w += solution(r) * a.col(static_cast<Eigen::Index>(p));
    }
    best = std::max(best, dual - 0.5 * w.squaredNorm());
  }
  return best;
}

void check_feasible(const WorkingSet& working_set) {
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    const Block& block = working_set.block(i);
    double sum = 0;
    for (const double alpha : block.alpha) {
      CHECK(alpha >= 0);
      sum += alpha;
    }
    CHECK(sum == doctest::Approx(working_set.slack_term().cap).epsilon(1e-12));
  }
}

}  // namespace

TEST_CASE("the QP agrees with enumeration of all supports") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const std::size_t dimension = 1 + seed % 4;
    const Blocks blocks = random_blocks(seed, 1 + seed % 3, seed % 3 == 2 ? 2 : 4, dimension);
    const double cap = seed % 2 == 0 ? 0.3 : 4;
    CAPTURE(seed);
    const double expected = optimum_by_enumeration(blocks, dimension, cap);
    for (const bool dense : {false, true}) {
      WorkingSet working_set(static_cast<std::int64_t>(blocks.size()),
                             static_cast<std::int64_t>(dimension), SlackTerm::linear(cap));
      fill(working_set, blocks, dense);
      QpSolver qp_solver(working_set);
      const QpEnd end = qp_solver.solve({});
      CHECK((end == QpEnd::tolerance || end == QpEnd::rounding));
      CHECK(working_set.dual() == doctest::Approx(expected).epsilon(1e-10));
      CHECK(qp_solver.restricted_gap() <= 1e-10 * (1 + expected));
      check_feasible(working_set);
    }
  }
}

TEST_CASE("the QP agrees with projected gradient on small problems") {
  for (unsigned seed = 100; seed < 112; ++seed) {
    CAPTURE(seed);
    const Blocks blocks = random_blocks(seed, 1 + seed % 12, 8, 6);
    const double cap = 0.05 + 0.1 * (seed % 5);
    const ReferenceSolution reference = solve_by_projected_gradient(blocks, 6, cap);
    REQUIRE(reference.primal - reference.dual <= 2e-8 * (1 + std::abs(reference.primal)));
    WorkingSet working_set(static_cast<std::int64_t>(blocks.size()), 6, SlackTerm::linear(cap));
    fill(working_set, blocks);
    QpSolver qp_solver(working_set);
    qp_solver.solve({});
    CHECK(working_set.dual() == doctest::Approx(reference.dual).epsilon(3e-8));
    for (std::size_t k = 0; k < 6; ++k) {
      CHECK(working_set.w().dense()[k] == doctest::Approx(reference.w[k]).epsilon(1e-3));
    }
  }
}

TEST_CASE("a plane with a = 0 and the largest b gets all alpha of the cap") {
  WorkingSet working_set(1, 2, SlackTerm::linear(3.0));
  REQUIRE(working_set.add(0, PlaneVector(SparseVector{}), 0.5, 1));
  REQUIRE(working_set.add(0, PlaneVector(SparseVector{}), 2.0, 2));
  QpSolver qp_solver(working_set);
  CHECK(qp_solver.solve({}) == QpEnd::tolerance);
  CHECK(working_set.dual() == 6.0);
  CHECK(working_set.block(0).alpha == std::vector<double>{0, 0, 3});
  CHECK(qp_solver.slack().front() == 2.0);
}

TEST_CASE("the restricted gap is P - D over the planes of the working set") {
  const Blocks blocks = random_blocks(5, 7, 6, 5);
  WorkingSet working_set(7, 5, SlackTerm::linear(0.4));
  fill(working_set, blocks);
  QpSolver qp_solver(working_set);
  QpRequest request;
  request.tolerance = 0.05;
  CHECK(qp_solver.solve(request) == QpEnd::tolerance);
  CHECK(qp_solver.restricted_gap() <= 0.05);
  double primal = 0.5 * working_set.squared_norm();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    double slack = 0;
    for (const Plane& added : blocks[i]) {
      slack = std::max(slack, added.b - PlaneVector(added.a).dot(working_set.w().dense()));
    }
    CHECK(qp_solver.slack()[i] == doctest::Approx(slack));
    primal += 0.4 * slack;
  }
  CHECK(primal - working_set.dual() == doctest::Approx(qp_solver.restricted_gap()));
}

TEST_CASE("a block adds the plane of an output only once, recognized by the hash") {
  WorkingSet working_set(2, 3, SlackTerm::linear(1.0));
  CHECK(working_set.add(0, PlaneVector(SparseVector{{0}, {1}}), 1, 42));
  CHECK_FALSE(working_set.add(0, PlaneVector(SparseVector{{0}, {1}}), 1, 42));
  CHECK(working_set.add(1, PlaneVector(SparseVector{{0}, {1}}), 1, 42));
  // Hash 0 is also that of the zero plane.
  CHECK(working_set.add(0, PlaneVector(SparseVector{{1}, {1}}), 1, 0));
  CHECK(working_set.plane_count() == 3);
}

TEST_CASE("dropping idle planes keeps the dual, the optimum and the Gram matrix") {
  const Blocks blocks = random_blocks(21, 1, 30, 4);
  WorkingSet working_set(1, 4, SlackTerm::linear(2.0));
  fill(working_set, blocks);
  QpSolver qp_solver(working_set);
  qp_solver.solve({});
  const double dual = working_set.dual();
  const std::int64_t planes = working_set.plane_count();
  const std::int64_t active = working_set.active_count();
  REQUIRE(active < planes);
  working_set.age();
  working_set.drop_from_age(2);
  CHECK(working_set.plane_count() == planes);
  working_set.age();
  working_set.drop_from_age(2);
  CHECK(working_set.plane_count() == active);
  const Block& block = working_set.block(0);
  Vector dense(4, 0.0);
  std::size_t entries = 0;
  REQUIRE(block.gram.size() == block.size());
  for (std::size_t p = 0; p < block.size(); ++p) {
    entries += block.a[p].entry_count();
    block.a[p].scatter(dense);
    for (std::size_t q = 0; q < block.size(); ++q) {
      CHECK(block.gram[p][q] == block.a[q].dot(dense));
    }
    block.a[p].unscatter(dense);
  }
  CHECK(working_set.entry_count() == entries);
  qp_solver.solve({});
  CHECK(working_set.dual() == doctest::Approx(dual).epsilon(1e-12));
}

TEST_CASE("a QP that a limit of work or a stop request ends has a feasible alpha and its w") {
  const Blocks blocks = random_blocks(33, 40, 10, 5);
  for (const bool stop : {false, true}) {
    WorkingSet working_set(40, 5, SlackTerm::linear(0.5));
    fill(working_set, blocks);
    QpSolver qp_solver(working_set);
    QpRequest request;
    int polls = 0;
    if (stop) {
      request.stop = [&] { return ++polls == 3; };
    } else {
      request.max_sweeps = 1;
    }
    CHECK(qp_solver.solve(request) == (stop ? QpEnd::interrupted : QpEnd::work));
    check_feasible(working_set);
    Vector w(5, 0.0);
    double dual = 0;
    for (std::int64_t i = 0; i < 40; ++i) {
      const Block& block = working_set.block(i);
      for (std::size_t p = 0; p < block.size(); ++p) {
        block.a[p].add_to(block.alpha[p], w);
        dual += block.alpha[p] * block.b[p];
      }
    }
    for (std::size_t k = 0; k < 5; ++k) {
      CHECK(working_set.w().dense()[k] == doctest::Approx(w[k]));
      dual -= 0.5 * w[k] * w[k];
    }
    CHECK(working_set.dual() == doctest::Approx(dual));
  }
}
