// zero_one and hamming: values, sums over factors, and metrics.
#include <doctest/doctest.h>

#include "live_component.hpp"
#include "random_graphs.hpp"

using namespace plugin_test;
using doctest::Approx;

namespace {

// Adds the loss to theta = 0. Then constant + score(y) = scale * Delta(truth, y).
void check_factors(const LiveComponent& component, const sculpt_factor_graph& graph,
                   Random& random) {
  Outputs truth = draw_output(random, graph);
  for (std::int32_t& label : truth) {
    if (draw(random, 0, 4) == 0) label = -1;
  }
  const double scale = 0.5 + draw(random, 0, 4);
  std::vector<double> theta(static_cast<std::size_t>(graph.theta_size));
  const double constant = add_factor_loss(component, graph, truth, scale, theta);
  for (int trial = 0; trial < 10; ++trial) {
    const Outputs guess = draw_output(random, graph);
    REQUIRE(constant + naive_score(graph, theta, guess) ==
            Approx(scale * loss(component, truth, guess)).epsilon(1e-14));
  }
}

}  // namespace

TEST_CASE("hamming counts the labels that are wrong") {
  const LiveComponent hamming("hamming");
  CHECK(loss(hamming, {1, 2, 3}, {1, 2, 3}) == 0);
  CHECK(loss(hamming, {1, 2, 3}, {0, 2, 0}) == 2);
  CHECK(loss(hamming, {}, {}) == 0);
}

TEST_CASE("hamming with normalize is divided by the length, and 1 if all labels are wrong") {
  const LiveComponent hamming("hamming", {{"normalize", true}});
  CHECK(loss(hamming, {1, 2, 3, 4}, {0, 2, 3, 4}) == 0.25);
  CHECK(loss(hamming, Outputs(49, 1), Outputs(49, 0)) == 1);
  CHECK(loss(hamming, {}, {}) == 0);
}

TEST_CASE("hamming and zero_one ignore labels that were not observed") {
  CHECK(loss(LiveComponent("hamming"), {-1, 2, -1}, {0, 1, 5}) == 1);
  CHECK(loss(LiveComponent("hamming", {{"normalize", true}}), {-1, 2, -1}, {0, 1, 5}) == 1);
  CHECK(loss(LiveComponent("zero_one"), {-1, 2}, {7, 2}) == 0);
  CHECK(loss(LiveComponent("zero_one"), {-1, 2}, {7, 1}) == 1);
}

TEST_CASE("hamming refuses outputs of different length, zero_one counts them as different") {
  CHECK_THROWS_WITH(loss(LiveComponent("hamming"), {1, 2}, {1}),
                    "compares outputs of equal length, but the truth has 2 labels and the guess 1");
  CHECK(loss(LiveComponent("zero_one"), {1, 2}, {1}) == 1);
}

TEST_CASE("zero_one is 1 for every difference") {
  const LiveComponent zero_one("zero_one");
  CHECK(loss(zero_one, {3}, {3}) == 0);
  CHECK(loss(zero_one, {3}, {1}) == 1);
  CHECK(loss(zero_one, {3, 1, 2}, {1, 2, 3}) == 1);
  CHECK(loss(zero_one, {}, {}) == 0);
}

TEST_CASE("the factors of hamming add up to the loss on any graph") {
  Random random(19);
  const LiveComponent counted("hamming");
  const LiveComponent divided("hamming", {{"normalize", true}});
  for (int trial = 0; trial < 300; ++trial) {
    RandomGraph random_one = random_graph(random);
    check_factors(counted, random_one.graph(), random);
    check_factors(divided, random_one.graph(), random);
  }
}

TEST_CASE("the factors of zero_one add up to the loss on one variable") {
  Random random(23);
  const LiveComponent zero_one("zero_one");
  for (int trial = 0; trial < 100; ++trial) {
    RandomGraph chain = random_chain(random, 1, false, false);
    check_factors(zero_one, chain.graph(), random);
  }
}

TEST_CASE("metrics count an example without an output as all wrong") {
  const std::vector<std::pair<Outputs, Outputs>> none;
  const auto hamming = metrics(LiveComponent("hamming"), {{{1, 2, 3}, {1, 2, 0}}, {{1}, {1}}},
                               {Outputs{1, -1, 3}, Outputs{}});
  CHECK(hamming["label_error"].get<double>() == Approx(3 / 6.0));
  CHECK(hamming["sequence_error"].get<double>() == Approx(3 / 4.0));
  const auto zero_one =
      metrics(LiveComponent("zero_one"), none, {Outputs{1}, Outputs{}, Outputs{-1}});
  CHECK(zero_one["error"].get<double>() == 1);
}

TEST_CASE("zero_one demands graphs of one variable, hamming none") {
  const LiveComponent zero_one("zero_one");
  const LiveComponent hamming("hamming");
  CHECK(loss_demands(zero_one) == SCULPT_GRAPH_SINGLE);
  CHECK(loss_demands(hamming) == 0);
  sculpt::FactorGraphBuilder builder;
  builder.add_variable(2);
  builder.add_variable(2);
  std::vector<double> theta(4);
  CHECK_THROWS_WITH(
      add_factor_loss(zero_one, builder.graph(0, 0), {0, 1}, 1, theta),
      "splits over one variable with one label, but this graph has 2 variables and the truth 2 "
      "labels; use a map_solver with a frontier");
  CHECK_THROWS_WITH(add_factor_loss(hamming, builder.graph(0, 0), {0}, 1, theta),
                    "counts labels, but the truth has 1 of them and the graph 2 variables");
}

TEST_CASE("the loss of the truth is exactly 0, also by factors") {
  const LiveComponent hamming("hamming", {{"normalize", true}});
  sculpt::FactorGraphBuilder builder;
  for (int v = 0; v < 7; ++v) builder.add_variable(3);
  const Outputs truth = {0, 1, 2, 0, 1, 2, 0};
  std::vector<double> theta(21);
  const double constant = add_factor_loss(hamming, builder.graph(0, 0), truth, 0.3, theta);
  CHECK(constant + naive_score(builder.graph(0, 0), theta, truth) == 0);
}

TEST_CASE("the metrics of hamming are the shares of wrong labels and of examples with errors") {
  const LiveComponent hamming("hamming", {{"normalize", true}});
  const nlohmann::json found =
      metrics(hamming, {{{1, 2, 3}, {1, 2, 0}}, {{1}, {1}}, {{1, -1}, {0, 5}}, {{2}, {2}}});
  CHECK(found == nlohmann::json{{"label_error", 2.0 / 6}, {"sequence_error", 0.5}});
}

// The truth of a label that training does not have is -2, that of an unobserved one -1.
TEST_CASE("a label that training does not have is an error of every guess, in loss and metrics") {
  const LiveComponent hamming("hamming");
  CHECK(loss(hamming, {1, -2, -1}, {1, 0, 0}) == 1);
  const nlohmann::json found = metrics(hamming, {{{1, -2, 0}, {1, 0, 0}}, {{1}, {1}}});
  CHECK(found["label_error"] == 0.25);
  CHECK(found["sequence_error"] == 0.5);
  CHECK(loss(LiveComponent("hamming", {{"normalize", true}}), {1, -2, -1}, {1, 0, 0}) == 0.5);
  const LiveComponent zero_one("zero_one");
  CHECK(loss(zero_one, {-2}, {0}) == 1);
  CHECK(loss(zero_one, {-1}, {0}) == 0);
  CHECK(metrics(zero_one, {{{-2}, {0}}, {{1}, {1}}})["error"] == 0.5);
}

TEST_CASE("the metric of zero_one is the share of wrong examples") {
  const LiveComponent zero_one("zero_one");
  CHECK(metrics(zero_one, {{{1}, {1}}, {{2}, {1}}, {{3}, {3}}, {{0}, {0}}}) ==
        nlohmann::json{{"error", 0.25}});
}

TEST_CASE("metrics of no examples are not a number") {
  CHECK(std::isnan(metrics(LiveComponent("zero_one"), {})["error"].get<double>()));
  CHECK(std::isnan(metrics(LiveComponent("hamming"), {})["label_error"].get<double>()));
}
