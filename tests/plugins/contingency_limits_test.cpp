// contingency in special cases: the first k rows, sets with one label or without rows, many
// positive rows, scores that overflow, and refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "count_calls.hpp"
#include "random_sets.hpp"
#include "stored_sites.hpp"

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

// A set without rows. No reader of the project makes one.
struct EmptySets : StoredSites {
  static constexpr sculpt::About about{"org.example.empty_sets", "1", "for tests"};
  EmptySets() {
    store.begin_split("train");
    store.end_example(sculpt::Labels(Outputs{}));
  }
};

}  // namespace

TEST_CASE("contingency: precision and recall among the first 10 and 100 rows are means over ties") {
  Random random(807);
  for (const int rows : {9, 10, 23, 99, 130}) {
    const RandomSet set = draw_set(random, rows);
    Outputs y(set.truth.size());
    for (std::int32_t& number : y) number = static_cast<std::int32_t>(draw(random, 0, rows / 3));
    const BoundSet bound(set, "contingency#error_rate", json::object(), json::object());
    const json measured = metrics(bound.loss, {{set.truth, y}});
    for (const int k : {10, 100}) {
      double found = 0;  // each positive row adds its chance to be among the first k
      for (std::size_t i = 0; i < y.size(); ++i) {
        const auto before = std::count_if(y.begin(), y.end(), [&](auto n) { return n > y[i]; });
        const auto tied = std::count(y.begin(), y.end(), y[i]);
        found += set.truth[i] *
                 std::clamp(static_cast<double>(k - before) / static_cast<double>(tied), 0.0, 1.0);
      }
      const std::string at = "@" + std::to_string(k);
      CAPTURE(rows);
      CAPTURE(k);
      if (rows < k) {
        CHECK(std::isnan(measured["precision" + at].get<double>()));
        CHECK(std::isnan(measured["recall" + at].get<double>()));
      } else {
        CHECK(measured["precision" + at] == Approx(found / k));
        CHECK(measured["recall" + at] == Approx(found / static_cast<double>(set.positive())));
      }
    }
  }
}

TEST_CASE(
    "contingency: a set without an output counts as all wrong, one without rows does not count") {
  Random random(809);
  const RandomSet set = draw_set(random, 4);
  const BoundSet bound(set, "contingency#error_rate", json::object(), json::object());
  const json measured = metrics(bound.loss, {}, {{0, 1, 1, 0}});
  CHECK(measured.dump() == metrics(bound.loss, {{{0, 1, 1, 0}, {1, 0, 0, 1}}}).dump());
  for (const char* error : {"error", "balanced_error"}) CHECK(measured[error] == 1);
  for (const char* share : {"f1", "precision", "recall", "roc_area"}) CHECK(measured[share] == 0);

  LiveComponent sets(sculpt::Dataset<EmptySets>::component);
  LiveComponent loss("contingency#error_rate", json::object(), SCULPT_KIND_LOSS);
  loss.bind(&sets);
  CHECK(std::isnan(metrics(loss, {{Outputs{}, Outputs{}}})["error"].get<double>()));
}

TEST_CASE("contingency: sets without positive or without negative rows have losses and measures") {
  Random random(808);
  const RandomSet set = draw_set(random, 4);
  const Outputs none(4, 0);
  const Outputs all(4, 1);
  const Outputs one{0, 1, 0, 0};
  const auto losses = [&](const char* name, const Outputs& truth) {
    const BoundSet bound(set, std::string("contingency#") + name, json::object(), json::object());
    return std::vector<double>{loss(bound.loss, 0, truth, none), loss(bound.loss, 0, truth, one),
                               loss(bound.loss, 0, truth, all)};
  };
  using Values = std::vector<double>;
  CHECK(losses("f_beta", none) == Values{0, 1, 1});
  CHECK(losses("error_rate", none) == Values{0, 0.25, 1});
  CHECK(losses("balanced_error", none) == Values{0, 0.125, 0.5});
  CHECK(losses("break_even", none) == Values{0, 0, 0});
  CHECK(losses("f_beta", all) == Values{1, 1 - 2 / 5.0, 0});
  CHECK(losses("error_rate", all) == Values{1, 0.75, 0});
  CHECK(losses("balanced_error", all) == Values{0.5, 0.375, 0});
  CHECK(losses("break_even", all) == Values{0, 0, 0});

  const BoundSet bound(set, "contingency#f_beta", json::object(), json::object());
  const json measured = metrics(bound.loss, {{none, one}});
  CHECK(measured["error"] == 0.25);
  CHECK(measured["f1"] == 0);
  CHECK(measured["precision"] == 0);
  for (const char* undefined : {"recall", "balanced_error", "roc_area", "average_precision"}) {
    CHECK(std::isnan(measured[undefined].get<double>()));
  }
}

TEST_CASE("contingency: the loss of a truth against itself is 0 for any number of positive rows") {
  Random random(809);
  const RandomSet any = draw_set(random, 4);
  for (const double beta : {0.001, 0.6, 0.8, 1.0, 1.1, 1.9, 1000.0}) {
    const BoundSet bound(any, "contingency#f_beta", {{"beta", beta}}, json::object());
    CAPTURE(beta);
    Outputs truth{0, 0};
    for (std::int64_t positive = 1; positive <= 2000; ++positive) {
      truth.push_back(1);
      CAPTURE(positive);
      REQUIRE(loss_of_counts(bound.loss, truth, {positive, positive}) == 0);
    }
  }
  for (const int positive : {49, 77, 154, 161, 376, 389}) {
    RandomSet set;
    set.truth.assign(static_cast<std::size_t>(positive), 1);
    set.truth.push_back(0);
    set.input.assign(set.truth.size(), {1, 0});
    for (const int k : {1, 3, 10, 16, 48}) {
      for (const char* name : {"contingency#precision_at", "contingency#recall_at"}) {
        const BoundSet bound(set, name, {{"k", k}}, json::object());
        CAPTURE(positive);
        CAPTURE(k);
        REQUIRE(loss(bound.loss, 0, set.truth, set.truth) == 0);
      }
    }
  }
}

TEST_CASE("contingency: scores that overflow are refused") {
  const RandomSet set{{1, 0}, {{1e308, 1e308}, {1, 1}}};
  for (const char* output : {"labels", "order"}) {
    const bool labels = std::string(output) == "labels";
    const BoundSet bound(set, labels ? "contingency#f_beta" : "contingency#roc_area",
                         json::object(), {{"output", output}});
    CHECK_THROWS_WITH(argmax(bound.oracle, {0, {10, -10}, set.truth, 1, true}),
                      doctest::Contains("overflow; set \"scaling\" in \"dataset\""));
  }
  // The sum of these scores is finite, but in some orders a partial sum overflows.
  const RandomSet wide{{1, 0, 1}, {{1, 0}, {-1, 0}, {1, 0}}};
  const BoundSet bound(wide, "contingency#f_beta", json::object(), json::object());
  CHECK_THROWS_WITH(argmax(bound.oracle, {0, {1.7e308, 0}, wide.truth, 1, true}),
                    doctest::Contains("overflow; set \"scaling\" in \"dataset\""));
}

TEST_CASE("contingency: a set without rows has one output, with value 0") {
  LiveComponent dataset(sculpt::Dataset<EmptySets>::component);
  LiveComponent features("contingency", json::object(), SCULPT_KIND_FEATURES);
  features.bind(&dataset);
  features.seal();
  CHECK(psi(features, 0, {}) == std::vector<double>{0});
  for (const char* name : {"f_beta", "error_rate", "balanced_error", "break_even"}) {
    CAPTURE(name);
    LiveComponent one(std::string("contingency#") + name);
    one.bind(&dataset, &features);
    one.seal();
    CHECK(loss(one, 0, {}, {}) == 0);
    LiveComponent oracle("contingency", json::object(), SCULPT_KIND_ORACLE);
    oracle.bind(&dataset, &features, &one);
    oracle.seal();
    const Solution found = argmax(oracle, {0, {1}, {}, 1, true});
    CHECK(found.output.empty());
    CHECK(found.value == 0);
    CHECK((found.flags & SCULPT_ANSWER_EXACT) != 0);
  }
}

TEST_CASE(
    "contingency: data to predict may have rows of one label, and only training needs k rows") {
  // The second set has only one row, +1.
  const auto bound = [](const std::string& loss_name, const char* split) {
    LiveComponent dataset("contingency#svmlight_set");
    dataset.load("train", "+1 1:1\n-1 2:1\n");
    dataset.load(split, "+1 1:1\n");
    LiveComponent one("contingency#" + loss_name,
                      loss_name.ends_with("_at") ? json{{"k", 2}} : json::object());
    one.bind(&dataset);
    one.seal();
    CHECK(loss(one, 1, {1}, {1}) == 0);
    CHECK(loss(one, 1, {1}, {0}) == (loss_name == "recall_at" ? 1 : 0));
  };
  for (const char* name : {"precision_at", "recall_at"}) {
    for (const char* split : {"validation", "test", "predict"}) bound(name, split);
  }
  for (const char* name : {"roc_area", "average_precision"}) {
    CAPTURE(name);
    bound(name, "predict");
    for (const std::string split : {"validation", "test"}) {
      CHECK_THROWS_WITH(bound(name, split.c_str()),
                        doctest::Contains(("example 1 (" + split + "): ").c_str()));
    }
  }
  CHECK_THROWS_WITH(
      bound("roc_area", "test"),
      doctest::Contains("the set has no negative rows, so all its orders are equally good; remove "
                        "the set, or add such rows"));
}

TEST_CASE("contingency refuses what it cannot count or compare, with a remedy") {
  Random random(806);
  const RandomSet set = draw_set(random, 5);
  const auto refusal = [&](const std::string& loss_name, const json& parameters,
                           const json& features = json::object()) -> std::string {
    try {
      const BoundSet bound(set, loss_name, parameters, features);
      return "accepted";
    } catch (const CallFailed& failure) {
      return failure.what();
    }
  };
  CHECK(refusal("contingency#precision_at", {{"k", 6}}) ==
        "example 0 (train): k is 6, but the set has 5 rows; lower k");
  CHECK(refusal("zero_one", json::object()).find("counts matched, predicted") != std::string::npos);

  CHECK(refusal("contingency#roc_area", json::object()) ==
        "predicts labels of rows, but the loss org.sculpt.roc_area depends on their order; set "
        "features.output "
        "to order");
  CHECK(
      refusal("contingency#f_beta", json::object(), {{"output", "order"}}) ==
      "orders rows only with the losses roc_area and average_precision; for org.sculpt.f_beta set "
      "features.output to labels");
  CHECK(refusal("contingency#roc_area", json::object(), {{"output", "order"}, {"bias", true}}) ==
        "a bias changes no order; set bias to false");

  BoundFeatures letters("svmlight", json::object(), "1 1:1\n2 2:1\n3 3:1\n", "multiclass");
  LiveComponent features("contingency", json::object(), SCULPT_KIND_FEATURES);
  CHECK_THROWS_WITH(features.bind(&letters.dataset),
                    "needs two labels, positive and negative, but "
                    "org.sculpt.svmlight has 3 labels; use the dataset svmlight_set, or one with "
                    "two labels and one for "
                    "each site");
}
