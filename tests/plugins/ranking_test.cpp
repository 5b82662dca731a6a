// ranking: the oracle agrees with lists of all orders and all sets of swapped pairs, psi and losses
// with their definitions.
#include <doctest/doctest.h>

#include "all_orders.hpp"
#include "random_queries.hpp"

#include <cmath>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

using Order = std::vector<std::size_t>;

// A loss by its definition, as a function of one order and of the groups of the documents.
struct OrderLoss {
  std::string loss;
  json parameters;
  int relevant_from;  // parameter of the loss
  int largest;        // largest grade
  double (*delta)(const Outputs& groups, const Order& order);
};

double precision_lost(const Outputs& groups, const Order& order) {
  return 1 - average_precision(groups, order);
}
double rank_lost(const Outputs& groups, const Order& order) {
  return 1 - reciprocal_rank(groups, order);
}
template <std::size_t k, bool linear>
double gain_lost(const Outputs& groups, const Order& order) {
  return 1 - normalised_gain(gains_of(groups, linear), order, k);
}

const std::vector<OrderLoss> order_losses = {
    {"ranking#mean_average_precision", json::object(), 1, 2, precision_lost},
    {"ranking#mean_average_precision", {{"relevant_from", 2}}, 2, 3, precision_lost},
    {"ranking#reciprocal_rank", json::object(), 1, 2, rank_lost},
    {"ranking#ndcg", {{"k", 0}}, 0, 3, gain_lost<0, false>},
    {"ranking#ndcg", {{"k", 2}, {"gain", "linear"}}, 0, 3, gain_lost<2, true>},
    {"ranking#ndcg", {{"k", 3}, {"relevant_from", 2}}, 2, 3, gain_lost<3, true>},
    {"ranking#ndcg", json::object(), 0, 1, gain_lost<10, false>}};

std::vector<double> draw_two_weights(Random& random) {
  return {draw(random, -3, 3) * 0.5, draw(random, -3, 3) * 0.5};
}

double draw_loss_weight(Random& random) {
  return std::vector<double>{0, 0.3, 1, 7}[static_cast<std::size_t>(draw(random, 0, 3))];
}

Outputs draw_levels(Random& random, std::size_t documents) {
  Outputs y(documents);
  for (std::int32_t& one : y) one = draw(random, 0, 3);
  return y;
}

// The mean loss over all orders that agree with y.
double mean_delta(const OrderLoss& form, const Outputs& groups, const Outputs& y) {
  double sum = 0;
  double orders = 0;
  each_order(y, [&](const Order& order) {
    orders += 1;
    sum += form.delta(groups, order);
  });
  return sum / orders;
}

Outputs descending_numbers(const Order& order) {
  Outputs y(order.size());
  for (std::size_t r = 0; r < order.size(); ++r) {
    y[order[r]] = static_cast<std::int32_t>(order.size() - r);
  }
  return y;
}

// Checks that the oracle lists this output once, and the truth once.
void check_listed(const BoundQuery& bound, const RandomQuery& query, const Outputs& output) {
  const std::vector<Outputs> all = enumerated(bound.oracle, 0, 1 << 20);
  REQUIRE(std::count(all.begin(), all.end(), output) == 1);
  REQUIRE(std::count(all.begin(), all.end(), query.grades) == 1);
}

}  // namespace

TEST_CASE("ranking: the order found is the best of all orders for every loss, also with ties") {
  Random random(901);
  for (int trial = 0; trial < 3000; ++trial) {
    const OrderLoss& form = order_losses[static_cast<std::size_t>(trial) % order_losses.size()];
    const RandomQuery query = draw_query(random, draw(random, 2, 6), form.largest);
    const int psi_from = trial % 2 == 0 ? 0 : form.relevant_from;
    const bool normalize = trial % 3 > 0;
    const BoundQuery bound(query, form.loss, form.parameters,
                           {{"relevant_from", psi_from}, {"normalize", normalize}});
    const Outputs groups = groups_of(query.grades, form.relevant_from);
    const Outputs psi_groups = groups_of(query.grades, psi_from);
    OracleQuery oracle_query;
    oracle_query.w = draw_two_weights(random);
    oracle_query.truth = query.grades;
    oracle_query.loss_weight = draw_loss_weight(random);
    std::vector<double> scores = query.scores(oracle_query.w);
    if (!normalize) {
      for (double& one : scores) one *= pairs_of(psi_groups);
    }
    double best = -INFINITY;
    each_order(Outputs(groups.size(), 0), [&](const Order& order) {
      best = std::max(best, pair_score(psi_groups, descending_numbers(order), scores) +
                                oracle_query.loss_weight * form.delta(groups, order));
    });
    const Solution found = argmax(bound.oracle, oracle_query);
    REQUIRE((found.flags & SCULPT_ANSWER_EXACT) != 0);
    REQUIRE(found.value == Approx(best).epsilon(1e-12));
    REQUIRE(pair_score(psi_groups, found.output, scores) +
                oracle_query.loss_weight * mean_delta(form, groups, found.output) ==
            Approx(best).epsilon(1e-12));
    check_listed(bound, query, found.output);
  }
}

TEST_CASE("ranking: swapped pairs are the best of all sets, with the sum of hinges of all pairs") {
  Random random(903);
  for (int trial = 0; trial < 4000; ++trial) {
    const int relevant_from = draw(random, 0, 2);
    const bool loss_is_share = trial % 2 == 0;
    const bool psi_is_share = trial / 2 % 2 == 0;
    const RandomQuery query = draw_query(random, draw(random, 2, 5), 3);
    const BoundQuery bound(query, "ranking#pair_error",
                           {{"relevant_from", relevant_from}, {"normalize", loss_is_share}},
                           {{"relevant_from", relevant_from}, {"normalize", psi_is_share}});
    const Outputs groups = groups_of(query.grades, relevant_from);
    OracleQuery oracle_query;
    oracle_query.w = draw_two_weights(random);
    oracle_query.truth = query.grades;
    oracle_query.loss_weight = draw_loss_weight(random);
    const std::vector<double> scores = query.scores(oracle_query.w);
    const double of_loss = oracle_query.loss_weight / (loss_is_share ? pairs_of(groups) : 1);
    const double of_psi = 1 / (psi_is_share ? pairs_of(groups) : 1);
    double hinges = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      for (std::size_t j = 0; j < groups.size(); ++j) {
        if (groups[i] <= groups[j]) continue;
        hinges += std::max(0.0, of_loss - of_psi * (scores[i] - scores[j]));
      }
    }
    const double of_truth = pair_score(groups, query.grades, scores) * pairs_of(groups) * of_psi;
    const double best = of_truth + hinges;
    const Solution found = argmax(bound.oracle, oracle_query);
    REQUIRE((found.flags & SCULPT_ANSWER_EXACT) != 0);
    REQUIRE(found.value == Approx(best).epsilon(1e-12));
    const auto value_of = [&](const Outputs& y) {
      return bound.score(oracle_query.w, y) +
             oracle_query.loss_weight * loss(bound.loss, 0, query.grades, y);
    };
    REQUIRE(value_of(found.output) == Approx(best).epsilon(1e-12));
    if (pairs_of(groups) > 6) continue;
    for (const Outputs& y : enumerated(bound.oracle, 0, 1 << 20)) {
      REQUIRE(value_of(y) <= best + 1e-12);
    }
    check_listed(bound, query, found.output);
  }
}

TEST_CASE("ranking: with many documents and grades each pair is swapped independently") {
  Random random(904);
  for (int trial = 0; trial < 20; ++trial) {
    const RandomQuery query = draw_query(random, 80, 9);
    const BoundQuery bound(query, "ranking#pair_error", json::object(), json::object());
    OracleQuery oracle_query;
    oracle_query.w = draw_two_weights(random);
    oracle_query.truth = query.grades;
    oracle_query.loss_weight = 0.5 * (1 + trial % 4);
    const std::vector<double> scores = query.scores(oracle_query.w);
    Outputs expected(160, 0);
    for (std::size_t i = 0; i < 80; ++i) {
      for (std::size_t j = 0; j < 80; ++j) {
        if (query.grades[i] <= query.grades[j]) continue;
        if (scores[i] - scores[j] > oracle_query.loss_weight) continue;
        ++expected[i];
        ++expected[80 + j];
      }
    }
    REQUIRE(argmax(bound.oracle, oracle_query).output == expected);
  }
}

TEST_CASE("ranking: in orders of many documents no document does better at another place") {
  Random random(905);
  for (int trial = 0; trial < 14; ++trial) {
    const OrderLoss& form = order_losses[static_cast<std::size_t>(trial) % order_losses.size()];
    const RandomQuery query = draw_query(random, 40, form.largest);
    const BoundQuery bound(query, form.loss, form.parameters,
                           {{"relevant_from", form.relevant_from}});
    OracleQuery oracle_query;
    oracle_query.w = draw_two_weights(random);
    oracle_query.truth = query.grades;
    oracle_query.loss_weight = 0.3 + 0.5 * (trial % 5);
    const auto value_of = [&](const Outputs& y) {
      return bound.score(oracle_query.w, y) +
             oracle_query.loss_weight * loss(bound.loss, 0, query.grades, y);
    };
    const Solution found = argmax(bound.oracle, oracle_query);
    REQUIRE(found.value == Approx(value_of(found.output)).epsilon(1e-11));
    for (std::size_t document = 0; document < 40; ++document) {
      for (std::int32_t number = 0; number <= 90; number += 2) {
        Outputs moved = found.output;
        for (std::int32_t& one : moved) one = 2 * one + 1;
        moved[document] = number;
        REQUIRE(value_of(moved) <= found.value + 1e-9);
      }
    }
  }
}

TEST_CASE("ranking: losses and psi of any levels agree with their definitions") {
  Random random(906);
  for (int trial = 0; trial < 700; ++trial) {
    const OrderLoss& form = order_losses[static_cast<std::size_t>(trial) % order_losses.size()];
    const RandomQuery query = draw_query(random, 5, form.largest);
    const BoundQuery bound(query, form.loss, form.parameters, json::object());
    const Outputs y = draw_levels(random, 5);
    CHECK(loss(bound.loss, 0, query.grades, query.grades) == 0);
    REQUIRE(
        loss(bound.loss, 0, query.grades, y) ==
        Approx(mean_delta(form, groups_of(query.grades, form.relevant_from), y)).epsilon(1e-12));
    const std::vector<double> w = draw_two_weights(random);
    REQUIRE(bound.score(w, y) ==
            Approx(pair_score(query.grades, y, query.scores(w))).epsilon(1e-12));
    const BoundQuery pairs(query, "ranking#pair_error", json::object(), json::object());
    REQUIRE(loss(pairs.loss, 0, query.grades, y) ==
            Approx(wrong_pairs(query.grades, y)).epsilon(1e-12));
  }
}

TEST_CASE("ranking: the loss of a best order is 0 up to rounding, never negative") {
  Random random(913);
  for (int trial = 0; trial < 300; ++trial) {
    const RandomQuery query = draw_query(random, 25, 4);
    const BoundQuery bound(query, "ranking#ndcg", {{"k", 0}}, json::object());
    Outputs best(25);  // the order of the truth, with ties broken at random
    for (std::size_t i = 0; i < 25; ++i) best[i] = 1000 * query.grades[i] + draw(random, 0, 999);
    const double value = loss(bound.loss, 0, query.grades, best);
    REQUIRE(value >= 0);
    REQUIRE(value < 1e-14);
  }
}

TEST_CASE("ranking: a prediction sorts by score and is the best order without a loss") {
  Random random(907);
  for (int trial = 0; trial < 300; ++trial) {
    const RandomQuery query = draw_query(random, 5, 2);
    const BoundQuery bound(query, trial % 2 == 0 ? "ranking#ndcg" : "ranking#pair_error",
                           json::object(), json::object());
    OracleQuery oracle_query;
    oracle_query.w = draw_two_weights(random);
    oracle_query.labelled = false;
    const Solution found = argmax(bound.oracle, oracle_query);
    double best = -INFINITY;
    each_order(Outputs(5, 0), [&](const Order& order) {
      best = std::max(best, bound.score(oracle_query.w, descending_numbers(order)));
    });
    REQUIRE(found.value == Approx(best).epsilon(1e-12));
    REQUIRE(bound.score(oracle_query.w, found.output) == Approx(best).epsilon(1e-12));
    const std::vector<double> scores = query.scores(oracle_query.w);
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < 5; ++j) {
        REQUIRE((found.output[i] > found.output[j]) == (scores[i] > scores[j]));
      }
    }
    const std::string text = format(bound.bound.dataset, 0, found.output);
    REQUIRE(parse(bound.bound.dataset, 0, text) == found.output);
  }
}

TEST_CASE("ranking: metrics agree with their definitions, also with ties") {
  Random random(908);
  const RandomQuery any = draw_query(random, 7, 3);
  const BoundQuery bound(any, "ranking#pair_error", json::object(), json::object());
  for (int trial = 0; trial < 200; ++trial) {
    const Outputs grades = draw_query(random, 7, 3).grades;
    const Outputs y = draw_levels(random, 7);
    const auto mean = [&](auto measure) {
      double sum = 0;
      double orders = 0;
      each_order(y, [&](const Order& order) { sum += measure(order), orders += 1; });
      return Approx(sum / orders).epsilon(1e-12);
    };
    const json measured = metrics(bound.loss, {{grades, y}});
    const Outputs relevant = groups_of(grades, 1);
    CHECK(measured["map"] == mean([&](const Order& o) { return average_precision(relevant, o); }));
    CHECK(measured["mrr"] == mean([&](const Order& o) { return reciprocal_rank(relevant, o); }));
    for (const std::size_t k : {1U, 3U, 5U, 10U}) {
      CHECK(measured["ndcg@" + std::to_string(k)] ==
            mean([&](const Order& o) { return normalised_gain(gains_of(grades, false), o, k); }));
    }
    for (const std::size_t k : {5U, 10U}) {
      CHECK(measured["precision@" + std::to_string(k)] == mean([&](const Order& order) {
              double found = 0;
              for (std::size_t r = 0; r < std::min(k, order.size()); ++r) {
                found += relevant[order[r]];
              }
              return found / static_cast<double>(k);
            }));
    }
    CHECK(measured["pair_error"] == Approx(wrong_pairs(grades, y)));
    CHECK(measured["skipped"] == 0);
  }
  const json skipped = metrics(bound.loss, {{{0, 1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 0}},
                                            {{2, 2, 2, 2, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6}},
                                            {{0, 0, 0, 0, 0, 0, 0}, {0, 1, 2, 3, 4, 5, 6}}});
  CHECK(skipped["skipped"] == 2);
  CHECK(skipped["map"] == 1);
}

TEST_CASE("ranking: a query without an output counts as the worst order of its documents") {
  Random random(909);
  const RandomQuery any = draw_query(random, 5, 3);
  const BoundQuery bound(any, "ranking#pair_error", json::object(), json::object());
  const Outputs grades{2, 0, 1, 0, 2};
  const json measured = metrics(bound.loss, {}, {grades});
  CHECK(measured.dump() == metrics(bound.loss, {{grades, {0, 2, 1, 2, 0}}}).dump());
  CHECK(measured["pair_error"] == 1);
  CHECK(measured["ndcg@1"] == 0);
  CHECK(metrics(bound.loss, {}, {{1, 1, 1, 1, 1}})["skipped"] == 1);
}
