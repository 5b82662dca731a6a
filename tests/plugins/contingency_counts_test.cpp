// contingency and the counts of losses: limits of counts, max_cells, and positive rows with a cost.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "random_sets.hpp"

#include <sculpt/ext/frontier.h>
#include <sculpt/sculpt.hpp>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

// A loss of another library. Counts above a limit are cut to the limit.
class LimitedLoss {
 public:
  static constexpr sculpt::About about{"org.example.foreign", "1.0.0", "1 + missed and taken"};
  static inline sculpt_count limited[] = {sculpt::counted("matched", 1),
                                          sculpt::counted("predicted", 1)};

  std::span<const sculpt_count> counts() const { return limited; }
  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    std::vector<std::int64_t> counted(2, 0);
    for (std::size_t i = 0; i < truth.size(); ++i) {
      counted[0] += truth[i] * (guess[i] % 2);
      counted[1] += guess[i] % 2;
    }
    for (std::size_t k = 0; k < 2; ++k) counted[k] = std::min(counted[k], limited[k].limit);
    return loss_of_counts(0, truth, counted);
  }
  double loss_of_counts(std::int64_t, sculpt::Labels, std::span<const std::int64_t> counts) const {
    for (std::size_t k = 0; k < 2; ++k) {
      if (counts[k] > limited[k].limit) throw sculpt::data_error("a count above its limit");
    }
    return static_cast<double>(counts[1] * counts[1]) / static_cast<double>(1 + counts[0]);
  }
};

}  // namespace

TEST_CASE(
    "contingency: above max_cells there is no frontier, and losses of other libraries are "
    "refused") {
  const RandomSet set{{1, 0, 1, 0, 0}, {{1, 0}, {0, 1}, {1, 1}, {-1, 0}, {0, -1}}};
  const OracleQuery query{0, {1, 1}, set.truth, 0.5, true};
  const auto best_value = [&](const char* loss_name, std::int64_t max_cells, bool& offers) {
    const BoundSet bound(set, loss_name, json::object(), json::object());
    LiveComponent oracle("contingency", {{"max_cells", max_cells}}, SCULPT_KIND_ORACLE);
    oracle.bind(&bound.bound.dataset, &bound.bound.features, &bound.loss);
    oracle.seal();
    offers = oracle.offers(SCULPT_EXT_FRONTIER);
    return argmax(oracle, query).value;
  };
  bool offers = false;
  const double value = best_value("contingency#f_beta", 18, offers);  // (2 + 1) (5 + 1)
  CHECK(offers);
  CHECK(best_value("contingency#f_beta", 17, offers) == value);
  CHECK_FALSE(offers);
  CHECK(best_value("item_losses#f1", 18, offers) == Approx(value));
  CHECK(offers);
  CHECK_THROWS_WITH(
      best_value("item_losses#f1", 17, offers),
      doctest::Contains("example 0: 3 x 6 pairs of counts are more than max_cells; "));
  best_value("contingency#break_even", 9, offers);  // (2 + 1) (2 + 1)
  CHECK(offers);
  best_value("contingency#break_even", 8, offers);
  CHECK_FALSE(offers);
}

TEST_CASE("contingency: frontier and argmax keep the limits of counts of other libraries") {
  constexpr std::int64_t all = sculpt::unlimited;
  const std::vector<Counts> limits = {{1, all}, {all, 1}, {1, 1}, {2, 3}, {3, 4}, {all, all}};
  Random random(811);
  for (int trial = 0; trial < 600; ++trial) {
    const Counts& limit = limits[static_cast<std::size_t>(trial) % limits.size()];
    for (std::size_t k = 0; k < 2; ++k) LimitedLoss::limited[k].limit = limit[k];
    const RandomSet set = draw_set(random, draw(random, 2, 7));
    const BoundSet bound(set, "contingency#f_beta", json::object(), {{"bias", trial % 2 == 0}});
    LiveComponent foreign(sculpt::Loss<LimitedLoss>::component);
    foreign.bind(&bound.bound.dataset, &bound.bound.features);
    foreign.seal();
    LiveComponent oracle("contingency", json::object(), SCULPT_KIND_ORACLE);
    oracle.bind(&bound.bound.dataset, &bound.bound.features, &foreign);
    oracle.seal();
    OracleQuery query;
    for (std::int64_t left = dimension(bound.bound.features); left > 0; --left) {
      query.w.push_back(draw(random, -3, 3) * 0.5);
    }
    query.truth = set.truth;
    query.loss_weight = 0.5 * (1 + trial % 3);
    std::map<Counts, double> best;
    double most = -INFINITY;
    for (const Outputs& y : all_choices(set.truth.size(), 0, std::ssize(set.truth))) {
      Counts counts{0, 0};
      for (std::size_t i = 0; i < y.size(); ++i) {
        counts[0] += set.truth[i] * y[i];
        counts[1] += y[i];
      }
      for (std::size_t k = 0; k < 2; ++k) counts[k] = std::min(counts[k], limit[k]);
      const double score = bound.score(query.w, y);
      const auto [place, is_new] = best.try_emplace(counts, score);
      if (!is_new) place->second = std::max(place->second, score);
      most = std::max(most, score + query.loss_weight * loss(foreign, 0, set.truth, y));
    }
    const auto entries = frontier(oracle, foreign, query);
    REQUIRE(entries.size() == best.size());
    for (const auto& [counts, entry] : entries) {
      REQUIRE(entry.score == Approx(best.at(counts)).epsilon(1e-12));
      REQUIRE(bound.score(query.w, entry.output) == Approx(entry.score).epsilon(1e-12));
    }
    const Solution found = argmax(oracle, query);
    REQUIRE((found.flags & SCULPT_ANSWER_EXACT) != 0);
    REQUIRE(found.value == Approx(most).epsilon(1e-12));
  }
}

// A loss of another library makes the oracle scan all counts. Its own loss makes it search near the
// last best count.
TEST_CASE("contingency: with hundreds of rows the search and the scan of all counts agree") {
  Random random(812);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 8; ++trial) {
    const RandomSet set = draw_set(random, draw(random, 120, 240));
    OracleQuery query;
    const BoundSet own(set, "contingency#f_beta", json::object(), json::object());
    const BoundSet foreign(set, "item_losses#f1", json::object(), json::object());
    for (int k = 0; k < 8; ++k) {
      query.w = {normal(random), normal(random)};
      const double scale = std::exp(2 * normal(random));
      for (double& one : query.w) one *= scale;
      query.truth = set.truth;
      query.loss_weight = std::vector<double>{0.1, 1, 10, 100}[static_cast<std::size_t>(k) % 4];
      REQUIRE(argmax(own.oracle, query).value ==
              Approx(argmax(foreign.oracle, query).value).epsilon(1e-12));
    }
  }
}

TEST_CASE(
    "contingency: the cost multiplies positive rows in psi, in the error rate and in answers") {
  constexpr double cost = 2.5;
  Random random(814);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 300; ++trial) {
    const bool error_rate = trial % 2 == 0;
    const RandomSet set = draw_set(random, draw(random, 3, 8));
    const BoundSet bound(set, error_rate ? "contingency#error_rate" : "contingency#f_beta",
                         json::object(), {{"cost", cost}, {"bias", true}});
    if (dimension(bound.bound.features) != 3) continue;  // the last column has only zeros
    const std::vector<double> w{normal(random), normal(random), normal(random)};
    const auto rows = std::ssize(set.truth);
    const auto n = static_cast<double>(rows);
    double hinges = 0;
    for (std::size_t i = 0; i < set.truth.size(); ++i) {
      const double score = w[0] * set.input[i][0] + w[1] * set.input[i][1] + w[2];
      hinges += (set.truth[i] == 1 ? cost : 1) *
                std::max(0.0, 1 - 2 * (set.truth[i] == 1 ? score : -score));
    }
    const Solution found = argmax(bound.oracle, {0, w, set.truth, 1, true});
    double best = -INFINITY;
    for (const Outputs& y : all_choices(set.truth.size(), 0, rows)) {
      double psi = 0;
      double wrong = 0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        const double times = set.truth[i] == 1 ? cost : 1;
        psi += times * (y[i] == 1 ? 1 : -1) *
               (w[0] * set.input[i][0] + w[1] * set.input[i][1] + w[2]) / n;
        wrong += y[i] == set.truth[i] ? 0 : times / n;
      }
      REQUIRE(bound.score(w, y) == Approx(psi).epsilon(1e-9));
      if (error_rate) REQUIRE(loss(bound.loss, 0, set.truth, y) == Approx(wrong));
      best = std::max(best, psi + loss(bound.loss, 0, set.truth, y));
    }
    REQUIRE(found.value == Approx(best).epsilon(1e-9));
    if (!error_rate) continue;
    REQUIRE(found.value - bound.score(w, set.truth) == Approx(hinges / n).epsilon(1e-9));
  }
}
