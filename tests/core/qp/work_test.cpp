// The work of the QP, in plane entries touched, for rows with a raw column. Ascent and Newton steps
// together need at most three times the expected work of Newton steps. Without Newton steps, ascent
// would need work that grows with the condition number of the planes.

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

constexpr std::size_t row_length = 6;  // the last one is constant
constexpr std::size_t class_count = 4;
constexpr std::size_t weight_count = row_length * class_count;
constexpr std::int64_t rows = 120;

// A plane that can be added to the working set.
struct Candidate {
  Vector a;
  double b = 0;
};

// [rows][class_count - 1] The first column of the rows is `size` times as long as the others.
std::vector<std::vector<Candidate>> candidates_of(unsigned seed, double size) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Vector> truth(class_count, Vector(row_length));
  for (Vector& weights : truth) {
    for (double& weight : weights) weight = normal(random);
  }
  std::vector<std::vector<Candidate>> candidates(static_cast<std::size_t>(rows));
  for (auto& planes : candidates) {
    std::vector<double> x(row_length, 1.0);
    for (std::size_t j = 0; j + 1 < row_length; ++j) x[j] = 0.5 + normal(random);
    Vector score;
    for (const Vector& weights : truth) {
      double sum = normal(random);
      for (std::size_t j = 0; j < row_length; ++j) sum += weights[j] * x[j];
      score.push_back(sum);
    }
    x[0] *= size;
    const auto label =
        static_cast<std::size_t>(std::max_element(score.begin(), score.end()) - score.begin());
    for (std::size_t other = 0; other < class_count; ++other) {
      if (other == label) continue;
      planes.push_back({class_plane(x, class_count, label, other), 1});
    }
  }
  return candidates;
}

struct WorkOfPass {
  double work = 0;      // of the QP
  double expected = 0;  // of Newton steps for the same QP
};

// Cutting planes as in n_slack: each pass adds the most violated plane of each row, then solves the
// QP to a part of the gap.
std::vector<WorkOfPass> run_passes(unsigned seed, double size, const SlackTerm& term) {
  const auto candidates = candidates_of(seed, size);
  WorkingSet working_set(rows, static_cast<std::int64_t>(weight_count), term);
  QpSolver qp_solver(working_set);
  std::vector<WorkOfPass> passes;
  for (int number = 0; number < 30; ++number) {
    const Vector point = evaluation_point_of(qp_solver);
    double primal = 0;
    for (const double w : point) primal += 0.5 * w * w;
    for (std::int64_t i = 0; i < rows; ++i) {
      const auto& planes = candidates[static_cast<std::size_t>(i)];
      double max_slack = 0;
      std::size_t best = planes.size();
      for (std::size_t p = 0; p < planes.size(); ++p) {
        double slack = planes[p].b;
        for (std::size_t j = 0; j < weight_count; ++j) slack -= planes[p].a[j] * point[j];
        if (slack > max_slack) best = p;
        max_slack = std::max(max_slack, slack);
      }
      primal += term.cost_increase(0, max_slack);
      if (best == planes.size()) continue;
      working_set.add(i, PlaneVector(planes[best].a), planes[best].b, best + 1);
    }
    const double gap = primal - working_set.dual();
    if (gap <= 1e-3 * primal) return passes;
    QpRequest request;
    request.tolerance = 0.4 * gap;
    request.max_sweeps = 1000;
    CHECK(qp_solver.solve(request) == QpEnd::tolerance);
    passes.push_back({qp_solver.work(), InteriorPoint(working_set, nullptr).expected_work()});
  }
  FAIL_CHECK("not certified within 30 passes");
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

// The work of Newton steps on a QP over all candidates. Before these steps the QP is solved to a
// gap of 1 % of the cost of a slack of 1 in each row. Then `idle_planes` more planes are added to
// each row, and the w of the QP satisfies them by far.
NewtonWork newton_work(const SlackTerm& term, double size, std::uint64_t idle_planes) {
  const auto candidates = candidates_of(7, size);
  WorkingSet working_set(rows, static_cast<std::int64_t>(weight_count), term);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    for (std::size_t p = 0; p < candidates[i].size(); ++p) {
      working_set.add(static_cast<std::int64_t>(i), PlaneVector(candidates[i][p].a), 1, p + 1);
    }
  }
  QpSolver qp_solver(working_set);
  QpRequest request;
  request.tolerance = 0.01 * term.cost_increase(0, 1) * static_cast<double>(rows);
  request.max_sweeps = 1000;
  CHECK(qp_solver.solve(request) == QpEnd::tolerance);
  const Vector point = evaluation_point_of(qp_solver);
  const double norm = squared_norm(point);
  const std::size_t entries = working_set.entry_count();
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::uint64_t idle = 0; idle < idle_planes; ++idle) {
      Vector a(weight_count);
      for (double& value : a) value = normal(random);
      double missing = 10;  // to <w, a> = 10
      for (std::size_t j = 0; j < weight_count; ++j) missing -= a[j] * point[j];
      for (std::size_t j = 0; j < weight_count; ++j) a[j] += missing * point[j] / norm;
      working_set.add(i, PlaneVector(a), 1, 100 + idle);
    }
  }
  const double gap = qp_solver.restricted_gap();
  InteriorPoint interior(working_set, nullptr);
  CHECK(interior.ascend(entries_of(point), gap, {1e-6 * working_set.dual(), 0, {}}) ==
        InteriorPoint::End::tolerance);
  return {interior.work(), static_cast<double>(working_set.entry_count() - entries)};
}

}  // namespace

TEST_CASE("the QP of a pass needs at most three times the expected work of Newton steps") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    for (const SlackTerm& term : {SlackTerm::linear(0.5), SlackTerm::squared(0.5)}) {
      for (const double size : {1.0, 1e2, 1e4, 1e6, 1e8}) {
        CAPTURE(seed);
        CAPTURE(term.ridge);
        CAPTURE(size);
        for (const WorkOfPass& pass : run_passes(seed, size, term)) {
          CHECK(pass.work <= 3 * pass.expected);
        }
      }
    }
  }
}

TEST_CASE("a column of 1e4, 1e6 or 1e8 needs at most three times the work of one of 1e2") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    for (const SlackTerm& term : {SlackTerm::linear(0.5), SlackTerm::squared(0.5)}) {
      const double least = total_work(run_passes(seed, 1e2, term));
      for (const double size : {1e4, 1e6, 1e8}) {
        CAPTURE(seed);
        CAPTURE(term.ridge);
        CAPTURE(size);
        CHECK(total_work(run_passes(seed, size, term)) <= 3 * least);
      }
    }
  }
}

TEST_CASE("Newton steps read idle planes at most 6 times, not in every step") {
  for (const SlackTerm& term : {SlackTerm::linear(0.5), SlackTerm::squared(0.5)}) {
    for (const double size : {1.0, 1e4, 1e8}) {
      CAPTURE(term.ridge);
      CAPTURE(size);
      const NewtonWork without = newton_work(term, size, 0);
      const NewtonWork with_idle = newton_work(term, size, 20);
      CHECK(with_idle.idle_entries == 20 * rows * weight_count);
      CHECK(with_idle.work - without.work <= 6 * with_idle.idle_entries);
      CHECK(with_idle.work >= without.work);
    }
  }
}
