// What the frontiers of viterbi and enumerate do when the user asks to stop inside one slice.
#include <doctest/doctest.h>

#include "count_calls.hpp"

using namespace plugin_test;

namespace {

// A chain with one shared pair table. Labels other than 0 are counted, and pairs of equal labels
// where `counts_pairs`.
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

// That the first slice ends when the host was asked to stop, and is what it should be when asked
// for again.
void check_slice_stops(const char* name, CountedChain chain, std::int64_t limit) {
  LiveComponent asked(name);
  const LiveComponent unasked(name);
  const auto& graph = chain.graph();
  const LiveFrontier frontier(asked, graph, chain.theta, {chain.table}, {limit});
  const LiveFrontier other(unasked, graph, chain.theta, {chain.table}, {limit});
  asked.ask_to_stop(true);
  for (int attempt = 1; attempt <= 2; ++attempt) {
    try {
      frontier.slice(0);
      FAIL("went on");
    } catch (const CallFailed& failure) {
      CHECK(failure.status() == SCULPT_E_CANCELLED);
    }
    CHECK(asked.polls() == attempt);
  }
  asked.ask_to_stop(false);
  CHECK(frontier.slice(0) == other.slice(0));
  CHECK(frontier.slice(1) == other.slice(1));
  CHECK(frontier.output({1, 0}) == other.output({1, 0}));
}

}  // namespace

TEST_CASE("a request to stop ends a slice of viterbi where labels count") {
  check_slice_stops("viterbi", {300, 200, false}, 1);
}
TEST_CASE("a request to stop ends a slice of viterbi where pairs count") {
  check_slice_stops("viterbi", {150, 200, true}, 1);
}
TEST_CASE("a request to stop ends a slice of enumerate") {
  check_slice_stops("enumerate", {12, 3, false}, unlimited);
}

TEST_CASE("viterbi asks the host whether to stop once in millions of pairs of labels") {
  LiveComponent viterbi("viterbi");
  CountedChain chain(300, 200, false);
  const LiveFrontier frontier(viterbi, chain.graph(), chain.theta, {chain.table}, {1});
  frontier.slice(0);  // 300 x 200 x 200 pairs
  CHECK(viterbi.polls() >= 1);
  CHECK(viterbi.polls() <= 12);
}
