// Graphs of order two: viterbi agrees with the naive search and with itself on chains. Also its
// demands and refusals, and the other map_solvers.
#include <doctest/doctest.h>

#include "count_calls.hpp"
#include "relaxed_answers.hpp"

#include <algorithm>

using namespace plugin_test;
using doctest::Approx;

namespace {

constexpr std::uint32_t order_two = SCULPT_GRAPH_ORDER_TWO;

RandomGraph random_triples(Random& random, std::int32_t longest = 6) {
  const bool shared = draw(random, 0, 1) == 0;
  return random_order_two(random, draw(random, 0, longest), shared, draw(random, 0, 1) == 0);
}

// Checks the answer for whole numbers, which tie, and for normal random numbers.
void check_best(const LiveComponent& solver, const sculpt_factor_graph& graph, Random& random) {
  const std::vector<double> whole = small_integers(random, cells(graph));
  const NaiveBest tied = naive_best(graph, whole);
  const Solution first = solve(solver, graph, whole);
  REQUIRE(first.flags == SCULPT_ANSWER_EXACT);
  REQUIRE(first.value == tied.value);
  REQUIRE(first.output == tied.y);
  const std::vector<double> theta = normal_vector(random, cells(graph));
  const NaiveBest best = naive_best(graph, theta);
  const Solution found = solve(solver, graph, theta);
  REQUIRE(found.value == Approx(best.value).epsilon(1e-12));
  REQUIRE(found.value == Approx(naive_score(graph, theta, found.output)).epsilon(1e-12));
  if (best.second < best.value - 1e-9) REQUIRE(found.output == best.y);
}

}  // namespace

TEST_CASE("viterbi finds the best assignment of random graphs of order two, also with ties") {
  Random random(401);
  const LiveComponent viterbi("viterbi");
  for (int trial = 0; trial < 3000; ++trial) {
    RandomGraph one = random_triples(random, trial % 10 == 0 ? 6 : 5);
    check_best(viterbi, one.graph(), random);
  }
}

TEST_CASE("viterbi of order two agrees with viterbi of order one on a long chain") {
  Random random(403);
  const LiveComponent viterbi("viterbi");
  for (int trial = 0; trial < 200; ++trial) {
    sculpt::FactorGraphBuilder builder;
    builder.clear();
    const std::int32_t length = draw(random, 2, 40);
    const std::int32_t states = draw(random, 1, 30);
    for (std::int32_t t = 0; t < length; ++t) builder.add_variable(states);
    const std::int64_t pair = builder.add_table(std::int64_t{states} * states);
    for (std::int32_t t = 1; t < length; ++t) builder.add_factor({t - 1, t}, pair);
    const std::vector<double> theta =
        small_integers(random, cells(builder.graph(SCULPT_GRAPH_CHAIN, 0)));
    const Solution single = solve(viterbi, builder.graph(SCULPT_GRAPH_CHAIN, 0), theta);
    const Solution pairs = solve(viterbi, builder.graph(order_two, 0), theta);
    REQUIRE(pairs.value == single.value);
    REQUIRE(pairs.output == single.output);
    REQUIRE(solve(viterbi, builder.graph(SCULPT_GRAPH_CHAIN | order_two, 0), theta).output ==
            single.output);
  }
}

TEST_CASE("viterbi on a graph of order two agrees with a chain whose states are pairs of labels") {
  // State a * K + b at position t of the chain stands for labels a, b at t, t + 1. Neighbours that
  // disagree about their common label are forbidden.
  Random random(405);
  const LiveComponent viterbi("viterbi");
  const std::int32_t count = 7;
  const std::int32_t length = 9;
  const auto size = static_cast<std::size_t>(count);
  for (int trial = 0; trial < 30; ++trial) {
    sculpt::FactorGraphBuilder labels;
    labels.clear();
    for (std::int32_t t = 0; t < length; ++t) labels.add_variable(count);
    const std::int64_t triple = labels.add_table(std::int64_t{count} * count * count);
    for (std::int32_t t = 2; t < length; ++t) labels.add_factor({t - 2, t - 1, t}, triple);
    const sculpt_factor_graph& graph = labels.graph(order_two, 0);
    const std::vector<double> theta = normal_vector(random, cells(graph));

    sculpt::FactorGraphBuilder pairs;
    pairs.clear();
    const std::int32_t states = count * count;
    for (std::int32_t t = 1; t < length; ++t) pairs.add_variable(states);
    const std::int64_t step = pairs.add_table(std::int64_t{states} * states);
    for (std::int32_t t = 1; t + 1 < length; ++t) pairs.add_factor({t - 1, t}, step);
    const sculpt_factor_graph& chain = pairs.graph(SCULPT_GRAPH_CHAIN, 0);
    std::vector<double> scores(cells(chain), unattainable);
    for (std::size_t a = 0; a < size; ++a) {
      for (std::size_t b = 0; b < size; ++b) {
        for (std::size_t t = 0; t + 1 < static_cast<std::size_t>(length); ++t) {
          scores[t * size * size + a * size + b] =
              theta[(t + 1) * size + b] + (t == 0 ? theta[a] : 0);
        }
        for (std::size_t c = 0; c < size; ++c) {
          const std::size_t cell = (a * size + b) * size * size + b * size + c;
          scores[static_cast<std::size_t>(step) + cell] =
              theta[static_cast<std::size_t>(triple) + (a * size + b) * size + c];
        }
      }
    }
    const Solution found = solve(viterbi, graph, theta);
    const Solution other = solve(viterbi, chain, scores);
    REQUIRE(found.value == Approx(other.value).epsilon(1e-12));
    Outputs y = {other.output.front() / count};
    for (const std::int32_t pair : other.output) y.push_back(pair % count);
    REQUIRE(found.output == y);
  }
}

TEST_CASE("viterbi gives no forbidden states of graphs of order two") {
  Random random(407);
  const LiveComponent viterbi("viterbi");
  int attained = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    RandomGraph one = random_triples(random, 5);
    const sculpt_factor_graph& graph = one.graph();
    std::vector<double> theta = small_integers(random, cells(graph));
    for (double& value : theta) {
      if (draw(random, 0, 5) == 0) value = unattainable;
    }
    const NaiveBest best = naive_best(graph, theta);
    const Solution found = solve(viterbi, graph, theta);
    REQUIRE(found.value == best.value);
    if (best.value == unattainable) continue;
    ++attained;
    REQUIRE(found.output == best.y);
  }
  CHECK(attained > 100);
}

TEST_CASE("viterbi supports forests and graphs of order two, and frontiers of forests") {
  const LiveComponent viterbi("viterbi");
  const std::uint32_t forest = SCULPT_GRAPH_FOREST | SCULPT_GRAPH_PAIRWISE;
  CHECK(solver_demands(viterbi) == std::vector<std::uint32_t>{forest, order_two});
  std::uint32_t frontier = 0;
  ErrorText error;
  error.check(viterbi.api<sculpt_map_solver_api>().frontier_demands(viterbi.self(), &frontier,
                                                                    error.raw()));
  CHECK(frontier == forest);
}

TEST_CASE("viterbi refuses a graph that is falsely declared of order two and names the factor") {
  const LiveComponent viterbi("viterbi");
  const auto solve_with = [&](const std::vector<std::vector<std::int32_t>>& scopes) {
    sculpt::FactorGraphBuilder builder;
    for (int v = 0; v < 4; ++v) builder.add_variable(2);
    const std::int64_t table = builder.add_table(16);
    for (const auto& scope : scopes) builder.add_factor(scope, table);
    const sculpt_factor_graph& graph = builder.graph(order_two, 0);
    return solve(viterbi, graph, std::vector<double>(cells(graph))).output;
  };
  const std::string rest =
      " is not over two or three consecutive variables, or repeats another factor, but the graph "
      "is declared as of order two";
  for (const std::vector<std::int32_t>& scope : std::vector<std::vector<std::int32_t>>{
           {}, {1}, {0, 2}, {2, 1}, {1, 0, 2}, {0, 1, 3}, {1, 2, 3, 0}, {0, 1, 2}}) {
    const std::string text = "factor 5" + rest;
    CHECK_THROWS_WITH(solve_with({{0, 1, 2}, scope}), text.c_str());
  }
  CHECK(solve_with({{0, 1, 2}, {1, 2}, {1, 2, 3}, {2, 3}}) == Outputs{0, 0, 0, 0});
}

TEST_CASE("viterbi refuses the frontier of a graph of order two") {
  Random random(409);
  const LiveComponent viterbi("viterbi");
  RandomGraph one = random_order_two(random, 4, true, false);
  const sculpt_factor_graph& graph = one.graph();
  try {
    const SolverFrontier frontier(viterbi, graph, std::vector<double>(cells(graph)),
                                  {std::vector<std::int32_t>(cells(graph), 1)}, {10});
    FAIL("gave a frontier");
  } catch (const CallFailed& failure) {
    CHECK(failure.status() == SCULPT_E_UNSUPPORTED);
    CHECK(std::string(failure.what()) ==
          "has frontiers of chains and forests, not of graphs of order two; use `enumerate`, or a "
          "loss and a formulation that need no frontier");
  }
}

TEST_CASE("viterbi checks for a stop request in graphs of order two") {
  LiveComponent viterbi("viterbi");
  sculpt::FactorGraphBuilder builder;
  const std::int32_t states = 60;
  for (int v = 0; v < 50; ++v) builder.add_variable(states);
  const std::int64_t triple = builder.add_table(std::int64_t{states} * states * states);
  for (std::int32_t v = 2; v < 50; ++v) builder.add_factor({v - 2, v - 1, v}, triple);
  const sculpt_factor_graph& graph = builder.graph(order_two, 0);
  const std::vector<double> theta(cells(graph));
  solve(viterbi, graph, theta);
  CHECK(viterbi.polls() == 2);  // once in 2^22 of 48 x 216000 cells
  viterbi.ask_to_stop(true);
  try {
    for (int again = 0; again < 2; ++again) solve(viterbi, graph, theta);
    FAIL("went on");
  } catch (const CallFailed& failure) {
    CHECK(failure.status() == SCULPT_E_CANCELLED);
  }
}

TEST_CASE("enumerate and branch_and_bound are exact on graphs of order two") {
  Random random(411);
  const LiveComponent viterbi("viterbi");
  const LiveComponent enumerate("enumerate");
  const LiveComponent branch_and_bound("branch_and_bound");
  CHECK(solver_demands(enumerate) == std::vector<std::uint32_t>{0});
  CHECK(solver_demands(branch_and_bound) == std::vector<std::uint32_t>{0});
  for (int trial = 0; trial < 800; ++trial) {
    RandomGraph one = random_triples(random);
    const sculpt_factor_graph& graph = one.graph();
    const std::vector<double> whole = small_integers(random, cells(graph));
    REQUIRE(solve(enumerate, graph, whole).output == solve(viterbi, graph, whole).output);
    const std::vector<double> theta = normal_vector(random, cells(graph));
    const Solution found = solve(branch_and_bound, graph, theta);
    REQUIRE((found.flags & SCULPT_ANSWER_EXACT) != 0);
    REQUIRE(found.value == Approx(solve(viterbi, graph, theta).value).epsilon(1e-9));
  }
}

TEST_CASE("inexact map_solvers are at most viterbi on graphs of order two, and bounds at least") {
  Random random(413);
  const LiveComponent viterbi("viterbi");
  const LiveComponent icm("icm");
  const LiveComponent greedy("greedy");
  const LiveComponent propagation("belief_propagation");
  const LiveComponent lp("lp", {{"answers", "rounded"}});
  int claimed = 0;
  for (int trial = 0; trial < 500; ++trial) {
    RandomGraph one = random_triples(random);
    const sculpt_factor_graph& graph = one.graph();
    const std::vector<double> theta = normal_vector(random, cells(graph));
    const double maximum = solve(viterbi, graph, theta).value;
    for (const LiveComponent* solver : {&icm, &greedy, &propagation, &lp}) {
      REQUIRE(solver_demands(*solver) == std::vector<std::uint32_t>{0});
      const BoundedAnswer found = solve_bounded(*solver, graph, theta);
      REQUIRE(found.value <= maximum + 1e-9);
      REQUIRE(found.value == Approx(naive_score(graph, theta, found.output)).epsilon(1e-9));
      if (found.has(SCULPT_ANSWER_EXACT)) REQUIRE(found.value >= maximum - 1e-8);
      if (!found.has(SCULPT_ANSWER_BOUND)) continue;
      REQUIRE(found.bound >= maximum - 1e-9);
      ++claimed;
    }
  }
  CHECK(claimed == 500);  // lp bounds every answer
}
