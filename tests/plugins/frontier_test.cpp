// The frontiers of viterbi and enumerate agree with the naive search, entry by entry.
#include <doctest/doctest.h>

#include "count_calls.hpp"
#include "random_counting.hpp"

#include <cmath>

using namespace plugin_test;
using doctest::Approx;

namespace {

// Checks the score of every entry, and that its output has these counts and this score. `exact`:
// theta holds whole numbers, so ties are exact and the rule for ties decides the output.
void check_entries(const LiveComponent& solver, const sculpt_factor_graph& graph,
                   const std::vector<double>& theta, const Counting& counting, bool exact) {
  const auto naive = naive_frontier(graph, theta, counting.tables, counting.limits);
  const SolverFrontier frontier(solver, graph, theta, counting.tables, counting.limits);
  REQUIRE(frontier.flags() == 0);
  REQUIRE(frontier.size(0) > naive.rbegin()->first[0]);
  if (counting.tables.size() == 1) REQUIRE(frontier.size(1) == 1);
  std::size_t attained = 0;
  for (std::int64_t first = 0; first < frontier.size(0); ++first) {
    const std::vector<double> slice = frontier.slice(first);
    for (std::int64_t second = 0; second < frontier.size(1); ++second) {
      const double score = slice[static_cast<std::size_t>(second)];
      const auto found = naive.find({first, second});
      if (found == naive.end()) {
        REQUIRE(score == unattainable);
        continue;
      }
      ++attained;
      const NaiveBest& best = found->second;
      if (exact) {
        REQUIRE(score == best.value);
      } else {
        REQUIRE(score == Approx(best.value).epsilon(1e-12));
      }
      if (best.value == unattainable) continue;
      const Outputs y = frontier.output({first, second});
      REQUIRE(naive_counts(graph, counting.tables, counting.limits, y) == found->first);
      REQUIRE(naive_score(graph, theta, y) == Approx(best.value).epsilon(1e-12));
      if (exact || best.second < best.value - 1e-9) REQUIRE(y == best.y);
    }
  }
  REQUIRE(attained == naive.size());
}

void check_frontiers_of_chains(bool shared, bool gaps, bool unary_only) {
  Random random(101);
  const LiveComponent viterbi("viterbi");
  for (int trial = 0; trial < 1000; ++trial) {
    RandomGraph chain = random_chain(random, draw(random, 0, 5), shared, gaps);
    const sculpt_factor_graph& graph = chain.graph();
    const Counting counting = random_counting(random, graph, unary_only);
    check_entries(viterbi, graph, normal_vector(random, cells(graph)), counting, false);
    check_entries(viterbi, graph, small_integers(random, cells(graph)), counting, true);
  }
}

// A chain with one shared pair table, and a table that counts the labels other than 0.
struct LongChain {
  LongChain(std::int32_t length, std::int32_t states) {
    for (std::int32_t t = 0; t < length; ++t) builder.add_variable(states);
    const std::int64_t pair = builder.add_table(std::int64_t{states} * states);
    for (std::int32_t t = 1; t < length; ++t) builder.add_factor({t - 1, t}, pair);
    errors.resize(cells(graph()));
    for (std::int32_t cell = 0; cell < length * states; ++cell) {
      errors[static_cast<std::size_t>(cell)] = cell % states == 0 ? 0 : 1;
    }
  }
  const sculpt_factor_graph& graph() { return builder.graph(SCULPT_GRAPH_CHAIN, 0); }
  sculpt::FactorGraphBuilder builder;
  std::vector<std::int32_t> errors;
};

}  // namespace

TEST_CASE("the frontier of viterbi is that of the naive search if labels count") {
  check_frontiers_of_chains(false, false, true);
}
TEST_CASE("the frontier of viterbi is that of the naive search if all pairs share one table") {
  check_frontiers_of_chains(true, false, true);
}
TEST_CASE("the frontier of viterbi is that of the naive search if some neighbours are not joined") {
  check_frontiers_of_chains(false, true, true);
}
TEST_CASE("the frontier of viterbi is that of the naive search if labels and pairs count") {
  check_frontiers_of_chains(false, true, false);
}
TEST_CASE("the frontier of viterbi is that of the naive search if a shared pair table counts") {
  check_frontiers_of_chains(true, true, false);
}

TEST_CASE("the frontier of enumerate is that of the naive search on random graphs") {
  Random random(103);
  const LiveComponent enumerate("enumerate");
  for (int trial = 0; trial < 1500; ++trial) {
    RandomGraph random_one = random_graph(random);
    const sculpt_factor_graph& graph = random_one.graph();
    const Counting counting = random_counting(random, graph, draw(random, 0, 1) == 0);
    check_entries(enumerate, graph, normal_vector(random, cells(graph)), counting, false);
    check_entries(enumerate, graph, small_integers(random, cells(graph)), counting, true);
  }
}

TEST_CASE("a count far above its limit is cut to the limit") {
  sculpt::FactorGraphBuilder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_CHAIN, 0);
  const std::int32_t large = std::numeric_limits<std::int32_t>::max();
  const CountTables tables = {{0, large, 0, large, 1, 2}};
  for (const char* name : {"viterbi", "enumerate"}) {
    const LiveComponent solver(name);
    const SolverFrontier frontier(solver, graph, {0, 1, 0, 2, 0, -4}, tables, {2});
    REQUIRE(frontier.size(0) == 3);
    CHECK(frontier.slice(0) == std::vector<double>{unattainable});
    CHECK(frontier.slice(1) == std::vector<double>{0});
    CHECK(frontier.slice(2) == std::vector<double>{3});
    CHECK(frontier.output({1, 0}) == Outputs{0, 0, 0});
    CHECK(frontier.output({2, 0}) == Outputs{1, 1, 0});
    CHECK_THROWS_WITH(frontier.output({0, 0}),
                      "no output has counts 0 and 0; ask only for counts with a finite score");
  }
}

TEST_CASE("a frontier with forbidden labels and pairs has no NaN") {
  Random random(107);
  for (const char* name : {"viterbi", "enumerate"}) {
    const LiveComponent solver(name);
    for (int trial = 0; trial < 500; ++trial) {
      RandomGraph chain = random_chain(random, draw(random, 1, 5), false, true);
      const sculpt_factor_graph& graph = chain.graph();
      std::vector<double> theta = small_integers(random, cells(graph));
      for (double& value : theta) {
        if (draw(random, 0, 3) == 0) value = unattainable;
      }
      check_entries(solver, graph, theta, random_counting(random, graph, trial % 2 == 0), true);
    }
  }
}

TEST_CASE("the best entry of the frontier of a long chain is the argmax for every loss_weight") {
  Random random(109);
  const LiveComponent viterbi("viterbi");
  LongChain chain(60, 8);
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<double> theta = normal_vector(random, cells(chain.graph()));
    for (const double weight : {-3.0, -0.5, 0.0, 0.25, 1.0, 4.0}) {
      std::vector<double> with_loss = theta;
      for (std::size_t cell = 0; cell < theta.size(); ++cell) {
        with_loss[cell] += weight * chain.errors[cell];
      }
      const double value = solve(viterbi, chain.graph(), with_loss).value;
      const SolverFrontier frontier(viterbi, chain.graph(), theta, {chain.errors}, {unlimited});
      REQUIRE(frontier.size(0) == 61);
      double best = unattainable;
      for (std::int64_t errors = 0; errors <= 60; ++errors) {
        best = std::max(best, frontier.slice(errors)[0] + weight * static_cast<double>(errors));
      }
      REQUIRE(best == Approx(value).epsilon(1e-12));
    }
  }
}

TEST_CASE("slices and outputs of a frontier may be computed in any order and repeatedly") {
  Random random(113);
  for (const char* name : {"viterbi", "enumerate"}) {
    const LiveComponent solver(name);
    for (int trial = 0; trial < 200; ++trial) {
      RandomGraph chain = random_chain(random, draw(random, 0, 5), false, true);
      const sculpt_factor_graph& graph = chain.graph();
      const Counting counting = random_counting(random, graph, trial % 2 == 0);
      const std::vector<double> theta = normal_vector(random, cells(graph));
      const auto naive = naive_frontier(graph, theta, counting.tables, counting.limits);
      std::vector<std::vector<double>> in_order;
      const SolverFrontier first(solver, graph, theta, counting.tables, counting.limits);
      for (std::int64_t a = 0; a < first.size(0); ++a) in_order.push_back(first.slice(a));

      const SolverFrontier second(solver, graph, theta, counting.tables, counting.limits);
      if (trial % 3 == 0) REQUIRE(second.output(naive.rbegin()->first) == naive.rbegin()->second.y);
      for (int call = 0; call < 10; ++call) {
        const auto a = draw(random, 0, static_cast<std::int32_t>(second.size(0)) - 1);
        REQUIRE(second.slice(a) == in_order[static_cast<std::size_t>(a)]);
        const auto any =
            std::next(naive.begin(), draw(random, 0, static_cast<std::int32_t>(naive.size()) - 1));
        REQUIRE(second.output(any->first) == any->second.y);
      }
    }
  }
}

TEST_CASE("an argmax on the session closes the frontier, and a new frontier can be opened") {
  Random random(127);
  for (const char* name : {"viterbi", "enumerate"}) {
    const LiveComponent solver(name);
    for (int trial = 0; trial < 200; ++trial) {
      RandomGraph chain = random_chain(random, draw(random, 1, 5), false, true);
      const sculpt_factor_graph& graph = chain.graph();
      const std::vector<double> theta = small_integers(random, cells(graph));
      const Counting counting = random_counting(random, graph, false);
      const NaiveBest best = naive_best(graph, theta);
      const SolverFrontier frontier(solver, graph, theta, counting.tables, counting.limits);
      frontier.slice(0);
      REQUIRE(solve(solver, graph, theta).output == best.y);
      CHECK_THROWS_WITH(frontier.slice(0),
                        "there is no count 0; begin a frontier, and stay within its size");
      check_entries(solver, graph, theta, counting, true);
      REQUIRE(solve(solver, graph, theta).output == best.y);
    }
  }
}

TEST_CASE("counts outside the sizes of the frontier are refused") {
  LongChain chain(3, 2);
  for (const char* name : {"viterbi", "enumerate"}) {
    const LiveComponent solver(name);
    const std::vector<double> theta(cells(chain.graph()));
    const SolverFrontier frontier(solver, chain.graph(), theta, {chain.errors}, {unlimited});
    CHECK(frontier.size(0) == 4);
    CHECK_THROWS_WITH(frontier.slice(4),
                      "there is no count 4; begin a frontier, and stay within its size");
    CHECK_THROWS_WITH(frontier.output({-1, 0}),
                      "there is no count -1; begin a frontier, and stay within its size");
    CHECK_THROWS_WITH(frontier.output({0, 1}),
                      "there is no count 1; begin a frontier, and stay within its size");
  }
}

TEST_CASE("a frontier above max_cells is refused with its number of cells") {
  LongChain chain(4, 3);
  const std::vector<double> theta(cells(chain.graph()));
  const std::string remedy =
      "; raise max_cells if every thread has memory for them, or use a loss with smaller counts";
  // Each variable has 3 labels and the errors before it: 0, then 0..1, and so on. At the end there
  // are 0..4 errors. Cells: 3 (1 + 2 + 3 + 4) + 5.
  const auto begin = [&](const char* name, std::int64_t max_cells, std::int64_t limit) {
    const LiveComponent solver(name, {{"max_cells", max_cells}});
    return SolverFrontier(solver, chain.graph(), theta, {chain.errors}, {limit}).size(0);
  };
  CHECK_THROWS_WITH(
      begin("viterbi", 34, unlimited),
      ("this frontier has 35 cells of 8 bytes, more than max_cells = 34" + remedy).c_str());
  CHECK(begin("viterbi", 35, unlimited) == 5);
  CHECK(begin("viterbi", 23, 1) == 2);  // 3 (1 + 2 + 2 + 2) + 2
  CHECK_THROWS_WITH(
      begin("viterbi", 22, 1),
      ("this frontier has 23 cells of 8 bytes, more than max_cells = 22" + remedy).c_str());
  CHECK_THROWS_WITH(
      begin("enumerate", 4, unlimited),
      ("this frontier has 5 cells of 16 bytes, more than max_cells = 4" + remedy).c_str());
  CHECK(begin("enumerate", 5, unlimited) == 5);
  try {
    begin("viterbi", 1, unlimited);
    FAIL("accepted");
  } catch (const CallFailed& failure) {
    CHECK(failure.status() == SCULPT_E_UNSUPPORTED);
  }
}

TEST_CASE("a refused frontier closes the open one") {
  LongChain small(1, 3);
  LongChain large(5, 3);
  for (const char* name : {"viterbi", "enumerate"}) {
    const LiveComponent solver(name, {{"max_cells", 5}});
    const SolverFrontier frontier(solver, small.graph(), std::vector<double>(cells(small.graph())),
                                  {small.errors}, {unlimited});
    frontier.slice(0);
    CHECK_THROWS_AS(SolverFrontier(solver, large.graph(), std::vector<double>(cells(large.graph())),
                                   {large.errors}, {unlimited}),
                    CallFailed);
    CHECK_THROWS_WITH(frontier.slice(0),
                      "there is no count 0; begin a frontier, and stay within its size");
  }
}

TEST_CASE("a frontier of huge size is refused before memory is allocated") {
  sculpt::FactorGraphBuilder builder;
  for (int v = 0; v < 4; ++v) builder.add_variable(2);
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_CHAIN, 0);
  const CountTables tables(2, std::vector<std::int32_t>(8, 2000000000));
  for (const char* name : {"viterbi", "enumerate"}) {
    const LiveComponent solver(name);
    try {
      const SolverFrontier frontier(solver, graph, std::vector<double>(8), tables,
                                    {unlimited, unlimited});
      FAIL("accepted");
    } catch (const CallFailed& failure) {
      CHECK(failure.status() == SCULPT_E_UNSUPPORTED);
      CHECK(std::string(failure.what()).find("e+") != std::string::npos);
    }
  }
}

TEST_CASE("the frontier of enumerate refuses graphs above max_states") {
  LongChain chain(4, 3);
  const LiveComponent enumerate("enumerate", {{"max_states", 80}});
  CHECK_THROWS_WITH(
      SolverFrontier(enumerate, chain.graph(), std::vector<double>(21), {chain.errors},
                     {unlimited}),
      "this graph has 81 assignments, more than max_states = 80; use another map_solver, or raise "
      "max_states, which takes longer");
}

TEST_CASE("a negative count is refused") {
  LongChain chain(2, 2);
  chain.errors[3] = -2;
  for (const char* name : {"viterbi", "enumerate"}) {
    const LiveComponent solver(name);
    CHECK_THROWS_WITH(
        SolverFrontier(solver, chain.graph(), std::vector<double>(8), {chain.errors}, {unlimited}),
        "a cell of the graph adds -2 to a count; counts are never negative");
  }
}

TEST_CASE("the frontier of a graph with a variable without states is empty") {
  sculpt::FactorGraphBuilder builder;
  builder.add_variable(2);
  builder.add_variable(0);
  for (const char* name : {"viterbi", "enumerate"}) {
    const LiveComponent solver(name);
    const SolverFrontier frontier(solver, builder.graph(SCULPT_GRAPH_CHAIN, 0), {1, 2}, {{0, 1}},
                                  {unlimited});
    CHECK(frontier.flags() == SCULPT_ANSWER_NO_OUTPUT);
    CHECK(frontier.size(0) == 0);
  }
}

TEST_CASE("the frontier of a graph without variables has only the empty output, with counts 0") {
  sculpt::FactorGraphBuilder builder;
  for (const char* name : {"viterbi", "enumerate"}) {
    const LiveComponent solver(name);
    const SolverFrontier frontier(solver, builder.graph(SCULPT_GRAPH_CHAIN, 0), {}, {{}, {}},
                                  {unlimited, 1});
    CHECK(frontier.size(0) == 1);
    CHECK(frontier.slice(0) == std::vector<double>{0});
    CHECK(frontier.output({0, 0}).empty());
  }
}
