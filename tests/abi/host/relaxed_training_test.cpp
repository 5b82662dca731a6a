// Training with relaxed answers: solvers with a dual certify P over the relaxed outputs.

#include <doctest/doctest.h>

#include "core/refusal.hpp"
#include "problem/sources/problem_planes.hpp"
#include "relaxed_bag.hpp"
#include "solver/catalogue/solver_list.hpp"
#include "stub_problem.hpp"

namespace sculpt::core {
namespace {

constexpr double C = 3;

// P over the relaxed outputs of the bag, by brute force.
double primal_over_relaxed(Problem& problem, const Vector& w) {
  double slack = 0;
  for (std::int64_t example = 0; example < 3; ++example) {
    const sculpt_labels truth = problem.dataset().truth(example);
    const std::vector<std::int32_t> y(truth.data, truth.data + truth.size);
    const double score_of_truth = stub::score(problem, example, y, w, 0);
    slack += std::max(0.0, stub::best_relaxed(problem, example, w).value - score_of_truth);
  }
  return 0.5 * squared_norm(w) + C * slack / 3;
}

Result train(Problem& problem, const std::string& solver, const std::string& keys) {
  const SolverDescriptor& kind = *find_solver(solver);
  const CheckedParameters parameters(kind.parameters, stub::json(keys), kind.name);
  ProblemPlanes source(problem, 1);
  Listener listener;
  return kind.create(parameters.values())->solve(source, listener, [] { return false; });
}

const std::string keys = R"({"C": 3, "relative_gap": 1e-7})";

TEST_CASE("solvers with a dual certify P over the relaxed outputs") {
  for (const char* solver : {"n_slack", "one_slack", "frank_wolfe"}) {
    CAPTURE(solver);
    const auto problem = stub::problem(stub::bag, stub::items, 1);
    REQUIRE(problem->oracle().relaxes());
    const Result result = train(*problem, solver, keys);
    CHECK(result.certified);
    CHECK(result.primal == doctest::Approx(primal_over_relaxed(*problem, result.w)).epsilon(1e-9));
    CHECK(result.gap >= 0);
    CHECK(result.relative_gap <= 1e-7);
    CHECK(result.answers.fractional_count > 0);
  }
}

TEST_CASE("solvers with a dual reach the same P over the relaxed outputs") {
  const auto problem = stub::problem(stub::bag, stub::items, 1);
  const double first = train(*problem, "n_slack", keys).primal;
  for (const char* solver : {"one_slack", "frank_wolfe"}) {
    CHECK(train(*problem, solver, keys).primal == doctest::Approx(first).epsilon(1e-6));
  }
  const std::string squared = R"({"C": 3, "relative_gap": 1e-7, "slack_norm": 2})";
  const double second = train(*problem, "n_slack", squared).primal;
  CHECK(train(*problem, "one_slack", squared).primal == doctest::Approx(second).epsilon(1e-6));
}

TEST_CASE("perceptron and subgradient can use relaxed answers") {
  const auto problem = stub::problem(stub::bag, stub::items, 1);
  const double best = train(*problem, "n_slack", keys).primal;
  const Result result =
      train(*problem, "subgradient", R"({"C": 3, "max_passes": 4000, "evaluate_every": 4000})");
  CHECK(result.primal == doctest::Approx(primal_over_relaxed(*problem, result.w)).epsilon(1e-9));
  CHECK(result.primal >= best * (1 - 1e-7));
  CHECK(result.primal <= best * 1.05);
  CHECK(train(*problem, "perceptron", R"({"max_passes": 3})").passes > 0);
}

TEST_CASE("slack rescaling with relaxed answers is refused at bind") {
  Formulation slack;
  slack.rescaling = Rescaling::slack;
  const Refusal refusal = refusal_of([&] { stub::problem(stub::bag, stub::items, 1, slack); });
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.says("bag gives relaxed answers, which need \"rescaling\": \"margin\""));
}

}  // namespace
}  // namespace sculpt::core
