// clustering: losses agree with their definitions, and oracles with a list of all partitions.
#include <doctest/doctest.h>

#include "random_documents.hpp"
#include "relaxed_answers.hpp"

#include <algorithm>
#include <cmath>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

const std::string rand_error = "clustering#rand_error";
const std::string mitre = "clustering#mitre";

double delta(const std::string& loss, const Outputs& truth, const Outputs& y) {
  return loss == mitre ? 1 - mitre_f1(truth, y) : rand_error_by_pairs(truth, y);
}

OracleQuery draw_oracle_query(Random& random, const BoundDocument& bound, const Outputs& truth) {
  OracleQuery query;
  query.w = draw_weights(random, bound.bound);
  query.truth = truth;
  query.loss_weight =
      std::vector<double>{0, 0.3, 1, 7}[static_cast<std::size_t>(draw(random, 0, 3))];
  return query;
}

// The value of a partition under a query, and the largest value of all partitions.
struct PartitionValues {
  const BoundDocument& bound;
  const std::string& loss;
  const OracleQuery& query;
  double value(const Outputs& y) const {
    return bound.score(query.w, y) + query.loss_weight * delta(loss, query.truth, y);
  }
  double best() const {
    double best = -INFINITY;
    for (const Outputs& y : all_partitions(static_cast<int>(query.truth.size()))) {
      best = std::max(best, value(y));
    }
    return best;
  }
};

// The same partition, with clusters numbered in the order of their first items.
Outputs canonical(const Outputs& y) {
  Outputs renamed;
  std::map<std::int32_t, std::int32_t> name;
  for (const std::int32_t one : y) {
    renamed.push_back(name.try_emplace(one, static_cast<std::int32_t>(name.size())).first->second);
  }
  return renamed;
}

// The best value after one step: a merger of two clusters, or, with `moves`, one item moved to
// another or a new cluster.
double best_neighbour(const PartitionValues& values, const Outputs& y, bool moves) {
  double best = -INFINITY;
  const auto items = static_cast<std::int32_t>(y.size());
  for (std::int32_t a = 0; a < items; ++a) {
    for (std::size_t i = 0; moves && i < y.size(); ++i) {
      Outputs moved = y;
      moved[i] = a;
      best = std::max(best, values.value(canonical(moved)));
    }
    for (std::int32_t b = 0; b < a; ++b) {
      Outputs merged = y;
      std::replace(merged.begin(), merged.end(), a, b);
      best = std::max(best, values.value(canonical(merged)));
    }
  }
  return best;
}

}  // namespace

TEST_CASE("clustering_enumeration: the answer is the best of all partitions, also with ties") {
  Random random(811);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::string& loss = trial % 2 == 0 ? rand_error : mitre;
    const RandomDocument document = draw_document(random, draw(random, 2, 6));
    const BoundDocument bound(document, loss, "clustering_enumeration", json::object(),
                              trial % 4 < 2);
    const OracleQuery query = draw_oracle_query(random, bound, document.truth);
    const PartitionValues values{bound, loss, query};
    const Solution found = argmax(bound.oracle, query);
    REQUIRE((found.flags & SCULPT_ANSWER_EXACT) != 0);
    REQUIRE(found.value == Approx(values.best()).epsilon(1e-12));
    REQUIRE(values.value(found.output) == Approx(found.value).epsilon(1e-12));
    REQUIRE(found.output == canonical(found.output));
  }
}

TEST_CASE("clustering_enumeration supports losses of other libraries") {
  Random random(812);
  for (int trial = 0; trial < 200; ++trial) {
    const RandomDocument document = draw_document(random, 5);
    const BoundDocument bound(document, "zero_one", "clustering_enumeration");
    const OracleQuery query = draw_oracle_query(random, bound, document.truth);
    double best = -INFINITY;
    for (const Outputs& y : all_partitions(5)) {
      best = std::max(best,
                      bound.score(query.w, y) + query.loss_weight * (y == document.truth ? 0 : 1));
    }
    REQUIRE(argmax(bound.oracle, query).value == Approx(best).epsilon(1e-12));
  }
}

TEST_CASE("features of clustering enumerate all partitions, or none above the limit") {
  for (const int items : {1, 2, 5, 7}) {
    BoundFeatures bound("clustering#item_pairs", json::object(),
                        "items 1 " + std::to_string(items) + "\n", "clustering");
    const std::vector<Outputs> all = all_partitions(items);
    CHECK(enumerated(bound.features, 0, static_cast<std::int64_t>(all.size())) == all);
    CHECK(enumerated(bound.features, 0, static_cast<std::int64_t>(all.size()) - 1).empty());
  }
}

TEST_CASE("agglomerative: no move and no merger gains, and more kinds of steps are never worse") {
  Random random(814);
  int best_found = 0;
  constexpr int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    const std::string& loss = trial % 2 == 0 ? rand_error : mitre;
    const RandomDocument document = draw_document(random, draw(random, 2, 7));
    const BoundDocument bound(document, loss, "agglomerative", {{"bounds", true}}, trial % 4 < 2);
    const OracleQuery query = draw_oracle_query(random, bound, document.truth);
    const PartitionValues values{bound, loss, query};
    const double best = values.best();
    const BoundedAnswer found = argmax_bounded(bound.oracle, query);
    REQUIRE(values.value(found.output) == Approx(found.value).epsilon(1e-12));
    REQUIRE(found.output == canonical(found.output));
    REQUIRE(found.value <= best + 1e-12);
    REQUIRE(best_neighbour(values, found.output, true) <= found.value + 1e-9);
    REQUIRE(found.has(SCULPT_ANSWER_BOUND));
    REQUIRE(found.bound >= best - 1e-12);
    if (found.has(SCULPT_ANSWER_EXACT)) REQUIRE(found.value == Approx(best).epsilon(1e-11));
    if (found.value > best - 1e-9) ++best_found;

    const auto value_with = [&](bool moves, bool starts) {
      const BoundDocument other(document, loss, "agglomerative",
                                {{"moves", moves}, {"starts", starts}}, trial % 4 < 2);
      const BoundedAnswer answer = argmax_bounded(other.oracle, query);
      REQUIRE(answer.flags == 0);  // neither EXACT nor a bound
      REQUIRE(best_neighbour(values, answer.output, moves) <= answer.value + 1e-9);
      return answer.value;
    };
    const double merged = value_with(false, false);
    const double moved = value_with(true, false);
    REQUIRE(moved >= merged - 1e-12);
    REQUIRE(found.value >= moved - 1e-12);
    if (query.loss_weight > 0) {
      REQUIRE(found.value >= bound.score(query.w, document.truth) - 1e-12);  // the truth is a start
    }
  }
  CHECK(best_found > trials * 9 / 10);
}

TEST_CASE("agglomerative: the answer is exact if no scores contradict each other") {
  const Outputs truth{0, 1, 0, 2, 1, 1};
  const RandomDocument document = document_of_single_pairs(6, truth);
  const BoundDocument bound(document, rand_error, "agglomerative", {{"bounds", true}});
  OracleQuery query;
  query.labelled = false;
  for (const auto& pair : document.pairs) {
    const bool same =
        truth[static_cast<std::size_t>(pair.first)] == truth[static_cast<std::size_t>(pair.second)];
    query.w.push_back(same ? 2 : -1);
  }
  const BoundedAnswer found = argmax_bounded(bound.oracle, query);
  CHECK(found.output == truth);
  CHECK(found.has(SCULPT_ANSWER_EXACT));
  CHECK(found.value == Approx(2.0 * 4 / 15));
}

TEST_CASE("losses of clustering have the values of their papers") {
  Random random(815);
  const RandomDocument any = draw_document(random, 3);
  const BoundDocument bound(any, rand_error, "agglomerative");
  const BoundDocument with_mitre(any, mitre, "agglomerative");
  for (int trial = 0; trial < 2000; ++trial) {
    const int items = draw(random, 1, 9);
    const Outputs truth = draw_partition(random, items);
    const Outputs y = draw_partition(random, items);
    CHECK(loss(bound.loss, truth, y) == Approx(rand_error_by_pairs(truth, y)).epsilon(1e-12));
    CHECK(loss(with_mitre.loss, truth, y) == Approx(1 - mitre_f1(truth, y)).epsilon(1e-12));
    CHECK(loss(with_mitre.loss, truth, truth) == 0);

    const json measured = metrics(bound.loss, {{truth, y}});
    CHECK(measured["rand_error"] == Approx(rand_error_by_pairs(truth, y)).epsilon(1e-12));
    CHECK(measured["mitre_f1"] == Approx(mitre_f1(truth, y)).epsilon(1e-12));
    const double recall = mitre_recall(truth, y);
    const double precision = mitre_recall(y, truth);
    CHECK(std::isnan(measured["mitre_recall"].get<double>()) == std::isnan(recall));
    CHECK(std::isnan(measured["mitre_precision"].get<double>()) == std::isnan(precision));
    if (!std::isnan(recall)) CHECK(measured["mitre_recall"] == Approx(recall).epsilon(1e-12));
    if (!std::isnan(precision)) {
      CHECK(measured["mitre_precision"] == Approx(precision).epsilon(1e-12));
    }
    const double p = b_cubed_precision(truth, y);
    const double r = b_cubed_precision(y, truth);
    CHECK(measured["b_cubed_f1"] == Approx(2 * p * r / (p + r)).epsilon(1e-12));
  }
}

TEST_CASE("MITRE and B-cubed have the values of published examples") {
  Random random(816);
  const BoundDocument bound(draw_document(random, 3), mitre, "agglomerative");
  // Vilain et al. 1995: the key A-B-C-D, the response A-B, C-D, and the reverse
  json measured = metrics(bound.loss, {{{0, 0, 0, 0}, {0, 0, 1, 1}}});
  CHECK(measured["mitre_recall"] == Approx(2.0 / 3));
  CHECK(measured["mitre_precision"] == 1);
  measured = metrics(bound.loss, {{{0, 0, 1, 1}, {0, 0, 0, 0}}});
  CHECK(measured["mitre_recall"] == 1);
  CHECK(measured["mitre_precision"] == Approx(2.0 / 3));
  // Bagga and Baldwin 1998: clusters of 5, 2 and 5. One answer joins the second and the third, the
  // other the first and the third.
  const Outputs truth{0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 2};
  const Outputs one{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1};
  const Outputs two{0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0};
  for (const auto& [y, b_cubed] : {std::pair{one, 16.0 / 21}, std::pair{two, 7.0 / 12}}) {
    measured = metrics(bound.loss, {{truth, y}});
    CHECK(measured["mitre_recall"] == 1);
    CHECK(measured["mitre_precision"] == Approx(0.9));
    CHECK(measured["b_cubed_f1"] == Approx(2 * b_cubed / (1 + b_cubed)));
  }
}

TEST_CASE("losses of clustering are defined without links and without an output") {
  Random random(817);
  const BoundDocument bound(draw_document(random, 3), mitre, "agglomerative");
  CHECK(loss(bound.loss, {0, 1, 2}, {0, 1, 2}) == 0);
  CHECK(loss(bound.loss, {0, 1, 2}, {0, 0, 1}) == 1);
  CHECK(loss(bound.loss, {0, 0, 0}, {0, 1, 2}) == 1);
  CHECK(loss(bound.loss, {0}, {0}) == 0);
  const json none = metrics(bound.loss, {}, {{0, 0, 1}});
  CHECK(none["rand_error"] == 1);
  CHECK(none["mitre_f1"] == 0);
  CHECK(none["b_cubed_f1"] == 0);
  CHECK(none["mitre_recall"] == 0);
  CHECK(std::isnan(metrics(bound.loss, {}, {{0, 1, 2}})["mitre_recall"].get<double>()));
  const std::string refusal =
      "needs two partitions of the same items; give one cluster number, from 0, for each item";
  CHECK_THROWS_WITH(loss(bound.loss, {0, 0}, {0}), refusal.c_str());
  CHECK_THROWS_WITH(loss(bound.loss, {0, 0}, {0, -1}), refusal.c_str());
}
