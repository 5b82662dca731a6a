// viterbi on forests: its argmax agrees with the naive search and enumerate, its frontier with that
// of enumerate and with that on chains.
#include <doctest/doctest.h>

#include "count_calls.hpp"
#include "random_counting.hpp"

#include <algorithm>

using namespace plugin_test;
using doctest::Approx;

namespace {

constexpr std::uint32_t forest = SCULPT_GRAPH_FOREST | SCULPT_GRAPH_PAIRWISE;

// Requires whole numbers, so that ties are exact.
void check_as_enumerate(const LiveComponent& viterbi, const LiveComponent& enumerate,
                        const sculpt_factor_graph& graph, const std::vector<double>& theta) {
  const Solution found = solve(viterbi, graph, theta);
  const Solution other = solve(enumerate, graph, theta);
  REQUIRE(found.flags == SCULPT_ANSWER_EXACT);
  REQUIRE(found.value == other.value);
  REQUIRE(found.output == other.output);
}

// Checks that all scores of the two frontiers agree. The outputs of viterbi have these counts and
// scores.
void check_same_frontier(const LiveComponent& viterbi, const LiveComponent& enumerate,
                         const sculpt_factor_graph& graph, const std::vector<double>& theta,
                         const Counting& counting) {
  const SolverFrontier found(viterbi, graph, theta, counting.tables, counting.limits);
  const SolverFrontier other(enumerate, graph, theta, counting.tables, counting.limits);
  // the sizes are upper bounds on the counts; a smaller size means unattainable entries beyond it
  for (std::int64_t a = 0; a < std::max(found.size(0), other.size(0)); ++a) {
    for (std::int64_t b = 0; b < std::max(found.size(1), other.size(1)); ++b) {
      const auto entry = [a, b](const SolverFrontier& frontier) {
        if (a >= frontier.size(0) || b >= frontier.size(1)) return unattainable;
        return frontier.slice(a)[static_cast<std::size_t>(b)];
      };
      const double score = entry(found);
      if (score == unattainable) {
        REQUIRE(entry(other) == unattainable);
        continue;
      }
      REQUIRE(score == Approx(entry(other)).epsilon(1e-12));
      const Outputs y = found.output({a, b});
      REQUIRE(naive_counts(graph, counting.tables, counting.limits, y) == Counts{a, b});
      REQUIRE(naive_score(graph, theta, y) == Approx(score).epsilon(1e-12));
      REQUIRE(found.output({a, b}) == y);
    }
  }
}

}  // namespace

TEST_CASE("viterbi agrees with enumerate on random forests, also with ties") {
  Random random(211);
  const LiveComponent viterbi("viterbi");
  const LiveComponent enumerate("enumerate");
  for (int trial = 0; trial < 3000; ++trial) {
    RandomGraph random_one = random_forest(random, draw(random, 0, 8));
    const sculpt_factor_graph& graph = random_one.graph();
    check_as_enumerate(viterbi, enumerate, graph, small_integers(random, cells(graph)));
    const std::vector<double> theta = normal_vector(random, cells(graph));
    const NaiveBest best = naive_best(graph, theta);
    const Solution found = solve(viterbi, graph, theta);
    REQUIRE(found.value == Approx(best.value).epsilon(1e-12));
    REQUIRE(found.value == Approx(naive_score(graph, theta, found.output)).epsilon(1e-12));
    if (best.second < best.value - 1e-9) REQUIRE(found.output == best.y);
  }
}

TEST_CASE("viterbi breaks ties by the smallest label of the last variables, also in a tree") {
  // variable 0 is joined with 1 and 2
  const LiveComponent viterbi("viterbi");
  sculpt::FactorGraphBuilder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  builder.add_factor({0, 2}, builder.add_table(4));
  builder.add_factor({1, 0}, builder.add_table(4));
  const sculpt_factor_graph& graph = builder.graph(forest, 0);
  // label 2 is free; labels 0 and 1 must differ. Ties: the smallest label 2, then the smallest 1.
  CHECK(solve(viterbi, graph, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0}).output ==
        Outputs{1, 0, 0});
}

TEST_CASE("viterbi gives no forbidden labels of forests") {
  Random random(223);
  const LiveComponent viterbi("viterbi");
  int attained = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    RandomGraph random_one = random_forest(random, draw(random, 1, 6));
    const sculpt_factor_graph& graph = random_one.graph();
    std::vector<double> theta = small_integers(random, cells(graph));
    for (double& value : theta) {
      if (draw(random, 0, 5) == 0) value = unattainable;
    }
    const NaiveBest best = naive_best(graph, theta);
    const Solution found = solve(viterbi, graph, theta);
    const double value = std::max(best.value, unattainable);
    REQUIRE(found.value == value);
    if (value == unattainable) continue;
    ++attained;
    REQUIRE(found.output == best.y);
  }
  CHECK(attained > 100);
}

TEST_CASE("viterbi solves a tree of a hundred thousand variables") {
  const LiveComponent viterbi("viterbi");
  sculpt::FactorGraphBuilder builder;
  const std::int32_t length = 100000;
  for (std::int32_t v = 0; v < length; ++v) builder.add_variable(2);
  const std::int64_t pair = builder.add_table(4);
  for (std::int32_t v = 1; v < length; ++v) builder.add_factor({v, v - 1}, pair);
  const sculpt_factor_graph& graph = builder.graph(forest, 0);
  std::vector<double> theta(cells(graph));
  theta[1] = 1;
  theta[static_cast<std::size_t>(pair)] = theta[static_cast<std::size_t>(pair) + 3] = 2;
  CHECK(solve(viterbi, graph, theta).value == 2 * (length - 1) + 1);
  theta[1] = 0;  // all 0 and all 1 tie
  CHECK(solve(viterbi, graph, theta).output == Outputs(static_cast<std::size_t>(length), 0));
}

TEST_CASE("viterbi refuses a graph that is falsely declared a forest and names the factor") {
  const LiveComponent viterbi("viterbi");
  const auto solve_with = [&](const std::vector<std::vector<std::int32_t>>& scopes) {
    sculpt::FactorGraphBuilder builder;
    for (int v = 0; v < 4; ++v) builder.add_variable(2);
    const std::int64_t table = builder.add_table(8);
    for (const auto& scope : scopes) builder.add_factor(scope, table);
    const sculpt_factor_graph& graph = builder.graph(forest, 0);
    return solve(viterbi, graph, std::vector<double>(cells(graph))).output;
  };
  CHECK_THROWS_WITH(solve_with({{0, 1}, {2, 3}, {1, 0}}),
                    "factor 6 closes a cycle, but the graph is declared as a forest");
  CHECK_THROWS_WITH(solve_with({{3, 1}, {2, 3}, {1, 2}, {0, 1}}),
                    "factor 6 closes a cycle, but the graph is declared as a forest");
  CHECK_THROWS_WITH(solve_with({{0, 1}, {1, 2, 3}}),
                    "factor 5 joins 3 variables, but the graph is declared as pairwise");
  CHECK(solve_with({{0, 1}, {1, 2}, {3, 1}, {1}, {}}) == Outputs{0, 0, 0, 0});
}

TEST_CASE("the frontier of viterbi on forests agrees with that of enumerate") {
  Random random(227);
  const LiveComponent viterbi("viterbi");
  const LiveComponent enumerate("enumerate");
  for (int trial = 0; trial < 1500; ++trial) {
    RandomGraph random_one = random_forest(random, draw(random, 0, 6));
    const sculpt_factor_graph& graph = random_one.graph();
    const Counting counting = random_counting(random, graph, draw(random, 0, 1) == 0);
    check_same_frontier(viterbi, enumerate, graph, normal_vector(random, cells(graph)), counting);
    std::vector<double> theta = small_integers(random, cells(graph));
    check_same_frontier(viterbi, enumerate, graph, theta, counting);
    for (double& value : theta) {
      if (draw(random, 0, 5) == 0) value = unattainable;
    }
    check_same_frontier(viterbi, enumerate, graph, theta, counting);
  }
}

TEST_CASE("the frontiers of viterbi for chains and for forests agree on a chain") {
  Random random(229);
  const LiveComponent viterbi("viterbi");
  for (int trial = 0; trial < 300; ++trial) {
    RandomGraph chain = random_chain(random, draw(random, 0, 12), false, true);
    const std::vector<double> theta = normal_vector(random, cells(chain.graph()));
    const Counting counting = random_counting(random, chain.graph(), false);
    std::vector<std::vector<double>> slices;
    const SolverFrontier of_chain(viterbi, chain.graph(), theta, counting.tables, counting.limits);
    for (std::int64_t a = 0; a < of_chain.size(0); ++a) slices.push_back(of_chain.slice(a));
    chain.classes = forest;
    const SolverFrontier of_tree(viterbi, chain.graph(), theta, counting.tables, counting.limits);
    REQUIRE(of_tree.size(0) == of_chain.size(0));
    for (std::int64_t a = 0; a < of_tree.size(0); ++a) {
      const std::vector<double> slice = of_tree.slice(a);
      const std::vector<double>& other = slices[static_cast<std::size_t>(a)];
      REQUIRE(slice.size() == other.size());
      for (std::size_t b = 0; b < slice.size(); ++b) {
        if (other[b] == unattainable) {
          REQUIRE(slice[b] == unattainable);
        } else {
          REQUIRE(slice[b] == Approx(other[b]).epsilon(1e-12));
        }
      }
    }
  }
}

TEST_CASE("the frontier of a forest above max_cells is refused before memory is allocated") {
  const LiveComponent small("viterbi", {{"max_cells", 42}});
  const LiveComponent enough("viterbi", {{"max_cells", 43}});
  sculpt::FactorGraphBuilder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  builder.add_factor({2, 0}, builder.add_table(4));
  builder.add_factor({2, 1}, builder.add_table(4));
  const sculpt_factor_graph& graph = builder.graph(forest, 0);
  CountTables errors = {std::vector<std::int32_t>(cells(graph))};
  for (std::size_t v = 0; v < 3; ++v) errors[0][2 * v + 1] = 1;
  const std::vector<double> theta(cells(graph));
  // cells, with e + 1 numbers for up to e errors:
  //   3 variables: 3 x 2 labels x 2, and 1 above the root
  //   messages of the leaves: 2 x 2 labels x 2
  //   the root with one child: 2 labels x 3; with both children: 2 labels x 4
  //   the message of the root: 4; the frontier: 4
  const SolverFrontier frontier(enough, graph, theta, errors, {unlimited});
  CHECK(frontier.size(0) == 4);
  CHECK(frontier.slice(3) == std::vector<double>{0});
  try {
    const SolverFrontier refused(small, graph, theta, errors, {unlimited});
    FAIL("accepted");
  } catch (const CallFailed& failure) {
    CHECK(failure.status() == SCULPT_E_UNSUPPORTED);
    CHECK(std::string(failure.what()).find("max_cells = 42") != std::string::npos);
  }
  errors[0].assign(cells(graph), 2000000000);
  const CountTables huge = {errors[0], errors[0]};
  CHECK_THROWS_WITH_AS(SolverFrontier(enough, graph, theta, huge, {unlimited, unlimited}),
                       doctest::Contains("more than max_cells = 43"), CallFailed);
  errors[0][3] = -2;
  CHECK_THROWS_WITH(SolverFrontier(enough, graph, theta, errors, {unlimited}),
                    "a cell of the graph adds -2 to a count; counts are never negative");
}

TEST_CASE(
    "a stop request ends a slice of the frontier of a forest, and the next call completes it") {
  LiveComponent viterbi("viterbi");
  sculpt::FactorGraphBuilder builder;
  const std::int32_t leaves = 2000;
  for (std::int32_t v = 0; v <= leaves; ++v) builder.add_variable(3);
  for (std::int32_t v = 0; v < leaves; ++v) builder.add_factor({v, leaves}, builder.add_table(9));
  const sculpt_factor_graph& graph = builder.graph(forest, 0);
  CountTables errors = {std::vector<std::int32_t>(cells(graph))};
  for (std::size_t v = 0; v <= leaves; ++v) errors[0][3 * v + 1] = 1;
  const std::vector<double> theta(cells(graph));
  const SolverFrontier frontier(viterbi, graph, theta, errors, {unlimited});
  viterbi.ask_to_stop(true);
  try {
    frontier.slice(0);
    FAIL("went on");
  } catch (const CallFailed& failure) {
    CHECK(failure.status() == SCULPT_E_CANCELLED);
  }
  CHECK(viterbi.polls() == 1);
  viterbi.ask_to_stop(false);
  CHECK(frontier.slice(leaves + 1) == std::vector<double>{0});
}
