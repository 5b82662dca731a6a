// If columns differ in magnitude, all solvers are certified within 60 passes (frank_wolfe: 200).

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/qp/class_plane.hpp"
#include "core/solver/listed_problem.hpp"
#include "core/solver/solver_settings.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// Adds the example of one table row x, with a constant column, and its class `label`.
void add_table_row(ListedProblem& problem, std::size_t classes, std::vector<double> x,
                   std::size_t label) {
  x.push_back(1);
  const Vector zero(x.size() * classes, 0.0);
  std::vector<Plane> planes(classes);
  for (std::size_t other = 0; other < classes; ++other) {
    if (other == label) continue;
    planes[other] = plane_of(class_plane(x, classes, label, other), zero, 1);
  }
  problem.examples.push_back(std::move(planes));
}

ListedProblem four_rows(double size) {
  ListedProblem problem(4);
  add_table_row(problem, 2, {size}, 0);
  add_table_row(problem, 2, {-size}, 1);
  add_table_row(problem, 2, {0.3 * size}, 0);
  add_table_row(problem, 2, {0.2 * size}, 1);
  return problem;
}

// Age, income and a flag. The class depends on all three and on noise.
ListedProblem table_of_people() {
  ListedProblem problem(8);
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 300; ++i) {
    const double age = 45 + 12 * normal(random);
    const double income = 4e4 + 1e4 * normal(random);
    const double flag = static_cast<double>(random() % 2);
    const double score = (age - 45) / 12 + (income - 4e4) / 1e4 + flag - 0.5 + normal(random);
    add_table_row(problem, 2, {std::round(age), std::round(income), flag}, score > 0 ? 0 : 1);
  }
  return problem;
}

ListedProblem three_scales() {
  ListedProblem problem(12);
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < 12; ++i) {
    add_table_row(problem, 3, {1e6 * normal(random), normal(random), 1e-6 * normal(random)}, i % 3);
  }
  return problem;
}

// Five labels that are on or off. Each depends on a column of 1e8, one of two other columns, and
// noise. Each pair of labels has one more weight for both being on, and this weight must not be
// negative.
ListedProblem sets_of_labels(unsigned seed) {
  constexpr std::size_t inputs = 3;
  constexpr unsigned labels = 5;
  constexpr std::size_t label_weights = inputs * labels;
  constexpr std::size_t dimension = label_weights + labels * (labels - 1) / 2;
  ListedProblem problem(dimension);
  problem.bounds.assign(dimension, 0);
  std::fill(problem.bounds.begin() + label_weights, problem.bounds.end(), std::uint8_t{1});
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 60; ++i) {
    const std::vector<double> x = {1e8 * normal(random), normal(random), normal(random)};
    const auto psi = [&x](unsigned set) {
      Vector sum(dimension, 0.0);
      std::size_t pair = label_weights;
      for (unsigned k = 0; k < labels; ++k) {
        const bool on = (set >> k & 1) != 0;
        for (std::size_t j = 0; on && j < inputs; ++j) sum[k * inputs + j] = x[j];
        for (unsigned l = 0; l < k; ++l, ++pair) sum[pair] = on && (set >> l & 1) != 0 ? 1 : 0;
      }
      return sum;
    };
    unsigned truth = 0;
    for (unsigned k = 0; k < labels; ++k) {
      const double score = 1e-8 * x[0] + x[1 + k % 2] + normal(random);
      truth |= score > 0 ? 1u << k : 0u;
    }
    std::vector<Plane> planes;
    for (unsigned guess = 0; guess < 1u << labels; ++guess) {
      double wrong = 0;
      for (unsigned k = 0; k < labels; ++k) wrong += (guess ^ truth) >> k & 1;
      planes.push_back(plane_of(psi(truth), psi(guess), wrong / labels));
    }
    problem.examples.push_back(std::move(planes));
  }
  return problem;
}

std::vector<Setting> solvers(int slack_norm) {
  const Formulation formulation{Rescaling::margin, slack_norm, 10};
  std::vector<Setting> list = {Setting{"n_slack", formulation, false, 64},
                               Setting{"one_slack", formulation, true, 5},
                               Setting{"frank_wolfe", formulation, false, 64}};
  list.back().frank_wolfe = FrankWolfeOptions();
  return list;
}

Result solve_to_gap(const Setting& setting, ListedProblem& problem, double gap) {
  StopOptions stop;
  stop.relative_gap = gap;
  stop.max_passes = setting.frank_wolfe ? 200 : 60;
  Recorder recorder;
  return solver_of(setting, stop)->solve(problem, recorder, {});
}

// Every solver is certified at `gap`, and all find the same primal.
void check_all(const ListedProblem& problem, double gap) {
  for (const int slack_norm : {1, 2}) {
    double first = 0;
    for (const Setting& setting : solvers(slack_norm)) {
      CAPTURE(setting.name);
      CAPTURE(slack_norm);
      ListedProblem own = problem.under(setting.formulation);
      const Result result = solve_to_gap(setting, own, gap);
      CHECK(result.certified);
      CHECK(result.reached);
      CHECK(own.primal(result.w, setting.formulation) ==
            doctest::Approx(result.primal).epsilon(1e-6));
      if (first == 0) first = result.primal;
      CHECK(result.primal == doctest::Approx(first).epsilon(2 * gap));
    }
  }
}

}  // namespace

TEST_CASE("every solver is certified on four rows with a column of any magnitude") {
  for (const double size : {1.0, 1e2, 1e4, 1e6, 1e8}) {
    CAPTURE(size);
    check_all(four_rows(size), 1e-3);
  }
  ListedProblem problem = four_rows(1e4);
  const Result result = solve_to_gap(solvers(1).front(), problem, 1e-6);
  CHECK(result.primal == doctest::Approx(3.4722).epsilon(1e-4));
  CHECK(result.dual == doctest::Approx(3.4722).epsilon(1e-4));
}

TEST_CASE("every solver is certified on a table with a raw column of incomes") {
  check_all(table_of_people(), 1e-3);
}

TEST_CASE("every solver is certified on columns of 1e6, 1 and 1e-6") {
  for (const double gap : {1e-3, 1e-6}) check_all(three_scales(), gap);
}

TEST_CASE("every solver is certified on label sets with a raw column of 1e8 and weight bounds") {
  for (unsigned seed = 2; seed < 6; ++seed) {
    CAPTURE(seed);
    check_all(sets_of_labels(seed), 1e-3);
  }
}
