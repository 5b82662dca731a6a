// contingency: losses agree with their formulas, measures with their definitions, and the oracle
// with a list of all outputs.
#include <doctest/doctest.h>

#include "count_calls.hpp"
#include "random_sets.hpp"

#include <algorithm>
#include <cmath>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

// n rows, P of them positive; p predicted positive, a of these rightly.
struct RowCounts {
  double P = 0, n = 0, a = 0, p = 0;
};

struct ContingencyLoss {
  std::string loss;
  json parameters;
  double (*delta)(const RowCounts&);
  // The least and the most rows that an output predicts positive.
  std::pair<double, double> (*taken)(const RowCounts&) = [](const RowCounts& c) {
    return std::pair(0.0, c.n);
  };
};

double f_beta(double beta, const RowCounts& c) {
  const double squared = beta * beta;
  return 1 - (1 + squared) * c.a / (squared * c.P + c.p);
}

const std::vector<ContingencyLoss> contingency_losses = {
    {"contingency#f_beta", json::object(), [](const RowCounts& c) { return f_beta(1, c); }},
    {"contingency#f_beta", {{"beta", 0.1}}, [](const RowCounts& c) { return f_beta(0.1, c); }},
    {"contingency#f_beta", {{"beta", 3}}, [](const RowCounts& c) { return f_beta(3, c); }},
    {"item_losses#f1", json::object(), [](const RowCounts& c) { return f_beta(1, c); }},
    {"contingency#error_rate", json::object(),
     [](const RowCounts& c) { return (c.P + c.p - 2 * c.a) / c.n; }},
    {"contingency#balanced_error", json::object(),
     [](const RowCounts& c) { return ((c.P - c.a) / c.P + (c.p - c.a) / (c.n - c.P)) / 2; }},
    {"contingency#break_even", json::object(), [](const RowCounts& c) { return 1 - c.a / c.P; },
     [](const RowCounts& c) { return std::pair(c.P, c.P); }},
    {"contingency#precision_at",
     {{"k", 2}},
     [](const RowCounts& c) { return c.p == 0 ? 0 : 1 - c.a / c.p; },
     [](const RowCounts& c) { return std::pair(std::min(2.0, c.P), c.n); }},
    {"contingency#precision_at",
     {{"k", 3}},
     [](const RowCounts& c) { return c.p == 0 ? 0 : 1 - c.a / c.p; },
     [](const RowCounts& c) { return std::pair(std::min(3.0, c.P), c.n); }},
    {"contingency#recall_at",
     {{"k", 3}},
     [](const RowCounts& c) { return 1 - c.a / c.P; },
     [](const RowCounts& c) { return std::pair(0.0, std::max(3.0, c.P)); }}};

RowCounts row_counts_of(const Outputs& truth, const Outputs& y) {
  RowCounts counts;
  counts.n = static_cast<double>(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    counts.P += truth[i];
    counts.p += y[i] % 2;
    counts.a += truth[i] * (y[i] % 2);
  }
  return counts;
}

std::vector<Outputs> outputs_of(const ContingencyLoss& form, const Outputs& truth) {
  const auto [least, most] = form.taken(row_counts_of(truth, truth));
  return all_choices(truth.size(), static_cast<std::int64_t>(least),
                     static_cast<std::int64_t>(most));
}

// Levels of rows as a prediction has them. From some level on they are positive, so odd.
Outputs draw_predicted_levels(Random& random, std::size_t rows) {
  Outputs y(rows);
  const int first_positive = draw(random, 0, 4);
  for (std::int32_t& one : y) {
    const int level = draw(random, 0, 3);
    one = 2 * level + (level >= first_positive ? 1 : 0);
  }
  return y;
}

}  // namespace

TEST_CASE("contingency: the answer is the best of all outputs for every loss, also with ties") {
  Random random(801);
  for (int trial = 0; trial < 3000; ++trial) {
    const ContingencyLoss& form =
        contingency_losses[static_cast<std::size_t>(trial) % contingency_losses.size()];
    const RandomSet set = draw_set(random, draw(random, 3, 8));
    const BoundSet bound(set, form.loss, form.parameters, {{"bias", trial % 2 == 0}});
    OracleQuery query;
    query.w = draw_weights(random, bound.bound);
    query.truth = set.truth;
    query.loss_weight = std::vector<double>{0, 0.3, 1, 7}[static_cast<std::size_t>(trial / 9) % 4];
    const auto value_of = [&](const Outputs& y) {
      return bound.score(query.w, y) + query.loss_weight * form.delta(row_counts_of(set.truth, y));
    };
    const std::vector<Outputs> all = outputs_of(form, set.truth);
    double best = -INFINITY;
    for (const Outputs& y : all) best = std::max(best, value_of(y));
    const Solution found = argmax(bound.oracle, query);
    REQUIRE((found.flags & SCULPT_ANSWER_EXACT) != 0);
    REQUIRE(found.value == Approx(best).epsilon(1e-12));
    REQUIRE(value_of(found.output) == Approx(best).epsilon(1e-12));
    REQUIRE(std::find(all.begin(), all.end(), found.output) != all.end());
    REQUIRE(std::find(all.begin(), all.end(), set.truth) != all.end());
    REQUIRE((found.flags & SCULPT_ANSWER_TRUTH_OUTSIDE) == 0);
  }
}

// This is why training reduces slack.
TEST_CASE("contingency: the slack of a set is at least the loss of its prediction") {
  Random random(809);
  for (int trial = 0; trial < 2000; ++trial) {
    const ContingencyLoss& form =
        contingency_losses[static_cast<std::size_t>(trial) % contingency_losses.size()];
    const RandomSet set = draw_set(random, draw(random, 3, 8));
    const BoundSet bound(set, form.loss, form.parameters, {{"bias", true}});
    const auto w = draw_weights(random, bound.bound);
    const double slack =
        argmax(bound.oracle, {0, w, set.truth, 1, true}).value - bound.score(w, set.truth);
    const Outputs prediction = argmax(bound.oracle, {0, w, {}, 0, false}).output;
    REQUIRE(slack >= loss(bound.loss, 0, set.truth, prediction) - 1e-12);
  }
}

TEST_CASE("contingency: the order found is the best of all orders, also with ties") {
  Random random(807);
  for (int trial = 0; trial < 1000; ++trial) {
    const bool area = trial % 2 == 0;
    const RandomSet set = draw_set(random, draw(random, 2, 6));
    const BoundSet bound(set, area ? "contingency#roc_area" : "contingency#average_precision",
                         json::object(), {{"output", "order"}});
    OracleQuery query;
    query.w = draw_weights(random, bound.bound);
    query.truth = set.truth;
    query.loss_weight = std::vector<double>{0, 0.3, 1, 7}[static_cast<std::size_t>(trial / 2) % 4];
    const auto delta = [&](const Outputs& y) {
      return 1 - (area ? area_by_pairs(set.truth, y) : mean_average_precision(set.truth, y));
    };
    const auto value_of = [&](const Outputs& y) {
      return bound.score(query.w, y) + query.loss_weight * delta(y);
    };
    const std::vector<Outputs> all = all_orders(set.truth);
    double best = -INFINITY;
    for (const Outputs& y : all) {
      REQUIRE(loss(bound.loss, 0, set.truth, y) == Approx(delta(y)).epsilon(1e-12));
      best = std::max(best, value_of(y));
    }
    const Solution found = argmax(bound.oracle, query);
    REQUIRE((found.flags & SCULPT_ANSWER_EXACT) != 0);
    REQUIRE(found.value == Approx(best).epsilon(1e-12));
    REQUIRE(value_of(found.output) == Approx(best).epsilon(1e-12));
    REQUIRE(std::find(all.begin(), all.end(), found.output) != all.end());

    // psi as a sum over pairs, for any levels
    const Outputs y = draw_predicted_levels(random, set.truth.size());
    std::vector<double> by_pairs(2, 0.0);
    const double pairs =
        static_cast<double>(set.positive()) *
        static_cast<double>(set.truth.size() - static_cast<std::size_t>(set.positive()));
    for (std::size_t i = 0; i < y.size(); ++i) {
      for (std::size_t j = 0; j < y.size(); ++j) {
        if (set.truth[i] != 1 || set.truth[j] != 0) continue;
        const double sign = y[i] > y[j] ? 1 : y[i] < y[j] ? -1 : 0;
        for (std::size_t k = 0; k < 2; ++k) {
          by_pairs[k] += sign * (set.input[i][k] - set.input[j][k]) / (2 * pairs);
        }
      }
    }
    const std::vector<double> sum = psi(bound.bound.features, 0, y);
    for (std::size_t k = 0; k < sum.size(); ++k)
      REQUIRE(sum[k] == Approx(by_pairs[k]).epsilon(1e-12));
  }
}

TEST_CASE("contingency: in orders of many rows no row does better at another place") {
  Random random(808);
  for (int trial = 0; trial < 20; ++trial) {
    const RandomSet set = draw_set(random, 60);
    const BoundSet bound(set, "contingency#average_precision", json::object(),
                         {{"output", "order"}});
    OracleQuery query;
    query.w = draw_weights(random, bound.bound);
    query.truth = set.truth;
    query.loss_weight = 0.3 + 0.5 * (trial % 5);
    const auto value_of = [&](const Outputs& y) {
      return bound.score(query.w, y) + query.loss_weight * loss(bound.loss, 0, set.truth, y);
    };
    const Solution found = argmax(bound.oracle, query);
    REQUIRE(found.value == Approx(value_of(found.output)).epsilon(1e-11));
    for (std::size_t row = 0; row < set.truth.size(); ++row) {
      for (std::int32_t number = 0; number <= 120; ++number) {
        Outputs moved = found.output;
        for (std::int32_t& one : moved) one = 2 * one + 1;
        moved[row] = number;
        if (std::any_of(moved.begin(), moved.end(), [&](const std::int32_t& one) {
              const auto other = static_cast<std::size_t>(&one - moved.data());
              return one == number && set.truth[other] != set.truth[row];
            })) {
          continue;
        }
        REQUIRE(value_of(moved) <= found.value + 1e-9);
      }
    }
  }
}

TEST_CASE("contingency: psi of a set with many values is the sum over its rows") {
  Random random(809);
  RandomSet set;
  for (int i = 0; i < 3000; ++i) {
    set.truth.push_back(i % 3 == 0);
    set.input.emplace_back();
    for (int j = 0; j < 60; ++j) set.input.back().push_back(draw(random, 1, 9) * 0.25);
  }
  const BoundSet bound(set, "contingency#error_rate", json::object(), {{"bias", true}});
  std::vector<double> by_rows(61, 0.0);
  for (std::size_t i = 0; i < set.truth.size(); ++i) {
    const double sign = set.truth[i] == 1 ? 1.0 / 3000 : -1.0 / 3000;
    for (std::size_t j = 0; j < 60; ++j) by_rows[j] += sign * set.input[i][j];
    by_rows[60] += sign;
  }
  const std::vector<double> sum = psi(bound.bound.features, 0, set.truth);
  for (std::size_t j = 0; j < sum.size(); ++j) CHECK(sum[j] == Approx(by_rows[j]).epsilon(1e-12));
}

TEST_CASE("contingency: of tied answers with orders the one with mistakes is returned") {
  for (const char* loss : {"contingency#roc_area", "contingency#average_precision"}) {
    RandomSet set;
    set.truth = {1, 0, 1};
    set.input = {{1}, {2}, {3}};
    const BoundSet bound(set, loss, json::object(), {{"output", "order"}});
    OracleQuery query;
    query.w = {0};
    query.truth = set.truth;
    query.loss_weight = 0;
    CHECK(argmax(bound.oracle, query).output == Outputs{1, 2, 1});
  }
}

TEST_CASE("contingency: with beta below 1 the search finds gains after a row without gain") {
  RandomSet set;
  set.truth = {1, 1, 1, 1, 1, 0};
  set.input = {{5}, {5}, {5}, {5}, {5}, {-0.15}};
  const BoundSet bound(set, "contingency#f_beta", {{"beta", 0.1}}, json::object());
  OracleQuery query;
  query.w = {6};  // psi is the mean of six rows
  query.truth = set.truth;
  query.loss_weight = 1;
  double best = -INFINITY;
  for (const Outputs& y : all_choices(6, 0, 6)) {
    best = std::max(best, bound.score(query.w, y) + f_beta(0.1, row_counts_of(set.truth, y)));
  }
  CHECK(argmax(bound.oracle, query).value == Approx(best).epsilon(1e-14));
}

TEST_CASE("contingency: the frontier has the best score for all counts, and an output") {
  Random random(802);
  for (int trial = 0; trial < 300; ++trial) {
    const ContingencyLoss& form =
        contingency_losses[static_cast<std::size_t>(trial) % contingency_losses.size()];
    const RandomSet set = draw_set(random, draw(random, 3, 7));
    const BoundSet bound(set, form.loss, form.parameters, {{"bias", trial % 2 == 0}});
    OracleQuery query;
    query.w = draw_weights(random, bound.bound);
    query.truth = set.truth;
    query.loss_weight = 1;
    std::map<Counts, double> best;
    for (const Outputs& y : outputs_of(form, set.truth)) {
      const RowCounts c = row_counts_of(set.truth, y);
      const Counts counts{static_cast<std::int64_t>(c.a), static_cast<std::int64_t>(c.p)};
      const double score = bound.score(query.w, y);
      const auto [place, is_new] = best.try_emplace(counts, score);
      if (!is_new) place->second = std::max(place->second, score);
    }
    const auto entries = frontier(bound.oracle, bound.loss, query);
    REQUIRE(entries.size() == best.size());
    for (const auto& [counts, entry] : entries) {
      REQUIRE(best.contains(counts));
      REQUIRE(entry.score == Approx(best[counts]).epsilon(1e-12));
      REQUIRE(bound.score(query.w, entry.output) == Approx(entry.score).epsilon(1e-12));
      const RowCounts c = row_counts_of(set.truth, entry.output);
      REQUIRE(counts == Counts{static_cast<std::int64_t>(c.a), static_cast<std::int64_t>(c.p)});
    }
  }
}

TEST_CASE(
    "contingency: a prediction has the rows with scores above 0, in the order of the scores") {
  Random random(803);
  for (int trial = 0; trial < 300; ++trial) {
    const RandomSet set = draw_set(random, 7);
    const BoundSet bound(set, "contingency#error_rate", json::object(), {{"bias", true}});
    OracleQuery query;
    query.w = draw_weights(random, bound.bound);
    query.labelled = false;
    const Solution found = argmax(bound.oracle, query);
    double best = -INFINITY;
    for (const Outputs& y : all_choices(7, 0, 7)) best = std::max(best, bound.score(query.w, y));
    REQUIRE(found.value == Approx(best).epsilon(1e-12));
    REQUIRE(bound.score(query.w, found.output) == Approx(best).epsilon(1e-12));
    std::vector<double> score;
    for (const auto& x : set.input) {
      score.push_back(query.w[0] * x[0] + query.w[1] * x[1] + query.w[2]);
    }
    for (std::size_t i = 0; i < 7; ++i) {
      REQUIRE((found.output[i] % 2 == 1) == (score[i] > 0));
      for (std::size_t j = 0; j < 7; ++j) {
        REQUIRE((found.output[i] > found.output[j]) == (score[i] > score[j]));
      }
    }
    // the text of the prediction reads back
    const std::string text = format(bound.bound.dataset, 0, found.output);
    REQUIRE(parse(bound.bound.dataset, 0, text) == found.output);
  }
}

TEST_CASE("contingency: losses have the values of their formulas, for outputs and for counts") {
  Random random(804);
  for (int trial = 0; trial < 900; ++trial) {
    const ContingencyLoss& form =
        contingency_losses[static_cast<std::size_t>(trial) % contingency_losses.size()];
    const RandomSet set = draw_set(random, 6);
    const BoundSet bound(set, form.loss, form.parameters, json::object());
    CHECK(loss(bound.loss, 0, set.truth, set.truth) == 0);
    const Outputs y = draw_predicted_levels(random, 6);
    RowCounts c = row_counts_of(set.truth, y);
    const auto [least, most] = form.taken(c);
    const double taken = std::clamp(c.p, least, most);
    if (taken != c.p) {
      c.p = taken;
      c.a = mean_found_among_first(static_cast<std::int64_t>(taken), set.truth, y);
    }
    REQUIRE(loss(bound.loss, 0, set.truth, y) == Approx(form.delta(c)).epsilon(1e-12));
    const Outputs of_counts = outputs_of(form, set.truth).front();
    const RowCounts counted = row_counts_of(set.truth, of_counts);
    REQUIRE(loss_of_counts(
                bound.loss, set.truth,
                {static_cast<std::int64_t>(counted.a), static_cast<std::int64_t>(counted.p)}) ==
            Approx(form.delta(counted)).epsilon(1e-12));
  }
}

TEST_CASE("contingency: metrics agree with their definitions, also with ties") {
  Random random(805);
  const RandomSet any = draw_set(random, 6);
  const BoundSet bound(any, "contingency#error_rate", json::object(), json::object());
  for (int trial = 0; trial < 200; ++trial) {
    const RandomSet set = draw_set(random, 6);
    const Outputs y = draw_predicted_levels(random, 6);
    const RowCounts c = row_counts_of(set.truth, y);
    const json measured = metrics(bound.loss, {{set.truth, y}});
    CHECK(measured["error"] == Approx((c.P + c.p - 2 * c.a) / c.n));
    CHECK(measured["balanced_error"] ==
          Approx(((c.P - c.a) / c.P + (c.p - c.a) / (c.n - c.P)) / 2));
    CHECK(measured["f1"] == Approx(2 * c.a / (c.P + c.p)));
    if (c.p > 0) CHECK(measured["precision"] == Approx(c.a / c.p));
    CHECK(measured["recall"] == Approx(c.a / c.P));
    const double found = mean_found_among_first(set.positive(), set.truth, y);
    CHECK(measured["break_even"] == Approx(found / c.P));
    CHECK(measured["roc_area"] == Approx(area_by_pairs(set.truth, y)));
    CHECK(measured["average_precision"] == Approx(mean_average_precision(set.truth, y)));
  }
}
