// If C is so large that slacks nearly vanish, the optimum is that of hard margin. All solvers reach
// it within 100 passes.

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "core/solver/listed_problem.hpp"
#include "core/solver/solver_settings.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr std::size_t inputs = 30;
constexpr std::size_t separable_classes = 4;

// The class of a row is the one of the largest linear score, so some w separates all rows.
ListedProblem separable_rows() {
  ListedProblem problem(inputs * separable_classes);
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  Vector truth(inputs * separable_classes);
  for (double& weight : truth) weight = normal(random);
  for (int row = 0; row < 120; ++row) {
    Vector x(inputs);
    for (double& value : x) value = normal(random);
    std::vector<Vector> psi(separable_classes, Vector(truth.size(), 0.0));
    std::vector<double> score;
    for (std::size_t k = 0; k < separable_classes; ++k) {
      for (std::size_t j = 0; j < inputs; ++j) psi[k][k * inputs + j] = x[j];
      score.push_back(dot(psi[k], truth));
    }
    const auto label =
        static_cast<std::size_t>(std::max_element(score.begin(), score.end()) - score.begin());
    std::vector<Plane> planes;
    for (std::size_t k = 0; k < separable_classes; ++k) {
      planes.push_back(plane_of(psi[label], psi[k], k == label ? 0 : 1));
    }
    problem.examples.push_back(std::move(planes));
  }
  return problem;
}

Result solve_separable_rows(Setting setting, double C) {
  setting.formulation = {Rescaling::margin, 1, C};
  ListedProblem problem = separable_rows().under(setting.formulation);
  StopOptions stop;
  stop.max_passes = 1000;
  stop.max_oracle_calls = 200'000;
  Recorder recorder;
  return solver_of(setting, stop)->solve(problem, recorder, {});
}

}  // namespace

TEST_CASE("with a C of 1e6 and more all solvers reach the optimum of hard margin in 100 passes") {
  const Setting n_slack{"n_slack", {}, false, 16};
  const Setting one_slack{"one_slack", {}, true, 5};
  Setting frank_wolfe{"frank_wolfe", {}, false, 16};
  frank_wolfe.frank_wolfe = FrankWolfeOptions();
  for (const Setting& setting : {n_slack, one_slack, frank_wolfe}) {
    CAPTURE(setting.name);
    const Result hard = solve_separable_rows(setting.frank_wolfe ? n_slack : setting, infinity);
    REQUIRE(hard.certified);
    for (const double C : {1e6, 1e8, 1e10}) {
      CAPTURE(C);
      const Result result = solve_separable_rows(setting, C);
      CHECK(result.certified);
      CHECK(result.reached);
      CHECK(result.primal == doctest::Approx(hard.primal).epsilon(2e-3));
      CHECK(result.passes <= 100);
    }
  }
}
