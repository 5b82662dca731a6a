// hamming and zero_one as functions of counts: g(counts of y) = Delta(truth, y). Counts are sums
// over the factors of a graph.
#include <doctest/doctest.h>

#include "count_calls.hpp"
#include "sdk/loss_that_counts/forgiving.cpp"

#include <algorithm>
#include <cmath>

using namespace plugin_test;
using doctest::Approx;

namespace {

const std::vector<nlohmann::json> hamming_forms = {{{"normalize", false}}, {{"normalize", true}}};

Outputs draw_truth(Random& random, const sculpt_factor_graph& graph) {
  Outputs truth = draw_output(random, graph);
  for (std::int32_t& label : truth) {
    if (draw(random, 0, 4) == 0) label = -1;
  }
  return truth;
}

// Checks that counts from the tables give the loss of every output.
void check_counts(const LiveComponent& component, RandomGraph& drawn, Random& random) {
  const sculpt_factor_graph& graph = drawn.graph();
  const Outputs truth = draw_truth(random, graph);
  const CountTables tables = factor_counts(component, graph, truth);
  const std::vector<std::int64_t> limits = {counts_of(component)[0].limit};
  for (int trial = 0; trial < 10; ++trial) {
    const Outputs y = draw_output(random, graph);
    const Counts counts = naive_counts(graph, tables, limits, y);
    REQUIRE(loss_of_counts(component, truth, {counts[0]}) == loss(component, truth, y));
  }
}

void check_one_or_two_losses(Random& random, bool single) {
  const LiveComponent zero_one("zero_one");
  for (const nlohmann::json& form : hamming_forms) {
    const LiveComponent hamming("hamming", form);
    for (int trial = 0; trial < 500; ++trial) {
      RandomGraph drawn = single ? random_chain(random, 1, false, false) : random_graph(random);
      check_counts(hamming, drawn, random);
      check_counts(zero_one, drawn, random);
    }
  }
}

}  // namespace

TEST_CASE("hamming counts all errors, zero_one at most one") {
  const LiveComponent hamming("hamming");
  const LiveComponent zero_one("zero_one");
  REQUIRE(counts_of(hamming).size() == 1);
  CHECK(counts_of(hamming)[0].name == "errors");
  CHECK(counts_of(hamming)[0].limit == std::numeric_limits<std::int64_t>::max());
  REQUIRE(counts_of(zero_one).size() == 1);
  CHECK(counts_of(zero_one)[0].name == "errors");
  CHECK(counts_of(zero_one)[0].limit == 1);
}

TEST_CASE("hamming and zero_one of counts have the values of their formulas") {
  const LiveComponent counted("hamming");
  const LiveComponent divided("hamming", {{"normalize", true}});
  const LiveComponent zero_one("zero_one");
  const Outputs truth = {3, -1, 0, 1, 1};
  CHECK(loss_of_counts(counted, truth, {3}) == 3);
  CHECK(loss_of_counts(divided, truth, {3}) == 0.75);
  CHECK(loss_of_counts(divided, {-1, -1}, {0}) == 0);
  CHECK(loss_of_counts(divided, {}, {0}) == 0);
  CHECK(loss_of_counts(zero_one, truth, {0}) == 0);
  CHECK(loss_of_counts(zero_one, truth, {1}) == 1);
}

TEST_CASE("the counts of an output give its loss on any graph") {
  Random random(131);
  check_one_or_two_losses(random, false);
}
TEST_CASE("the counts of an output give its loss on graphs of one variable") {
  Random random(137);
  check_one_or_two_losses(random, true);
}

TEST_CASE("counts work on graphs of any class, but the factors of zero_one need one variable") {
  const LiveComponent hamming("hamming");
  const LiveComponent zero_one("zero_one");
  CHECK(count_demands(hamming) == 0);
  CHECK(count_demands(zero_one) == 0);
  CHECK(loss_demands(zero_one) == SCULPT_GRAPH_SINGLE);
}

TEST_CASE("a label that the graph does not have makes every state an error") {
  sculpt::FactorGraphBuilder builder;
  builder.add_variable(2);
  builder.add_variable(3);
  for (const char* name : {"hamming", "zero_one"}) {
    const CountTables tables = factor_counts(LiveComponent(name), builder.graph(0, 0), {2, 1});
    CHECK(tables == CountTables{{1, 1, 1, 0, 1}});
  }
}

TEST_CASE("counts are refused if variables and labels differ in number") {
  sculpt::FactorGraphBuilder builder;
  builder.add_variable(2);
  builder.add_variable(2);
  for (const char* name : {"hamming", "zero_one"}) {
    CHECK_THROWS_WITH(factor_counts(LiveComponent(name), builder.graph(0, 0), {1}),
                      "counts labels, but the truth has 1 of them and the graph 2 variables");
  }
}

TEST_CASE("the loss with counts that sdk/losses.md shows is a function of its counts") {
  Random random(149);
  const LiveComponent forgiving(sculpt::Loss<Forgiving>::component);
  CHECK(loss(forgiving, {1, 2, 3, -1}, {1, 0, 3, 7}) == 0);
  CHECK(loss(forgiving, {1, 2, 3, -1}, {0, 0, 0, 7}) == 2);
  for (int trial = 0; trial < 300; ++trial) {
    RandomGraph drawn = random_graph(random);
    check_counts(forgiving, drawn, random);
  }
}

// Slack rescaling with hamming on a chain, by hand: max of Delta (1 + score(y) - score(truth)).
TEST_CASE("viterbi with counts finds the most violated output under slack rescaling") {
  Random random(139);
  const LiveComponent viterbi("viterbi");
  for (const nlohmann::json& form : hamming_forms) {
    const LiveComponent hamming("hamming", form);
    for (int trial = 0; trial < 300; ++trial) {
      RandomGraph chain = random_chain(random, draw(random, 1, 5), false, true);
      const sculpt_factor_graph& graph = chain.graph();
      const std::vector<double> theta =
          normal_vector(random, static_cast<std::size_t>(graph.theta_size));
      const Outputs truth = draw_output(random, graph);
      const double truth_score = naive_score(graph, theta, truth);
      const auto violation = [&](double delta, double score) {
        return delta * (1 + score - truth_score);
      };
      const SolverFrontier frontier(viterbi, graph, theta, factor_counts(hamming, graph, truth),
                                    {counts_of(hamming)[0].limit});
      double found = 0;
      for (std::int64_t errors = 0; errors < frontier.size(0); ++errors) {
        const double score = frontier.slice(errors)[0];
        if (std::isfinite(score)) {
          found = std::max(found, violation(loss_of_counts(hamming, truth, {errors}), score));
        }
      }
      double expected = 0;
      each_output(graph, [&](const Outputs& y) {
        expected =
            std::max(expected, violation(loss(hamming, truth, y), naive_score(graph, theta, y)));
      });
      REQUIRE(found == Approx(expected).epsilon(1e-12));
    }
  }
}
