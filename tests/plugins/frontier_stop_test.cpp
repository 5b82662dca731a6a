// The frontiers of viterbi and enumerate stop within a slice on request, and can go on later.
#include <doctest/doctest.h>

#include "count_calls.hpp"

using namespace plugin_test;

namespace {

// A chain with one shared pair table. It counts labels other than 0 and, with `counts_pairs`, pairs
// of equal labels.
struct CountedChain {
  CountedChain(std::int32_t length, std::int32_t states, bool counts_pairs) {
    for (std::int32_t t = 0; t < length; ++t) builder.add_variable(states);
    const std::int64_t pair = builder.add_table(std::int64_t{states} * states);
    for (std::int32_t t = 1; t < length; ++t) builder.add_factor({t - 1, t}, pair);
    table.resize(static_cast<std::size_t>(graph().theta_size));
    for (std::int64_t cell = 0; cell < pair; ++cell) {
      table[static_cast<std::size_t>(cell)] = cell % states == 0 ? 0 : 1;
    }
    for (std::int32_t label = 0; counts_pairs && label < states; ++label) {
      table[static_cast<std::size_t>(pair + label * (states + 1))] = 1;
    }
    Random random(131);
    theta = small_integers(random, table.size());
  }
  const sculpt_factor_graph& graph() { return builder.graph(SCULPT_GRAPH_CHAIN, 0); }

  sculpt::FactorGraphBuilder builder;
  std::vector<std::int32_t> table;
  std::vector<double> theta;
};

// Checks that a stop request ends the first slice, and that the slice is right at the next call.
void check_slice_stops(const char* name, CountedChain chain, std::int64_t limit) {
  LiveComponent solver(name);
  const LiveComponent other_solver(name);
  const auto& graph = chain.graph();
  const SolverFrontier frontier(solver, graph, chain.theta, {chain.table}, {limit});
  const SolverFrontier other(other_solver, graph, chain.theta, {chain.table}, {limit});
  solver.ask_to_stop(true);
  for (int attempt = 1; attempt <= 2; ++attempt) {
    try {
      frontier.slice(0);
      FAIL("went on");
    } catch (const CallFailed& failure) {
      CHECK(failure.status() == SCULPT_E_CANCELLED);
    }
    CHECK(solver.polls() == attempt);
  }
  solver.ask_to_stop(false);
  CHECK(frontier.slice(0) == other.slice(0));
  CHECK(frontier.slice(1) == other.slice(1));
  CHECK(frontier.output({1, 0}) == other.output({1, 0}));
}

}  // namespace

TEST_CASE("a stop request ends a slice of viterbi with counts of labels") {
  check_slice_stops("viterbi", {300, 200, false}, 1);
}
TEST_CASE("a stop request ends a slice of viterbi with counts of pairs") {
  check_slice_stops("viterbi", {150, 200, true}, 1);
}
TEST_CASE("a stop request ends a slice of enumerate") {
  check_slice_stops("enumerate", {12, 3, false}, unlimited);
}

TEST_CASE("viterbi checks for a stop request once in millions of pairs of labels") {
  LiveComponent viterbi("viterbi");
  CountedChain chain(300, 200, false);
  const SolverFrontier frontier(viterbi, chain.graph(), chain.theta, {chain.table}, {1});
  frontier.slice(0);  // 300 x 200 x 200 pairs
  CHECK(viterbi.polls() >= 1);
  CHECK(viterbi.polls() <= 12);
}
