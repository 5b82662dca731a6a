// The losses f1, difference and missed on binary labels agree with their formulas, also by factors
// and by counts. Their metrics.
#include <doctest/doctest.h>

#include "bound_features.hpp"
#include "count_calls.hpp"

#include <algorithm>
#include <cmath>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

struct Parts {
  double matched = 0;
  double predicted = 0;
  double truth = 0;
};

Parts parts_of(const Outputs& truth, const Outputs& guess) {
  Parts parts;
  for (std::size_t v = 0; v < truth.size(); ++v) {
    parts.matched += truth[v] == 1 && guess[v] == 1 ? 1 : 0;
    parts.predicted += guess[v];
    parts.truth += truth[v];
  }
  return parts;
}

double expected(const std::string& name, const json& parameters, const Parts& parts) {
  const auto [m, p, t] = parts;
  if (name == "f1") return p + t > 0 ? 1 - 2 * m / (p + t) : 0;
  if (name == "missed") return t > 0 ? 1 - m / t : 0;
  const double unit = parameters.value("normalize", false) ? std::max(t, 1.0) : 1;
  return (t - m + parameters.value("extra", 1.0) * (p - m)) / unit;
}

struct ItemLoss {
  std::string name;
  json parameters = json::object();
};
const std::vector<ItemLoss> item_losses = {{"f1"},
                                           {"missed"},
                                           {"difference"},
                                           {"difference", {{"normalize", true}}},
                                           {"difference", {{"extra", 0.3}}},
                                           {"difference", {{"extra", 4}, {"normalize", true}}},
                                           {"difference", {{"extra", 0}}}};

// Features of five binary labels with all pairs.
BoundFeatures five_labels() {
  return BoundFeatures("mlsvml", json::object(), "1,5 1:1\n- 2:1\n", "multilabel");
}

Outputs draw_labels(Random& random) {
  Outputs y(5);
  for (std::int32_t& label : y) label = draw(random, 0, 1);
  return y;
}

}  // namespace

TEST_CASE("f1, difference and missed have their values, also by factors, counts and slopes") {
  Random random(907);
  const BoundFeatures features = five_labels();
  const sculpt_factor_graph& graph = graph_of(features.features, 0);
  for (const auto& [name, parameters] : item_losses) {
    LiveComponent component("item_losses#" + name, parameters);
    component.bind(&features.dataset, &features.features);
    const bool linear = name != "f1";
    const auto slopes = component.extension<sculpt_ext_count_loss>(SCULPT_EXT_COUNT_LOSS).slopes;
    REQUIRE((slopes != nullptr) == linear);
    REQUIRE(component.offers(SCULPT_EXT_FACTOR_LOSS) == linear);
    for (int trial = 0; trial < 300; ++trial) {
      const Outputs truth = draw_labels(random);
      const Outputs guess = trial < 3 ? truth : draw_labels(random);
      const Parts parts = parts_of(truth, guess);
      const double delta = expected(name, parameters, parts);
      REQUIRE(loss(component, truth, guess) == Approx(delta).epsilon(1e-14));
      if (guess == truth) REQUIRE(loss(component, truth, guess) == 0);

      const CountTables tables = factor_counts(component, graph, truth);
      const Counts counts = naive_counts(graph, tables, {INT64_MAX, INT64_MAX}, guess);
      REQUIRE(counts[0] == parts.matched);
      REQUIRE(counts[1] == parts.predicted);
      REQUIRE(loss_of_counts(component, truth, {counts[0], counts[1]}) ==
              Approx(delta).epsilon(1e-14));
      if (!linear) continue;
      std::vector<double> theta(static_cast<std::size_t>(graph.theta_size));
      const double constant = add_factor_loss(component, graph, truth, 3, theta);
      REQUIRE(constant + naive_score(graph, theta, guess) == Approx(3 * delta).epsilon(1e-14));
      double line = 0;
      double slope[2] = {0, 0};
      ErrorText error;
      error.check(slopes(component.session(), 0, view(truth), &line, slope, error.raw()));
      REQUIRE(line + slope[0] * parts.matched + slope[1] * parts.predicted ==
              Approx(delta).epsilon(1e-14));
    }
  }
}

TEST_CASE("f1, difference and missed are not negative at counts that no output has") {
  const BoundFeatures features = five_labels();
  for (const auto& [name, parameters] : item_losses) {
    LiveComponent component("item_losses#" + name, parameters);
    component.bind(&features.dataset, &features.features);
    for (std::int64_t matched = 0; matched < 6; ++matched) {
      for (std::int64_t predicted = 0; predicted < 6; ++predicted) {
        CHECK(loss_of_counts(component, {1, 0, 1, 0, 0}, {matched, predicted}) >= 0);
        CHECK(loss_of_counts(component, {0, 0, 0, 0, 0}, {matched, predicted}) >= 0);
      }
    }
  }
}

TEST_CASE("the metrics of f1 count parts over all examples, and a missing output has no parts") {
  const BoundFeatures features = five_labels();
  LiveComponent f1("item_losses#f1");
  f1.bind(&features.dataset, &features.features);
  const json measured = metrics(f1,
                                {{{1, 1, 0, 0, 0}, {1, 0, 1, 0, 1}},
                                 {{0, 1, 1, 1, 0}, {0, 1, 1, 1, 0}},
                                 {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}}},
                                {Outputs{1, 0, 0, 0, 0}});
  CHECK(measured["f1"].get<double>() == Approx(2 * 4 / 12.0));
  CHECK(measured["precision"].get<double>() == Approx(4 / 6.0));
  CHECK(measured["recall"].get<double>() == Approx(4 / 6.0));
  CHECK(measured["exact_match"].get<double>() == Approx(2 / 4.0));
  const json nothing = metrics(f1, {{{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}}});
  for (const char* undefined : {"f1", "precision", "recall"}) {
    CHECK(std::isnan(nothing[undefined].get<double>()));
  }
  CHECK(nothing["exact_match"].get<double>() == 1);
}

TEST_CASE("losses on parts refuse datasets without the extension items") {
  const BoundFeatures rows("svmlight", json::object(), "1 1:1\n2 2:1\n", "multiclass");
  LiveComponent f1("item_losses#f1");
  CHECK_THROWS_WITH(f1.bind(&rows.dataset, &rows.features),
                    "counts parts of outputs, such as brackets, pairs, or labels that are on, but "
                    "outputs of org.sculpt.svmlight have no such parts");
}
