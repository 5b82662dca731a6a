// The best multiple of w, compared with all others, and its use in an unfinished QP with a large
// price of slack.

#include "qp/working_set/weight_scaling.hpp"

#include <doctest/doctest.h>

#include <random>

#include "core/qp/restricted_values.hpp"
#include "qp/qp_solver.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// Most planes are satisfied by a multiple of one w, and more of them the larger the dimension is.
void fill_separable(WorkingSet& working_set, unsigned seed, std::size_t planes) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Vector truth(working_set.w().dense().size());
  for (double& weight : truth) weight = normal(random);
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    for (std::size_t p = 1; p <= planes; ++p) {
      Vector a(truth.size());
      for (std::size_t j = 0; j < a.size(); ++j) a[j] = normal(random) + 0.5 * truth[j];
      working_set.add(i, PlaneVector(a), 1 + static_cast<double>(p % 3), p);
    }
  }
}

}  // namespace

TEST_CASE("weight scaling: no other multiple of w has a smaller primal") {
  for (const SlackTerm& term : {SlackTerm::linear(0.01), SlackTerm::linear(1),
                                SlackTerm::linear(1e6), SlackTerm::squared(1)}) {
    CAPTURE(term.cap);
    WorkingSet working_set(20, 10, term);
    fill_separable(working_set, 3, 4);
    QpSolver qp_solver(working_set);
    QpRequest request;
    request.max_sweeps = 2;
    qp_solver.solve(request);
    WeightScaling scaling;
    scaling.clear();
    std::vector<double> score;
    for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
      working_set.score(i, score);
      scaling.add_block(working_set.block(i), term, score);
    }
    const double squared = working_set.squared_norm();
    scaling.find_factor(term, squared, working_set.largest_b());
    const double factor = scaling.factor();
    const double least = 0.5 * factor * factor * squared + scaling.slack_cost();
    CHECK(least == doctest::Approx(primal_at(working_set, times(factor, working_set.w().dense()))));
    for (double other = 0; other < 4; other += 0.001) {
      CHECK(least <= primal_at(working_set, times(other, working_set.w().dense())) * (1 + 1e-10));
    }
  }
}

TEST_CASE("weight scaling: a longer w removes slacks if their price is large") {
  WorkingSet working_set(60, 80, SlackTerm::linear(1e8));
  fill_separable(working_set, 4, 5);
  QpSolver qp_solver(working_set);
  QpRequest request;
  request.tolerance = 1e-3;
  request.max_sweeps = 40;
  qp_solver.solve(request);
  const double dual = working_set.dual();
  const double at_w = primal_at(working_set, working_set.w().dense()) - dual;
  const Vector point = evaluation_point_of(qp_solver);
  CHECK(qp_solver.restricted_gap() == doctest::Approx(primal_at(working_set, point) - dual));
  CHECK(qp_solver.restricted_gap() < 0.01 * dual);
  CHECK(at_w > dual);
}

TEST_CASE("weight scaling: the factor is 1 if the QP cannot avoid slacks") {
  WorkingSet working_set(60, 5, SlackTerm::linear(0.1));
  fill_separable(working_set, 5, 5);
  QpSolver qp_solver(working_set);
  QpRequest request;
  request.max_sweeps = 3;
  qp_solver.solve(request);
  CHECK(qp_solver.weight_scale() == 1);
  CHECK(qp_solver.restricted_gap() ==
        doctest::Approx(primal_at(working_set, working_set.w().dense()) - working_set.dual()));
}
