// The statistics of the data that the memory of a run is estimated from.

#include "command/data/memory_estimate.hpp"

#include <doctest/doctest.h>

#include "core/problem/weighted_plan.hpp"
#include "solver/n_slack/n_slack.hpp"

using namespace sculpt::core;

namespace {

ProblemStatistics statistics_of_plan() {
  Problem problem(toy_spec(toy_oracle(), Formulation()), Purpose::training, 1, {});
  return statistics_of(problem, columns_of_data(problem));
}

double bytes_of(const ProblemStatistics& statistics) {
  return NSlack(NSlackOptions()).expected_bytes(statistics);
}

}  // namespace

TEST_CASE("examples of weight 0 take no memory for planes, and are in no mean") {
  toy_plan() = weighted_toy(std::vector<double>(900, 2), 3);
  ToyPlan third = toy_plan();
  const ProblemStatistics all = statistics_of_plan();
  // Two of three examples get weight 0, and an output that is much longer than the others.
  for (std::size_t i = 0; i < 900; ++i) {
    if (i % 3 == 0) continue;
    toy_plan().weights[i] = 0;
    toy_plan().training[i].observations.assign(50, 1);
    toy_plan().training[i].truth.assign(50, 2);
  }
  const ProblemStatistics some = statistics_of_plan();
  third.training.clear();
  third.weights.assign(300, 2);
  for (std::size_t i = 0; i < 900; i += 3) third.training.push_back(toy_plan().training[i]);
  toy_plan() = third;
  const ProblemStatistics only = statistics_of_plan();
  CHECK(all.examples == 900);
  CHECK(some.examples == 300);
  CHECK(some.labels == only.labels);
  CHECK(some.psi_bytes == only.psi_bytes);
  CHECK(bytes_of(some) == doctest::Approx(bytes_of(only)));
  CHECK(bytes_of(some) < 0.5 * bytes_of(all));
}
