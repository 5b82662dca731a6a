// lp agrees with CLP, with the naive search and with the definition of the local polytope.
#include <doctest/doctest.h>

#include <cmath>

#include "bound_features.hpp"
#include "random_pairs.hpp"
#include "relaxed_answers.hpp"

using namespace plugin_test;
using doctest::Approx;

namespace {

struct Tally {
  int graphs = 0;
  int fractional = 0;
};

// Checks that hold for every relaxed answer, by any method.
void check_relaxed(const sculpt_factor_graph& graph, const std::vector<double>& theta,
                   const RelaxedAnswer& found, double best, Tally& tally) {
  ++tally.graphs;
  const double slack = 1e-9 * static_cast<double>(graph.factor_count + 1);
  REQUIRE(found.has(SCULPT_ANSWER_BOUND));
  REQUIRE(found.bound >= found.value);
  REQUIRE(found.bound >= best - slack);
  REQUIRE(found.value == Approx(dot(theta, found.mu)).epsilon(1e-12));
  if (found.has(SCULPT_CUT_FRACTIONAL)) {
    ++tally.fractional;
    REQUIRE(found.output.empty());
  } else {
    REQUIRE(found.has(SCULPT_ANSWER_EXACT));
    REQUIRE(found.value == Approx(naive_score(graph, theta, found.output)).epsilon(1e-12));
    REQUIRE(std::abs(found.value - best) < slack);
  }
}

// Checks of the rounded answer to the same query.
void check_rounded(const sculpt_factor_graph& graph, const std::vector<double>& theta,
                   const BoundedAnswer& found, double best) {
  const double slack = 1e-9 * static_cast<double>(graph.factor_count + 1);
  REQUIRE(found.has(SCULPT_ANSWER_BOUND));
  REQUIRE(found.value == Approx(naive_score(graph, theta, found.output)).epsilon(1e-12));
  REQUIRE(found.value <= best + slack);
  REQUIRE(found.bound >= best - slack);
  REQUIRE(found.bound >= found.value);
  if (found.has(SCULPT_ANSWER_EXACT)) REQUIRE(std::abs(found.value - best) < slack);
}

}  // namespace

TEST_CASE("lp by a minimum cut has the value of CLP on binary pairs and half-integral beliefs") {
  Random random(43);
  const LiveComponent own("lp");
  const LiveComponent clp("lp", {{"method", "clp"}});
  Tally tally;
  for (int trial = 0; trial < 1500; ++trial) {
    RandomGraph pairs = random_pairs(random, {7, 18, false, trial % 3 == 0});
    const sculpt_factor_graph& graph = pairs.graph();
    const std::vector<double> theta =
        trial % 2 == 0 ? normal_vector(random, cells(graph)) : small_integers(random, cells(graph));
    const double best = naive_best(graph, theta).value;
    const RelaxedAnswer found = solve_relaxed(own, graph, theta);
    check_relaxed(graph, theta, found, best, tally);
    check_rounded(graph, theta, solve_bounded(own, graph, theta), best);
    REQUIRE(found.has(SCULPT_ANSWER_EXACT));  // exact for the relaxed problem
    REQUIRE(polytope_violation(graph, found.mu) < 1e-12);
    for (const double cell : found.mu) REQUIRE(std::round(2 * cell) == 2 * cell);
    const RelaxedAnswer reference = solve_relaxed(clp, graph, theta);
    REQUIRE(polytope_violation(graph, reference.mu) < 1e-9);
    REQUIRE(found.value == Approx(reference.value).epsilon(1e-9));
    REQUIRE(found.bound == Approx(reference.bound).epsilon(1e-9));
  }
  CHECK(tally.fractional > tally.graphs / 20);
  CHECK(tally.fractional < tally.graphs);
}

TEST_CASE("lp has the value of CLP on graphs of any states and scopes") {
  Random random(47);
  const LiveComponent own("lp");
  const LiveComponent clp("lp", {{"method", "clp"}});
  Tally tally;
  for (int trial = 0; trial < 1500; ++trial) {
    RandomGraph any = random_graph(random);
    const sculpt_factor_graph& graph = any.graph();
    const std::vector<double> theta =
        trial % 2 == 0 ? normal_vector(random, cells(graph)) : small_integers(random, cells(graph));
    const double best = naive_best(graph, theta).value;
    const RelaxedAnswer found = solve_relaxed(own, graph, theta);
    check_relaxed(graph, theta, found, best, tally);
    check_rounded(graph, theta, solve_bounded(own, graph, theta), best);
    const RelaxedAnswer reference = solve_relaxed(clp, graph, theta);
    REQUIRE(std::abs(found.value - reference.value) < 1e-7);
    REQUIRE(std::abs(found.bound - reference.bound) < 1e-7);
    REQUIRE(std::abs(reference.bound - reference.value) < 1e-7);
  }
  CHECK(tally.fractional > 10);
}

TEST_CASE("lp has beliefs consistent to 1e-9 on frustrated graphs of three states") {
  Random random(53);
  const LiveComponent own("lp");
  const LiveComponent clp("lp", {{"method", "clp"}});
  Tally tally;
  for (int trial = 0; trial < 300; ++trial) {
    sculpt::FactorGraphBuilder builder;
    const std::int32_t variables = draw(random, 3, 6);
    for (std::int32_t v = 0; v < variables; ++v) builder.add_variable(3);
    for (std::int32_t b = 1; b < variables; ++b) {
      for (std::int32_t a = 0; a < b; ++a) builder.add_factor({a, b}, builder.add_table(9));
    }
    const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_PAIRWISE, 0);
    const std::vector<double> theta = normal_vector(random, cells(graph));
    const RelaxedAnswer found = solve_relaxed(own, graph, theta);
    check_relaxed(graph, theta, found, naive_best(graph, theta).value, tally);
    REQUIRE(polytope_violation(graph, found.mu) < 1e-9);
    REQUIRE(std::abs(found.value - solve_relaxed(clp, graph, theta).value) < 1e-6);
  }
  CHECK(tally.fractional > tally.graphs / 10);
}

TEST_CASE("lp by a minimum cut decides only labels that every best assignment has") {
  Random random(83);
  const LiveComponent own("lp");
  int decided = 0;
  for (int trial = 0; trial < 600; ++trial) {
    RandomGraph pairs = random_pairs(random, {7, 18, false, false});
    const sculpt_factor_graph& graph = pairs.graph();
    const std::vector<double> theta = small_integers(random, cells(graph));
    const RelaxedAnswer found = solve_relaxed(own, graph, theta);
    if (!found.has(SCULPT_CUT_FRACTIONAL)) continue;
    const double best = naive_best(graph, theta).value;
    each_output(graph, [&](const Outputs& y) {
      if (naive_score(graph, theta, y) != best) return;
      for (std::size_t v = 0; v < y.size(); ++v) {
        const double one = found.mu[static_cast<std::size_t>(graph.table[v]) + 1];
        if (one == 0.5) continue;
        ++decided;
        REQUIRE(y[v] == (one == 1 ? 1 : 0));
      }
    });
  }
  CHECK(decided > 0);
}

TEST_CASE("lp sums mu over the factors that share a table") {
  Random random(89);
  const LiveComponent own("lp");
  for (int trial = 0; trial < 500; ++trial) {
    RandomGraph pairs = random_pairs(random, {6, 12, true, true});
    const sculpt_factor_graph& graph = pairs.graph();
    const RelaxedAnswer found = solve_relaxed(own, graph, normal_vector(random, cells(graph)));
    double sum = 0;
    for (const double cell : found.mu) sum += cell;
    REQUIRE(sum == Approx(static_cast<double>(graph.factor_count)).epsilon(1e-12));
  }
}

namespace {

// Three binary variables. Each pair scores best if its labels differ, so every belief is 1/2.
struct Triangle {
  sculpt::FactorGraphBuilder builder;
  const sculpt_factor_graph* graph;
  std::vector<double> theta = std::vector<double>(18, 0.0);

  Triangle() {
    for (int v = 0; v < 3; ++v) builder.add_variable(2);
    for (int v = 0; v < 3; ++v) builder.add_factor({v, (v + 1) % 3}, builder.add_table(4));
    graph = &builder.graph(SCULPT_GRAPH_BINARY | std::uint32_t{SCULPT_GRAPH_PAIRWISE}, 0);
    for (std::size_t pair = 6; pair < 18; pair += 4) theta[pair + 1] = theta[pair + 2] = 1;
  }
};

}  // namespace

TEST_CASE("lp on a frustrated triangle: beliefs of one half, a bound of 3, labels of score 2") {
  const Triangle triangle;
  for (const char* method : {"dual", "clp"}) {
    const LiveComponent solver("lp", {{"method", method}});
    const RelaxedAnswer found = solve_relaxed(solver, *triangle.graph, triangle.theta);
    CHECK(found.has(SCULPT_CUT_FRACTIONAL));
    CHECK(found.has(SCULPT_ANSWER_EXACT));
    CHECK(found.value == Approx(3));
    for (std::size_t v = 0; v < 6; ++v) CHECK(found.mu[v] == Approx(0.5));
    const BoundedAnswer rounded = solve_bounded(solver, *triangle.graph, triangle.theta);
    CHECK(rounded.value == 2);
    CHECK(rounded.bound == Approx(3));
    CHECK(rounded.flags == SCULPT_ANSWER_BOUND);
  }
}

TEST_CASE(
    "lp rounds split beliefs up, down, at random by the seed, or by conditional expectation") {
  const Triangle triangle;
  const auto rounded = [&](const char* rule, std::uint64_t seed) {
    return solve_bounded(LiveComponent("lp", {{"rounding", rule}}), *triangle.graph, triangle.theta,
                         seed)
        .output;
  };
  CHECK(rounded("up", 1) == Outputs{1, 1, 1});
  CHECK(rounded("down", 1) == Outputs{0, 0, 0});
  CHECK(rounded("conditional", 1) == Outputs{0, 1, 0});
  int ones = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Outputs y = rounded("random", seed);
    REQUIRE(y == rounded("random", seed));
    for (const std::int32_t label : y) ones += label;
  }
  CHECK(ones > 500);  // of 1200
  CHECK(ones < 700);
}

TEST_CASE("lp with conditional rounding reaches the expected score of independent draws") {
  Random random(97);
  const LiveComponent own("lp");
  int fractional = 0;
  for (int trial = 0; trial < 600; ++trial) {
    RandomGraph any = trial % 2 == 0 ? random_graph(random) : all_pairs(6);
    const sculpt_factor_graph& graph = any.graph();
    const std::vector<double> theta = normal_vector(random, cells(graph));
    const RelaxedAnswer relaxed = solve_relaxed(own, graph, theta);
    if (!relaxed.has(SCULPT_CUT_FRACTIONAL)) continue;
    ++fractional;
    double expected = 0;
    each_output(graph, [&](const Outputs& y) {
      double odds = 1;
      for (std::size_t v = 0; v < y.size(); ++v) {
        odds *= relaxed.mu[static_cast<std::size_t>(graph.table[v] + y[v])];
      }
      expected += odds * naive_score(graph, theta, y);
    });
    REQUIRE(solve_bounded(own, graph, theta).value >= expected - 1e-5);
  }
  CHECK(fractional > 50);
}

TEST_CASE("lp set to rounded answers does not offer relaxed ones") {
  CHECK(LiveComponent("lp").offers(SCULPT_EXT_MAP_CUT));
  CHECK(!LiveComponent("lp", {{"answers", "rounded"}}).offers(SCULPT_EXT_MAP_CUT));
}

TEST_CASE("lp refuses scores that are not finite") {
  sculpt::FactorGraphBuilder builder;
  builder.add_variable(2);
  CHECK_THROWS_WITH(solve_bounded(LiveComponent("lp"), builder.graph(0, 0),
                                  {0, -std::numeric_limits<double>::infinity()}),
                    "some scores are not finite, but a linear program needs finite scores; use "
                    "viterbi or enumerate, or large finite scores");
  for (const char* solver : {"lp", "branch_and_bound"}) {
    CHECK_THROWS_WITH(solve_bounded(LiveComponent(solver), builder.graph(0, 0), {0, 1e301}),
                      "the scores add up to more than 1e300, the limit for a linear program; scale "
                      "them down");
  }
}

TEST_CASE("lp reports that no output exists, and gives the empty output") {
  sculpt::FactorGraphBuilder builder;
  for (const char* method : {"dual", "clp"}) {
    const LiveComponent solver("lp", {{"method", method}});
    builder.clear();
    const RelaxedAnswer empty = solve_relaxed(solver, builder.graph(0, 0), {});
    CHECK(empty.output.empty());
    CHECK(empty.value == 0);
    CHECK(!empty.has(SCULPT_CUT_FRACTIONAL));
    CHECK(solve_bounded(solver, builder.graph(0, 0), {}).has(SCULPT_ANSWER_EXACT));
    builder.add_variable(0);
    CHECK(solve_relaxed(solver, builder.graph(0, 0), {}).flags == SCULPT_ANSWER_NO_OUTPUT);
    CHECK(solve_bounded(solver, builder.graph(0, 0), {}).flags == SCULPT_ANSWER_NO_OUTPUT);
  }
}

TEST_CASE("lp gives answers that do not depend on queries before, by every method") {
  Random random(107);
  for (const char* method : {"dual", "clp"}) {
    const LiveComponent solver("lp", {{"method", method}});
    for (int trial = 0; trial < 40; ++trial) {
      RandomGraph any = trial % 2 == 0 ? all_pairs(8) : random_graph(random);
      RandomGraph other = random_graph(random);
      const std::vector<double> theta = small_integers(random, cells(any.graph()));
      const RelaxedAnswer first =
          solve_relaxed(LiveComponent("lp", {{"method", method}}), any.graph(), theta);
      solve_relaxed(solver, other.graph(), normal_vector(random, cells(other.graph())));
      const RelaxedAnswer again = solve_relaxed(solver, any.graph(), theta);
      REQUIRE(first.mu == again.mu);
      REQUIRE(first.bound == again.bound);
    }
  }
}

TEST_CASE("lp checks for a stop request, by every method") {
  Random random(101);
  RandomGraph any;
  for (int v = 0; v < 4; ++v) any.builder.add_variable(3);
  for (int v = 0; v < 4; ++v) any.builder.add_factor({v, (v + 1) % 4}, any.builder.add_table(9));
  LiveComponent solver("lp");
  solver.ask_to_stop(true);
  const sculpt_factor_graph& graph = any.graph();
  CHECK_THROWS_WITH(solve_bounded(solver, graph, normal_vector(random, cells(graph))), "stopped");
  LiveComponent clp("lp", {{"method", "clp"}});
  clp.ask_to_stop(false);
  solve_bounded(clp, graph, normal_vector(random, cells(graph)));
  CHECK(clp.polls() > 5);  // within its iterations, not only at the end
  clp.ask_to_stop(true);
  CHECK_THROWS_WITH(solve_bounded(clp, graph, normal_vector(random, cells(graph))), "stopped");
}

TEST_CASE("lp solves a grid that is too large for a naive search") {
  Random random(103);
  sculpt::FactorGraphBuilder builder;
  add_square(builder, 6, 4);
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_PAIRWISE, 0);
  const LiveComponent own("lp");
  const LiveComponent clp("lp", {{"method", "clp"}});
  for (int trial = 0; trial < 5; ++trial) {
    const std::vector<double> theta = normal_vector(random, cells(graph));
    const RelaxedAnswer found = solve_relaxed(own, graph, theta);
    const RelaxedAnswer reference = solve_relaxed(clp, graph, theta);
    CHECK(polytope_violation(graph, found.mu) < 1e-9);
    CHECK(std::abs(found.value - reference.value) < 1e-6);
    CHECK(found.bound - found.value < 1e-7);
  }
}
