// branch_and_bound agrees with the naive search. If it stops early, its bound still holds.
#include <doctest/doctest.h>

#include <cmath>

#include "random_pairs.hpp"
#include "relaxed_answers.hpp"

using namespace plugin_test;
using doctest::Approx;

namespace {

void check_exact_and_bound(const LiveComponent& solver, const sculpt_factor_graph& graph,
                           const std::vector<double>& theta) {
  const NaiveBest best = naive_best(graph, theta);
  const BoundedAnswer found = solve_bounded(solver, graph, theta);
  REQUIRE(found.has(SCULPT_ANSWER_EXACT));
  REQUIRE(found.value == Approx(best.value).epsilon(1e-9));
  REQUIRE(found.value == Approx(naive_score(graph, theta, found.output)).epsilon(1e-12));
  REQUIRE(found.bound >= found.value);
  if (best.second < best.value - 1e-7) REQUIRE(found.output == best.y);
}

}  // namespace

TEST_CASE("branch_and_bound finds the best assignment of binary pairs, attractive and repulsive") {
  Random random(59);
  const LiveComponent solver("branch_and_bound");
  for (int trial = 0; trial < 1500; ++trial) {
    RandomGraph pairs = random_pairs(random, {8, 24, trial % 5 == 0, trial % 3 == 0});
    const sculpt_factor_graph& graph = pairs.graph();
    check_exact_and_bound(solver, graph, normal_vector(random, cells(graph)));
    check_exact_and_bound(solver, graph, small_integers(random, cells(graph)));
  }
}

TEST_CASE("branch_and_bound finds the best assignment of graphs of any states and scopes") {
  Random random(67);
  const LiveComponent solver("branch_and_bound");
  for (int trial = 0; trial < 1500; ++trial) {
    RandomGraph any = random_graph(random);
    const sculpt_factor_graph& graph = any.graph();
    check_exact_and_bound(solver, graph, normal_vector(random, cells(graph)));
    check_exact_and_bound(solver, graph, small_integers(random, cells(graph)));
  }
}

TEST_CASE("branch_and_bound agrees with enumerate on 14 labels with all their pairs") {
  Random random(71);
  const LiveComponent solver("branch_and_bound");
  const LiveComponent enumerate("enumerate");
  RandomGraph pairs = all_pairs(14);
  const sculpt_factor_graph& graph = pairs.graph();
  for (int trial = 0; trial < 10; ++trial) {
    const std::vector<double> theta = normal_vector(random, cells(graph));
    const BoundedAnswer found = solve_bounded(solver, graph, theta);
    REQUIRE(found.has(SCULPT_ANSWER_EXACT));
    REQUIRE(found.output == solve(enumerate, graph, theta).output);
  }
}

TEST_CASE("branch_and_bound that stops at max_nodes is not exact, but its bound holds") {
  Random random(73);
  for (const std::int64_t most : {1, 2, 4}) {
    const LiveComponent solver("branch_and_bound", {{"max_nodes", most}});
    int stopped = 0;
    for (int trial = 0; trial < 300; ++trial) {
      RandomGraph any = trial % 2 == 0 ? random_graph(random) : all_pairs(9);
      const sculpt_factor_graph& graph = any.graph();
      const std::vector<double> theta = normal_vector(random, cells(graph));
      const double best = naive_best(graph, theta).value;
      const BoundedAnswer found = solve_bounded(solver, graph, theta);
      REQUIRE(found.value <= best + 1e-9);
      REQUIRE(found.value == Approx(naive_score(graph, theta, found.output)).epsilon(1e-12));
      REQUIRE(found.has(SCULPT_ANSWER_BOUND));
      REQUIRE(found.bound >= best - 1e-9);
      if (found.has(SCULPT_ANSWER_EXACT)) REQUIRE(found.value == Approx(best).epsilon(1e-9));
      REQUIRE(found.has(SCULPT_ANSWER_EXACT) == (found.bound <= found.value));
      stopped += found.has(SCULPT_ANSWER_EXACT) ? 0 : 1;
    }
    CHECK(stopped > 0);
  }
}

TEST_CASE("branch_and_bound whose waiting nodes exceed max_cells ends as with max_nodes") {
  Random random(81);
  sculpt::FactorGraphBuilder builder;
  for (int v = 0; v < 8; ++v) builder.add_variable(3);
  for (int u = 0; u < 8; ++u) {
    for (int v = u + 1; v < 8; ++v) builder.add_factor({u, v}, builder.add_table(9));
  }
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_PAIRWISE, 0);
  // the linear program has 24 + 28 * (9 + 6) = 444 cells; a waiting node has 28 * 6 + 24 / 8
  const LiveComponent solver("branch_and_bound", {{"max_cells", 444}});
  int stopped = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const std::vector<double> theta = normal_vector(random, cells(graph));
    const double best = naive_best(graph, theta).value;
    const BoundedAnswer found = solve_bounded(solver, graph, theta);
    REQUIRE(found.value <= best + 1e-9);
    REQUIRE(found.has(SCULPT_ANSWER_BOUND));
    REQUIRE(found.bound >= best - 1e-9);
    if (found.has(SCULPT_ANSWER_EXACT)) REQUIRE(found.value == Approx(best).epsilon(1e-9));
    stopped += found.has(SCULPT_ANSWER_EXACT) ? 0 : 1;
  }
  CHECK(stopped > 0);
  CHECK(stopped < 100);
}

TEST_CASE("branch_and_bound checks for a stop request at every node") {
  Random random(79);
  RandomGraph pairs = all_pairs(14);
  const sculpt_factor_graph& graph = pairs.graph();
  LiveComponent solver("branch_and_bound");
  solver.ask_to_stop(true);
  CHECK_THROWS_WITH(solve_bounded(solver, graph, normal_vector(random, cells(graph))), "stopped");
}

TEST_CASE("branch_and_bound reports that no output exists, and gives the empty output") {
  const LiveComponent solver("branch_and_bound");
  sculpt::FactorGraphBuilder builder;
  const BoundedAnswer empty = solve_bounded(solver, builder.graph(0, 0), {});
  CHECK(empty.output.empty());
  CHECK(empty.value == 0);
  CHECK(empty.has(SCULPT_ANSWER_EXACT));
  builder.add_variable(0);
  CHECK(solve_bounded(solver, builder.graph(0, 0), {}).flags == SCULPT_ANSWER_NO_OUTPUT);
}
