// Data files are often sorted by class. n_slack needs about as many passes for them as for random
// order.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "core/qp/class_plane.hpp"
#include "core/solver/listed_problem.hpp"
#include "core/solver/outcome.hpp"
#include "solver/n_slack/n_slack.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr std::size_t classes = 6;
constexpr std::size_t columns = 9;  // without the constant column

// 900 rows around the means of their classes. The classes overlap.
ListedProblem rows_of_classes(unsigned seed, bool sorted) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> means(classes, std::vector<double>(columns));
  for (auto& mean : means) {
    for (double& value : mean) value = normal(random);
  }
  std::vector<std::pair<std::size_t, std::vector<double>>> rows;
  for (std::size_t i = 0; i < 900; ++i) {
    const std::size_t label = random() % classes;
    std::vector<double> x = means[label];
    for (double& value : x) value += 1.5 * normal(random);
    x.push_back(1);
    rows.emplace_back(label, std::move(x));
  }
  if (sorted) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
  }
  ListedProblem problem(static_cast<std::int64_t>(classes * (columns + 1)));
  const Vector zero(classes * (columns + 1), 0.0);
  for (const auto& [label, x] : rows) {
    std::vector<Plane> planes(classes);
    for (std::size_t other = 0; other < classes; ++other) {
      if (other != label) planes[other] = plane_of(class_plane(x, classes, label, other), zero, 1);
    }
    problem.examples.push_back(std::move(planes));
  }
  return problem;
}

std::int64_t passes_needed(unsigned seed, bool sorted) {
  ListedProblem problem = rows_of_classes(seed, sorted);
  NSlackOptions options;
  options.formulation.C = 900;
  options.stop.relative_gap = 1e-3;
  NSlack solver(options);
  KeptCheckpoints checkpoints;
  const Outcome outcome = run(solver, problem, checkpoints);
  CHECK(outcome.result.certified);
  return outcome.result.passes;
}

}  // namespace

TEST_CASE("n_slack needs about as many passes for rows sorted by class as for random order") {
  std::int64_t sorted = 0;
  std::int64_t mixed = 0;
  for (unsigned seed = 0; seed < 5; ++seed) {
    sorted += passes_needed(seed, true);
    mixed += passes_needed(seed, false);
  }
  CHECK(sorted <= mixed + 5);
}
