// Whole runs of n_slack and one_slack on toy problems, against brute force over all outputs.

#include <doctest/doctest.h>

#include <algorithm>

#include "core/problem/brute_force.hpp"
#include "core/problem/separation.hpp"
#include "solver/n_slack/n_slack.hpp"
#include "solver/one_slack/one_slack.hpp"

using namespace sculpt::core;

namespace {

class SilentListener : public Listener {
  void pass_done(const PassReport&) override {}
};

Result solve(bool uses_one_slack, const sculpt_component& oracle, const Formulation& formulation,
             double relative_gap) {
  Problem problem(toy_spec(oracle, formulation), Purpose::training, 2, {});
  ProblemPlanes source(problem, 1);
  SilentListener listener;
  if (uses_one_slack) {
    OneSlackOptions options;
    options.formulation = formulation;
    options.stop.relative_gap = relative_gap;
    return OneSlack(options).solve(source, listener, {});
  }
  NSlackOptions options;
  options.formulation = formulation;
  options.stop.relative_gap = relative_gap;
  return NSlack(options).solve(source, listener, {});
}

// P(w) by its definition; C is finite.
double primal_of(const Vector& w, const Formulation& formulation) {
  double cost = 0;
  for (const ToyExample& example : toy_plan().training) {
    const double slack = std::max(0.0, largest_violation(all_planes(example, w, formulation)));
    cost += formulation.slack_norm == 2 ? 0.5 * slack * slack : slack;
  }
  const auto n = static_cast<double>(toy_plan().training.size());
  return 0.5 * squared_norm(w) + formulation.C * cost / n;
}

}  // namespace

TEST_CASE("threads: n_slack and one_slack reach the same optimum under both rescalings and norms") {
  toy_plan() = random_toy(30, 6);
  toy_plan().offers_frontier = true;
  toy_plan().counts = {{"errors", INT64_MAX, 0, 0}};
  for (const Rescaling rescaling : {Rescaling::margin, Rescaling::slack}) {
    for (const int norm : {1, 2}) {
      CAPTURE(static_cast<int>(rescaling));
      CAPTURE(norm);
      const Formulation formulation{rescaling, norm, 10};
      std::vector<double> dual;
      for (const sculpt_component* oracle : {&toy_oracle(), &toy_map_solver()}) {
        for (const bool uses_one_slack : {false, true}) {
          CAPTURE(uses_one_slack);
          const Result result = solve(uses_one_slack, *oracle, formulation, 1e-6);
          CHECK(result.reached);
          CHECK(result.certified);
          CHECK(result.primal == doctest::Approx(primal_of(result.w, formulation)).epsilon(1e-10));
          dual.push_back(result.dual);
          CHECK(result.primal >= *std::max_element(dual.begin(), dual.end()));
          CHECK(result.dual == doctest::Approx(dual.front()).epsilon(2e-6));
        }
      }
      CHECK(dual.front() > 1);
    }
  }
}

TEST_CASE(
    "threads: inseparable examples are named by their numbers in the dataset, not in the split") {
  // Emissions alone separate all examples of the split but 7 and 9, which contradict each other.
  // 0 and 1 contradict each other too, and so do 2 and 3. They are in no split.
  toy_plan() = {};
  toy_plan().training = {{{0}, {1}}, {{0}, {2}}, {{3}, {2}}, {{3}, {0}},       {{0}, {0}},
                         {{1}, {1}}, {{2}, {2}}, {{3}, {0}}, {{0, 1}, {0, 1}}, {{3}, {1}}};
  toy_plan().training_begin = 4;
  toy_plan().offers_frontier = true;
  toy_plan().counts = {{"errors", INT64_MAX, 0, 0}};
  for (const Rescaling rescaling : {Rescaling::margin, Rescaling::slack}) {
    for (const bool uses_one_slack : {false, true}) {
      CAPTURE(uses_one_slack);
      const Refusal refusal = refusal_of([&] {
        solve(uses_one_slack, toy_oracle(), {rescaling, 1, infinity}, 1e-3);
      });
      CHECK(refusal.exit == Exit::data);
      CHECK(refusal.says("chains: examples 7, 9: contradict each other: no weights"));
    }
  }
  toy_plan().training.pop_back();  // 7 alone can be separated
  CHECK(solve(false, toy_oracle(), {Rescaling::margin, 1, infinity}, 1e-3).certified);
}
