// viterbi on chains, and enumerate and icm on random graphs, agree with the naive search. Also what
// holds for every map_solver.
#include <doctest/doctest.h>

#include "live_component.hpp"
#include "random_graphs.hpp"

using namespace plugin_test;
using doctest::Approx;

namespace {

// Checks that the answer has the largest value, and the best output if no other has nearly its
// score.
void check_exact(const LiveComponent& solver, const sculpt_factor_graph& graph,
                 const std::vector<double>& theta) {
  const NaiveBest best = naive_best(graph, theta);
  const Solution found = solve(solver, graph, theta);
  REQUIRE(found.flags == SCULPT_ANSWER_EXACT);
  REQUIRE(found.output.size() == static_cast<std::size_t>(graph.variable_count));
  REQUIRE(found.value == Approx(best.value).epsilon(1e-12));
  REQUIRE(found.value == Approx(naive_score(graph, theta, found.output)).epsilon(1e-12));
  if (best.second < best.value - 1e-9) REQUIRE(found.output == best.y);
}

// Requires whole numbers: their sums and ties are exact, and the rule for ties decides the output.
void check_ties(const LiveComponent& solver, const sculpt_factor_graph& graph,
                const std::vector<double>& theta) {
  const NaiveBest best = naive_best(graph, theta);
  const Solution found = solve(solver, graph, theta);
  REQUIRE(found.value == best.value);
  REQUIRE(found.output == best.y);
}

void check_best_of_chains(bool shared, bool gaps) {
  Random random(7);
  const LiveComponent viterbi("viterbi");
  for (int trial = 0; trial < 1500; ++trial) {
    RandomGraph chain = random_chain(random, draw(random, 0, 6), shared, gaps);
    const sculpt_factor_graph& graph = chain.graph();
    check_exact(viterbi, graph, normal_vector(random, cells(graph)));
    check_ties(viterbi, graph, small_integers(random, cells(graph)));
  }
}

}  // namespace

TEST_CASE("viterbi finds the best assignment of random chains, also with ties") {
  check_best_of_chains(false, false);
}
TEST_CASE("viterbi finds the best assignment if all pairs share one table") {
  check_best_of_chains(true, false);
}
TEST_CASE("viterbi finds the best assignment if some neighbours are not joined") {
  check_best_of_chains(false, true);
}

TEST_CASE("viterbi refuses a graph that is falsely declared a chain") {
  const LiveComponent viterbi("viterbi");
  sculpt::FactorGraphBuilder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  builder.add_factor({0, 2}, builder.add_table(4));
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_CHAIN, 0);
  CHECK_THROWS_WITH(solve(viterbi, graph, std::vector<double>(10)),
                    "factor 3 does not join two neighbours, or repeats another factor, but the "
                    "graph is declared as a chain");
}

TEST_CASE("viterbi gives no states with potentials of minus infinity") {
  const LiveComponent viterbi("viterbi");
  sculpt::FactorGraphBuilder builder;
  builder.add_variable(2);
  builder.add_variable(2);
  builder.add_factor({0, 1}, builder.add_table(4));
  const double never = -std::numeric_limits<double>::infinity();
  const Solution found =
      solve(viterbi, builder.graph(SCULPT_GRAPH_CHAIN, 0), {5, 0, 0, 0, never, never, never, 1});
  CHECK(found.output == Outputs{1, 1});
  CHECK(found.value == 1);
}

TEST_CASE("enumerate finds the best assignment of random graphs with scopes up to three") {
  Random random(11);
  const LiveComponent enumerate("enumerate");
  for (int trial = 0; trial < 1500; ++trial) {
    RandomGraph random_one = random_graph(random);
    const sculpt_factor_graph& graph = random_one.graph();
    check_exact(enumerate, graph, normal_vector(random, cells(graph)));
    check_ties(enumerate, graph, small_integers(random, cells(graph)));
  }
}

TEST_CASE("enumerate finds the best assignment if the variables fill many blocks") {
  Random random(12);
  const LiveComponent enumerate("enumerate");
  for (int trial = 0; trial < 60; ++trial) {
    RandomGraph random_one = random_full_graph(random, draw(random, 10, 13), draw(random, 0, 5));
    const sculpt_factor_graph& graph = random_one.graph();
    check_exact(enumerate, graph, normal_vector(random, cells(graph)));
    check_ties(enumerate, graph, small_integers(random, cells(graph)));
  }
}

TEST_CASE("enumerate finds the best assignment if one variable alone exceeds a block") {
  Random random(14);
  const LiveComponent enumerate("enumerate");
  for (const std::int32_t first : {1, 3, 1500}) {
    sculpt::FactorGraphBuilder builder;
    builder.add_variable(first);
    builder.add_variable(1500);
    builder.add_variable(2);
    builder.add_factor({2, 0}, builder.add_table(2 * first));
    builder.add_factor({1, 2}, builder.add_table(3000));
    const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_PAIRWISE, 0);
    const LiveComponent patient("enumerate", {{"max_states", 10000000}});
    if (first < 1500) check_exact(enumerate, graph, normal_vector(random, cells(graph)));
    check_ties(first < 1500 ? enumerate : patient, graph, small_integers(random, cells(graph)));
  }
}

TEST_CASE("enumerate accepts potentials of minus infinity, even for all assignments") {
  const LiveComponent enumerate("enumerate");
  sculpt::FactorGraphBuilder builder;
  builder.add_variable(2);
  builder.add_variable(2);
  builder.add_factor({0, 1}, builder.add_table(4));
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_PAIRWISE, 0);
  const double never = -std::numeric_limits<double>::infinity();
  const Solution found = solve(enumerate, graph, {5, 0, 0, 0, never, never, never, 1});
  CHECK(found.output == Outputs{1, 1});
  CHECK(found.value == 1);
  const Solution none = solve(enumerate, graph, {5, 0, 0, 1, never, never, never, never});
  CHECK(none.output == Outputs{0, 0});
  CHECK(none.value == never);
}

TEST_CASE("enumerate checks for a stop request during the search") {
  LiveComponent enumerate("enumerate");
  Random random(15);
  RandomGraph full = random_full_graph(random, 18, 0);
  const std::vector<double> theta = normal_vector(random, cells(full.graph()));
  solve(enumerate, full.graph(), theta);
  CHECK(enumerate.polls() == 4);  // once in 65536 assignments of 2^18
  enumerate.ask_to_stop(true);
  try {
    solve(enumerate, full.graph(), theta);
    FAIL("went on");
  } catch (const CallFailed& failure) {
    CHECK(failure.status() == SCULPT_E_CANCELLED);
  }
}

TEST_CASE("enumerate refuses graphs above max_states with their number of assignments") {
  sculpt::FactorGraphBuilder builder;
  for (int v = 0; v < 4; ++v) builder.add_variable(3);
  const sculpt_factor_graph& graph = builder.graph(0, 0);
  const std::vector<double> theta(cells(graph));
  CHECK_THROWS_WITH(solve(LiveComponent("enumerate", {{"max_states", 80}}), graph, theta),
                    "this graph has 81 assignments, more than max_states = 80; use another "
                    "map_solver, or raise max_states, which takes longer");
  CHECK(solve(LiveComponent("enumerate", {{"max_states", 81}}), graph, theta).output ==
        Outputs{0, 0, 0, 0});
}

TEST_CASE("icm gives a local maximum with its score and no flag") {
  Random random(13);
  const LiveComponent icm("icm");
  int missed = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    RandomGraph random_one = random_graph(random);
    const sculpt_factor_graph& graph = random_one.graph();
    const std::vector<double> theta = normal_vector(random, cells(graph));
    const NaiveBest best = naive_best(graph, theta);
    const Solution found = solve(icm, graph, theta);
    REQUIRE(found.flags == 0);
    REQUIRE(found.value == Approx(naive_score(graph, theta, found.output)).epsilon(1e-12));
    REQUIRE(found.value <= best.value + 1e-12);
    missed += found.value < best.value - 1e-9 ? 1 : 0;
    Outputs changed = found.output;
    for (std::size_t v = 0; v < changed.size(); ++v) {
      for (changed[v] = 0; changed[v] < graph.states[v]; ++changed[v]) {
        REQUIRE(naive_score(graph, theta, changed) <= found.value + 1e-9);
      }
      changed[v] = found.output[v];
    }
  }
  CHECK(missed > 0);  // else the graphs are so easy that an exact solver would look the same
}

TEST_CASE("icm with more restarts is never worse and sometimes better") {
  Random random(17);
  const LiveComponent once("icm");
  const LiveComponent often("icm", {{"restarts", 20}});
  int better = 0;
  for (int trial = 0; trial < 300; ++trial) {
    RandomGraph random_one = random_graph(random);
    const sculpt_factor_graph& graph = random_one.graph();
    const std::vector<double> theta = normal_vector(random, cells(graph));
    const double value = solve(once, graph, theta).value;
    const Solution found = solve(often, graph, theta, 5);
    REQUIRE(found.value >= value);
    REQUIRE(solve(often, graph, theta, 5).output == found.output);
    better += found.value > value + 1e-9 ? 1 : 0;
  }
  CHECK(better > 0);
}

TEST_CASE("icm restarts from assignments that the seed draws") {
  Random random(61);
  const LiveComponent icm("icm", {{"restarts", 1}});
  int different = 0;
  for (int trial = 0; trial < 300; ++trial) {
    RandomGraph random_one = random_graph(random);
    const sculpt_factor_graph& graph = random_one.graph();
    const std::vector<double> theta = normal_vector(random, cells(graph));
    different += solve(icm, graph, theta, 1).output != solve(icm, graph, theta, 2).output ? 1 : 0;
  }
  CHECK(different > 0);
}

TEST_CASE("icm stops after max_sweeps") {
  // A pair (1, 1) scores, and so does label 1 of the last variable. A sweep goes from the first to
  // the last variable, so it moves the border between 0 and 1 by one variable.
  sculpt::FactorGraphBuilder builder;
  const std::int32_t length = 5;
  for (std::int32_t v = 0; v < length; ++v) builder.add_variable(2);
  const std::int64_t pair = builder.add_table(4);
  for (std::int32_t v = 1; v < length; ++v) builder.add_factor({v - 1, v}, pair);
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_CHAIN, 0);
  std::vector<double> theta(cells(graph));
  theta[2 * (length - 1) + 1] = 1;
  theta[static_cast<std::size_t>(pair) + 3] = 1;
  CHECK(solve(LiveComponent("icm", {{"max_sweeps", 1}}), graph, theta).output ==
        Outputs{0, 0, 0, 1, 1});
  CHECK(solve(LiveComponent("icm", {{"max_sweeps", 2}}), graph, theta).output ==
        Outputs{0, 0, 1, 1, 1});
  CHECK(solve(LiveComponent("icm"), graph, theta).output == Outputs{1, 1, 1, 1, 1});
}

TEST_CASE("every map_solver sets NO_OUTPUT if a variable has no state") {
  sculpt::FactorGraphBuilder builder;
  builder.add_variable(2);
  builder.add_variable(0);
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_CHAIN, 0);
  for (const char* name : {"viterbi", "enumerate", "icm", "greedy", "belief_propagation"}) {
    CHECK(solve(LiveComponent(name), graph, {1, 2}).flags == SCULPT_ANSWER_NO_OUTPUT);
  }
}

TEST_CASE("every map_solver gives the empty output of a graph without variables") {
  sculpt::FactorGraphBuilder builder;
  for (const char* name : {"viterbi", "enumerate", "icm", "greedy", "belief_propagation"}) {
    const Solution found = solve(LiveComponent(name), builder.graph(SCULPT_GRAPH_CHAIN, 0), {});
    CHECK(found.output.empty());
    CHECK(found.value == 0);
  }
}
