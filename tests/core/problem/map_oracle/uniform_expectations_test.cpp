// Expectations at w = 0 without a call of the map_solver, against those that it computes.

#include "problem/map_oracle/uniform_expectations.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/problem/expectation_problem.hpp"
#include "core/refusal.hpp"
#include "objective/moment_system.hpp"

namespace sculpt::core {
namespace {

const std::vector<std::int64_t> both = {0, 1};

template <class Values>
void check_close(const Values& x, const Values& y) {
  REQUIRE(x.size() == y.size());
  for (std::size_t j = 0; j < x.size(); ++j) CHECK(std::abs(x[j] - y[j]) <= 1e-12);
}

// No call of the map_solver passes.
void refuse_map_solver() {
  toy_plan().inject_error = [](const std::string& function, std::int64_t) {
    return function.starts_with("map_solver.") ? SCULPT_E_INVALID : SCULPT_OK;
  };
}

}  // namespace

TEST_CASE("uniform expectations are those of the map_solver at w = 0, without a call of it") {
  for (const bool guard : {false, true}) {
    CAPTURE(guard);
    plan_expectations();
    ExpectationProblem problem(toy_map_solver(), guard);
    REQUIRE(problem.ports().uniform_expectations != nullptr);
    ExpectationSource& uniform = *problem.ports().uniform_expectations;
    CHECK_FALSE(uniform.asks_oracle());
    CHECK(problem.source().asks_oracle());
    const MeanExpectation mean = problem.mean();
    const Vector zero = zero_weights();
    Vector v = zero;
    for (std::size_t j = 0; j < v.size(); ++j) v[j] = std::sin(static_cast<double>(j) + 1);
    Vector covariance;
    problem.source().covariance_times(zero, v, 1, covariance);
    const Vector first = problem.truth_deviation_of(0);

    refuse_map_solver();
    MeanExpectation found;
    uniform.compute_mean_expectation(zero, 1, found);
    CHECK(found.is_exact);
    check_close(found.log_z, mean.log_z);
    check_close(found.mean, mean.mean);
    Vector product;
    uniform.require_covariances(zero, 1);
    uniform.covariance_times(zero, v, 1, product);
    check_close(product, covariance);
    std::vector<TruthDeviation> deviations;
    uniform.compute_truth_deviations(zero, both, 1, deviations);
    Vector b = zero;
    deviations.front().b.add_to(1, b);
    check_close(b, first);
    toy_plan() = {};
  }
}

TEST_CASE("uniform expectations need no probabilities of the map_solver, other ones do") {
  plan_expectations();
  toy_plan().offers_expectations = false;
  ExpectationProblem problem(toy_map_solver());
  CHECK(problem.ports().obstacle_to(Port::uniform_expectations).empty());
  CHECK(problem.obstacle() == "search offers no probabilities (sculpt.map-expectation/1)");
  const auto uniform = problem.ports().source_of_uniform_expectations();
  CHECK(&source_of_moments({true, 0, 0, 0}, problem.ports()) == uniform);
  toy_plan() = {};
}

TEST_CASE("the moments of a loss are those of the oracle") {
  plan_expectations();
  ExpectationProblem problem(toy_map_solver());
  const MomentTerms terms{true, 0, 0, 0.5};
  CHECK(&source_of_moments(terms, problem.ports()) == &problem.source());
  toy_plan() = {};
}

TEST_CASE("without pairwise graphs the expectations at w = 0 are those of the oracle") {
  plan_expectations();
  toy_plan().promised_classes = SCULPT_GRAPH_ORDER_TWO;
  toy_plan().solver_demands = {SCULPT_GRAPH_ORDER_TWO};
  {
    ExpectationProblem problem(toy_map_solver());
    CHECK(problem.ports().uniform_expectations == nullptr);
    CHECK(problem.ports().source_of_uniform_expectations() == &problem.source());
  }
  toy_plan().offers_expectations = false;
  ExpectationProblem problem(toy_map_solver());
  CHECK(problem.ports().obstacle_to(Port::uniform_expectations) ==
        "search offers no probabilities (sculpt.map-expectation/1)");
  toy_plan() = {};
}

TEST_CASE("oracles have no uniform expectations of their own") {
  plan_expectations();
  ExpectationProblem problem(toy_oracle());
  CHECK(problem.ports().uniform_expectations == nullptr);
  CHECK(problem.ports().source_of_uniform_expectations() == &problem.source());
  toy_plan() = {};
}

TEST_CASE("a factor of three variables is refused if the features promise pairwise graphs") {
  plan_expectations();
  toy_plan().change_graph = [](std::int64_t example, ToyPlan::Graph& graph) {
    if (example != 0) return;
    graph.scope.insert(graph.scope.end(), {0, 1, 2});
    graph.scope_from.push_back(static_cast<std::int64_t>(graph.scope.size()));
    graph.table.push_back(graph.theta_size);
    graph.theta_size += 27;
  };
  ExpectationProblem problem(toy_map_solver());
  const Refusal refusal = refusal_of([&] {
    MeanExpectation out;
    problem.ports().uniform_expectations->compute_mean_expectation(zero_weights(), 1, out);
  });
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.text ==
        "counts: example 0: promises pairwise graphs, but factor 5 has 3 variables");
  toy_plan() = {};
}

}  // namespace sculpt::core
