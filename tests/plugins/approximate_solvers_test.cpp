// greedy and belief_propagation on random graphs agree with their definitions, enumerate and
// viterbi.
#include <doctest/doctest.h>

#include "live_component.hpp"
#include "random_graphs.hpp"

#include <algorithm>
#include <cmath>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

// Checks that the answer has the score of its labels and is not above the maximum. Returns the
// distance to the maximum.
double check_below(const LiveComponent& solver, const LiveComponent& enumerate,
                   const sculpt_factor_graph& graph, const std::vector<double>& theta) {
  const Solution found = solve(solver, graph, theta);
  const double maximum = solve(enumerate, graph, theta).value;
  REQUIRE(found.output.size() == static_cast<std::size_t>(graph.variable_count));
  REQUIRE(found.value == Approx(naive_score(graph, theta, found.output)).epsilon(1e-12));
  REQUIRE(found.value <= maximum + 1e-12);
  return maximum - found.value;
}

// The greedy search by its definition. It tries every change of every variable and computes scores
// of whole assignments.
Outputs naive_greedy(const sculpt_factor_graph& graph, const std::vector<double>& theta,
                     Outputs y) {
  std::vector<bool> changed(y.size());
  while (true) {
    const double now = naive_score(graph, theta, y);
    double most = 0;
    std::size_t variable = 0;
    std::int32_t state = 0;
    for (std::size_t v = 0; v < y.size(); ++v) {
      for (std::int32_t k = 0; k < graph.states[v] && !changed[v]; ++k) {
        Outputs other = y;
        other[v] = k;
        const double gain = naive_score(graph, theta, other) - now;
        if (!(gain > most)) continue;
        most = gain;
        variable = v;
        state = k;
      }
    }
    if (most == 0) return y;
    changed[variable] = true;
    y[variable] = state;
  }
}

Outputs best_of_unaries(const sculpt_factor_graph& graph, const std::vector<double>& theta) {
  Outputs y;
  for (std::int64_t v = 0; v < graph.variable_count; ++v) {
    const auto from = theta.begin() + graph.table[v];
    y.push_back(static_cast<std::int32_t>(std::max_element(from, from + graph.states[v]) - from));
  }
  return y;
}

json schedule_parameters(const char* name, int most = 100) {
  return {{"schedule", name}, {"max_iterations", most}};
}

}  // namespace

TEST_CASE("greedy makes the changes of its definition, also with ties") {
  Random random(301);
  const LiveComponent from_zero("greedy");
  const LiveComponent from_unaries("greedy", {{"start", "unary"}});
  for (int trial = 0; trial < 2000; ++trial) {
    RandomGraph random_one =
        trial % 10 == 0 ? random_full_graph(random, 8, 2) : random_graph(random);
    const sculpt_factor_graph& graph = random_one.graph();
    const std::vector<double> theta = small_integers(random, cells(graph));
    const Outputs zeros(static_cast<std::size_t>(graph.variable_count), 0);
    REQUIRE(solve(from_zero, graph, theta).output == naive_greedy(graph, theta, zeros));
    REQUIRE(solve(from_unaries, graph, theta).output ==
            naive_greedy(graph, theta, best_of_unaries(graph, theta)));
  }
}

TEST_CASE("greedy is never above the maximum and sometimes below it") {
  Random random(307);
  const LiveComponent enumerate("enumerate");
  for (const char* start : {"zero", "unary"}) {
    const LiveComponent greedy("greedy", {{"start", start}});
    int missed = 0;
    for (int trial = 0; trial < 1000; ++trial) {
      RandomGraph random_one = random_graph(random);
      const sculpt_factor_graph& graph = random_one.graph();
      const std::vector<double> theta = normal_vector(random, cells(graph));
      missed += check_below(greedy, enumerate, graph, theta) > 1e-9 ? 1 : 0;
      REQUIRE(solve(greedy, graph, theta).flags == 0);
    }
    CHECK(missed > 0);
  }
}

TEST_CASE("greedy switches labels on, the one with the largest gain first") {
  // variables 1 and 2 together score more than variable 0 alone, but each of them beside it loses
  const LiveComponent greedy("greedy");
  sculpt::FactorGraphBuilder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  builder.add_factor({0, 1}, builder.add_table(4));
  builder.add_factor({2, 0}, builder.add_table(4));
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_PAIRWISE, 0);
  const Solution found = solve(greedy, graph, {0, 3, 0, 2, 0, 2, 0, 0, 0, -2.5, 0, 0, 0, -2.5});
  CHECK(found.output == Outputs{1, 0, 0});  // {0, 1, 1} has score 4
  CHECK(found.value == 3);
}

TEST_CASE("greedy leaves forbidden states if a change leads out of them") {
  const LiveComponent greedy("greedy");
  sculpt::FactorGraphBuilder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  builder.add_factor({0, 1}, builder.add_table(4));
  builder.add_factor({1, 2}, builder.add_table(4));
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_PAIRWISE, 0);
  const Solution found = solve(
      greedy, graph, {unattainable, 0, 0, 0.5, 0, 1, 0, 0, unattainable, 0, 0, unattainable, 0, 3});
  CHECK(found.output == Outputs{1, 1, 1});
  CHECK(found.value == 4.5);
}

TEST_CASE("belief_propagation is exact on graphs without cycles and sets EXACT") {
  Random random(311);
  const LiveComponent viterbi("viterbi");
  const LiveComponent sequential("belief_propagation");
  const LiveComponent parallel("belief_propagation", schedule_parameters("parallel"));
  for (int trial = 0; trial < 2000; ++trial) {
    RandomGraph random_one = random_forest(random, draw(random, 0, 12));
    const sculpt_factor_graph& graph = random_one.graph();
    for (const bool whole : {false, true}) {
      const std::vector<double> theta =
          whole ? small_integers(random, cells(graph)) : normal_vector(random, cells(graph));
      const double maximum = solve(viterbi, graph, theta).value;
      for (const LiveComponent* solver : {&sequential, &parallel}) {
        const Solution found = solve(*solver, graph, theta);
        REQUIRE(found.flags == SCULPT_ANSWER_EXACT);
        REQUIRE(found.value == Approx(maximum).epsilon(1e-12));
        REQUIRE(found.value == Approx(naive_score(graph, theta, found.output)).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE(
    "belief_propagation sets EXACT only if exact, also with scopes of three and forbidden cells") {
  Random random(313);
  const LiveComponent enumerate("enumerate");
  const LiveComponent solver("belief_propagation", {{"damping", 0.5}});
  int exact = 0;
  int open = 0;
  int missed = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    RandomGraph random_one = random_graph(random);
    const sculpt_factor_graph& graph = random_one.graph();
    std::vector<double> theta =
        trial % 2 == 0 ? small_integers(random, cells(graph)) : normal_vector(random, cells(graph));
    for (double& value : theta) {
      if (trial % 4 < 2 && draw(random, 0, 9) == 0) value = unattainable;
    }
    const Solution found = solve(solver, graph, theta);
    const double maximum = solve(enumerate, graph, theta).value;
    REQUIRE(!std::isnan(found.value));
    REQUIRE(found.value <= maximum + 1e-12);
    if (found.flags == SCULPT_ANSWER_EXACT) {
      ++exact;
      if (maximum == unattainable) {
        REQUIRE(found.value == unattainable);
      } else {
        REQUIRE(found.value == Approx(maximum).epsilon(1e-12));
      }
    } else {
      REQUIRE(found.flags == 0);
      ++open;
      missed += found.value < maximum - 1e-9 ? 1 : 0;
    }
  }
  CHECK(exact > 500);
  CHECK(open > 500);
  CHECK(missed > 0);
}

TEST_CASE("belief_propagation often reaches the maximum of full graphs, with both schedules") {
  Random random(317);
  const LiveComponent enumerate("enumerate");
  for (const char* name : {"sequential", "parallel"}) {
    const LiveComponent solver("belief_propagation", schedule_parameters(name));
    int attained = 0;
    for (int trial = 0; trial < 100; ++trial) {
      RandomGraph random_one = random_full_graph(random, 7, trial % 3);
      const sculpt_factor_graph& graph = random_one.graph();
      const std::vector<double> theta = normal_vector(random, cells(graph));
      attained += check_below(solver, enumerate, graph, theta) < 1e-9 ? 1 : 0;
    }
    CAPTURE(attained);
    CHECK(attained > 50);
  }
}

TEST_CASE("belief_propagation returns the best assignment of all its iterations") {
  Random random(331);
  int better = 0;
  for (int trial = 0; trial < 200; ++trial) {
    RandomGraph random_one = random_full_graph(random, 9, 0);
    const sculpt_factor_graph& graph = random_one.graph();
    const std::vector<double> theta = normal_vector(random, cells(graph));
    double value = unattainable;
    for (const int most : {1, 2, 5, 20}) {
      const LiveComponent solver("belief_propagation", schedule_parameters("parallel", most));
      const double found = solve(solver, graph, theta).value;
      REQUIRE(found >= value);
      better += value != unattainable && found > value ? 1 : 0;
      value = found;
    }
  }
  CHECK(better > 0);
}

TEST_CASE("belief_propagation sets no flag before its messages converge") {
  sculpt::FactorGraphBuilder builder;
  const std::int32_t length = 30;
  for (std::int32_t v = 0; v < length; ++v) builder.add_variable(2);
  const std::int64_t pair = builder.add_table(4);
  for (std::int32_t v = 1; v < length; ++v) builder.add_factor({v - 1, v}, pair);
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_FOREST, 0);
  Random random(337);
  std::vector<double> theta = normal_vector(random, cells(graph));
  // agreement scores so high that every table changes the messages at the other end
  const auto agree = theta.begin() + pair;
  agree[0] = agree[3] = 100;
  agree[1] = agree[2] = 0;
  const auto flags = [&](const char* name, int most) {
    const LiveComponent solver("belief_propagation", schedule_parameters(name, most));
    return solve(solver, graph, theta).flags;
  };
  CHECK(flags("parallel", length - 1) == 0);
  CHECK(flags("parallel", length) == SCULPT_ANSWER_EXACT);
  CHECK(flags("sequential", 2) == 0);
  CHECK(flags("sequential", 3) == SCULPT_ANSWER_EXACT);
}

TEST_CASE("belief_propagation with damping converges where it oscillates without") {
  // a frustrated ring of three: every pair scores best if it disagrees
  sculpt::FactorGraphBuilder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  const std::int64_t pair = builder.add_table(4);
  for (std::int32_t v = 0; v < 3; ++v) builder.add_factor({v, (v + 1) % 3}, pair);
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_PAIRWISE, 0);
  const std::vector<double> theta = {0.3, 0, 0, 0.1, 0.05, 0, 0, 1, 1, 0};
  const auto iterations = [&](double damping) {
    LiveComponent solver("belief_propagation", {{"damping", damping}, {"schedule", "parallel"}});
    solve(solver, graph, theta);
    return solver.polls();  // one poll for each iteration
  };
  CHECK(iterations(0) == 100);
  CHECK(iterations(0.5) < 100);
}

TEST_CASE("belief_propagation and icm stop on request") {
  Random random(341);
  RandomGraph full = random_full_graph(random, 9, 0);
  const std::vector<double> theta = normal_vector(random, cells(full.graph()));
  for (const char* name : {"belief_propagation", "icm"}) {
    LiveComponent solver(name);
    const Solution found = solve(solver, full.graph(), theta);
    solver.ask_to_stop(true);
    CHECK_THROWS_WITH(solve(solver, full.graph(), theta), "stopped");
    solver.ask_to_stop(false);
    CHECK(solve(solver, full.graph(), theta).output == found.output);
  }
}
