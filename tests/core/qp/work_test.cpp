// The work of the QP, counted in plane entries touched, in passes of cutting planes over rows with
// a raw column. What ascent takes before Newton steps, and these, is bounded by what they are
// expected to take; without them ascent takes as much as the condition number of the planes asks
// for.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/qp/class_plane.hpp"
#include "core/qp/restricted_values.hpp"
#include "linalg/products.hpp"
#include "qp/interior/interior_point.hpp"
#include "qp/qp_solver.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr std::size_t inputs = 6;  // the last is a bias
constexpr std::size_t classes = 4;
constexpr std::size_t dimension = inputs * classes;
constexpr std::int64_t rows = 120;

// A plane that may join the working set.
struct Candidate {
  Vector a;
  double b = 0;
};

// [rows][classes - 1] of rows in which the first column is `size` times as long as the others.
std::vector<std::vector<Candidate>> candidates_of(unsigned seed, double size) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Vector> truth(classes, Vector(inputs));
  for (Vector& weights : truth) {
    for (double& weight : weights) weight = normal(random);
  }
  std::vector<std::vector<Candidate>> candidates(static_cast<std::size_t>(rows));
  for (auto& own : candidates) {
    std::vector<double> x(inputs, 1.0);
    for (std::size_t j = 0; j + 1 < inputs; ++j) x[j] = 0.5 + normal(random);
    Vector score;
    for (const Vector& weights : truth) {
      double sum = normal(random);
      for (std::size_t j = 0; j < inputs; ++j) sum += weights[j] * x[j];
      score.push_back(sum);
    }
    x[0] *= size;
    const auto label =
        static_cast<std::size_t>(std::max_element(score.begin(), score.end()) - score.begin());
    for (std::size_t other = 0; other < classes; ++other) {
      if (other == label) continue;
      own.push_back({class_plane(x, classes, label, other), 1});
    }
  }
  return candidates;
}

struct WorkOfPass {
  double work = 0;      // of the QP
  double expected = 0;  // of Newton steps for it
};

// As n_slack goes: the most violated plane of each row, and the QP to a part of the gap.
std::vector<WorkOfPass> passes_over(unsigned seed, double size, const SlackTerm& term) {
  const auto candidates = candidates_of(seed, size);
  WorkingSet working_set(rows, static_cast<std::int64_t>(dimension), term);
  QpSolver qp_solver(working_set);
  std::vector<WorkOfPass> passes;
  for (int number = 0; number < 30; ++number) {
    const Vector place = place_of(qp_solver);
    double primal = 0;
    for (const double w : place) primal += 0.5 * w * w;
    for (std::int64_t i = 0; i < rows; ++i) {
      const auto& own = candidates[static_cast<std::size_t>(i)];
      double most = 0;
      std::size_t best = own.size();
      for (std::size_t p = 0; p < own.size(); ++p) {
        double slack = own[p].b;
        for (std::size_t j = 0; j < dimension; ++j) slack -= own[p].a[j] * place[j];
        if (slack > most) best = p;
        most = std::max(most, slack);
      }
      primal += term.rise(0, most);
      if (best < own.size()) working_set.add(i, PlaneVector(own[best].a), own[best].b, best + 1);
    }
    const double gap = primal - working_set.dual();
    if (gap <= 1e-3 * primal) return passes;
    QpRequest request;
    request.tolerance = 0.4 * gap;
    request.max_sweeps = 1000;
    CHECK(qp_solver.solve(request) == QpEnd::tolerance);
    passes.push_back({qp_solver.work(), InteriorPoint(working_set, nullptr).expected_work()});
  }
  FAIL_CHECK("not certified in so many passes");
  return passes;
}

double total_work(const std::vector<WorkOfPass>& passes) {
  double total = 0;
  for (const WorkOfPass& pass : passes) total += pass.work;
  return total;
}

struct NewtonWork {
  double work = 0;
  double idle_entries = 0;
};

// Of Newton steps, from where all candidates are optimized to a hundredth of the price of a slack
// of 1 in each row; then `copies` more planes a row have joined, which hold there with room to
// spare.
NewtonWork newton_work(const SlackTerm& term, double size, std::uint64_t copies) {
  const auto candidates = candidates_of(7, size);
  WorkingSet working_set(rows, static_cast<std::int64_t>(dimension), term);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    for (std::size_t p = 0; p < candidates[i].size(); ++p) {
      working_set.add(static_cast<std::int64_t>(i), PlaneVector(candidates[i][p].a), 1, p + 1);
    }
  }
  QpSolver qp_solver(working_set);
  QpRequest request;
  request.tolerance = 0.01 * term.rise(0, 1) * static_cast<double>(rows);
  request.max_sweeps = 1000;
  CHECK(qp_solver.solve(request) == QpEnd::tolerance);
  const Vector place = place_of(qp_solver);
  const double norm = squared_norm(place);
  const std::size_t entries = working_set.entry_count();
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::uint64_t copy = 0; copy < copies; ++copy) {
      Vector a(dimension);
      for (double& value : a) value = normal(random);
      double lack = 10;  // of <w, a>
      for (std::size_t j = 0; j < dimension; ++j) lack -= a[j] * place[j];
      for (std::size_t j = 0; j < dimension; ++j) a[j] += lack * place[j] / norm;
      working_set.add(i, PlaneVector(a), 1, 100 + copy);
    }
  }
  const double gap = qp_solver.restricted_gap();
  InteriorPoint interior(working_set, nullptr);
  CHECK(interior.ascend(entries_of(place), gap, {1e-6 * working_set.dual(), 0, {}}) ==
        InteriorPoint::End::tolerance);
  return {interior.work(), static_cast<double>(working_set.entry_count() - entries)};
}

}  // namespace

TEST_CASE("the QP of a pass takes at most three times what Newton steps are expected to take") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    for (const SlackTerm& term : {SlackTerm::linear(0.5), SlackTerm::squared(0.5)}) {
      for (const double size : {1.0, 1e2, 1e4, 1e6, 1e8}) {
        CAPTURE(seed);
        CAPTURE(term.ridge);
        CAPTURE(size);
        for (const WorkOfPass& pass : passes_over(seed, size, term)) {
          CHECK(pass.work <= 3 * pass.expected);
        }
      }
    }
  }
}

TEST_CASE("columns of 1e4, 1e6 and 1e8 take at most three times the work of one of 1e2") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    for (const SlackTerm& term : {SlackTerm::linear(0.5), SlackTerm::squared(0.5)}) {
      const double least = total_work(passes_over(seed, 1e2, term));
      for (const double size : {1e4, 1e6, 1e8}) {
        CAPTURE(seed);
        CAPTURE(term.ridge);
        CAPTURE(size);
        CHECK(total_work(passes_over(seed, size, term)) <= 3 * least);
      }
    }
  }
}

TEST_CASE("Newton steps walk over idle planes a few times in all, not in every step") {
  for (const SlackTerm& term : {SlackTerm::linear(0.5), SlackTerm::squared(0.5)}) {
    for (const double size : {1.0, 1e4, 1e8}) {
      CAPTURE(term.ridge);
      CAPTURE(size);
      const NewtonWork alone = newton_work(term, size, 0);
      const NewtonWork beside = newton_work(term, size, 20);
      CHECK(beside.idle_entries == 20 * rows * dimension);
      CHECK(beside.work - alone.work <= 6 * beside.idle_entries);
      CHECK(beside.work >= alone.work);
    }
  }
}
