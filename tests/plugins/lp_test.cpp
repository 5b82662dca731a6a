// lp against CLP, against the naive search and against the definition of the local polytope.
#include <doctest/doctest.h>

#include <cmath>

#include "random_pairs.hpp"
#include "relaxed_answers.hpp"

using namespace plugin_test;
using doctest::Approx;

namespace {

std::size_t cells(const sculpt_factor_graph& graph) {
  return static_cast<std::size_t>(graph.theta_size);
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

struct Tally {
  int graphs = 0;
  int fractional = 0;
};

// What every relaxed answer has to keep, whatever the method.
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

// The labels, of the same question.
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

TEST_CASE("lp by a minimum cut has the value of CLP on binary pairs, half-integral, consistent") {
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
    REQUIRE(found.has(SCULPT_ANSWER_EXACT));  // of the relaxed problem
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

TEST_CASE("lp has the value of CLP on graphs of any states and scopes, consistent") {
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

TEST_CASE("lp's beliefs are consistent to 1e-9 on frustrated graphs of three states") {
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
