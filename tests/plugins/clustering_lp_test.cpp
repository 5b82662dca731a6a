// clustering_lp: partitions and bounds agree with a list of all partitions. Relaxed answers satisfy
// the constraints of the linear program.
#include <doctest/doctest.h>

#include "random_documents.hpp"
#include "relaxed_answers.hpp"

#include <algorithm>
#include <cmath>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

double value_of(const BoundDocument& bound, const OracleQuery& query, const Outputs& y) {
  return bound.score(query.w, y) + query.loss_weight * rand_error_by_pairs(query.truth, y);
}

double best_of_all(const BoundDocument& bound, const OracleQuery& query) {
  double best = -INFINITY;
  for (const Outputs& y : all_partitions(static_cast<int>(query.truth.size()))) {
    best = std::max(best, value_of(bound, query, y));
  }
  return best;
}

// Pairs with item 0 score 1, all other pairs -1.
OracleQuery star_query(const RandomDocument& document) {
  OracleQuery query;
  query.labelled = false;
  for (const auto& pair : document.pairs) query.w.push_back(pair.first == 0 ? 1 : -1);
  return query;
}

}  // namespace

TEST_CASE(
    "clustering_lp: partition <= best of all <= bound, also with ties, and EXACT is the best") {
  Random random(821);
  int exact = 0;
  int fractional = 0;
  constexpr int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    const RandomDocument document = draw_document(random, draw(random, 2, 7));
    const BoundDocument bound(document, "clustering#rand_error", "clustering_lp", json::object(),
                              trial % 2 == 0);
    OracleQuery query;
    query.truth = document.truth;
    query.w.resize(static_cast<std::size_t>(dimension(bound.bound.features)));
    for (double& one : query.w) one = draw(random, -3, 3) * 0.5;
    query.loss_weight = std::vector<double>{0, 0.3, 1, 7}[static_cast<std::size_t>(trial) % 4];
    const double best = best_of_all(bound, query);

    const BoundedAnswer found = argmax_bounded(bound.oracle, query);
    REQUIRE(value_of(bound, query, found.output) == Approx(found.value).epsilon(1e-12));
    REQUIRE(found.has(SCULPT_ANSWER_BOUND));
    REQUIRE(found.value <= best + 1e-11);
    REQUIRE(found.bound >= best - 1e-11);
    if (found.has(SCULPT_ANSWER_EXACT)) REQUIRE(found.value == Approx(best).epsilon(1e-9));
    exact += found.has(SCULPT_ANSWER_EXACT) ? 1 : 0;

    const RelaxedOracleAnswer cut = argmax_relaxed(bound.oracle, query);
    REQUIRE(cut.value ==
            Approx(dot(query.w, cut.psi) + query.loss_weight * cut.loss).epsilon(1e-11));
    REQUIRE(cut.bound >= best - 1e-11);
    REQUIRE(cut.value <= cut.bound + 1e-11);
    REQUIRE(cut.value >= best - 1e-7);
    fractional += cut.has(SCULPT_CUT_FRACTIONAL) ? 1 : 0;
    if (cut.has(SCULPT_CUT_FRACTIONAL)) continue;
    const std::vector<double> whole = psi(bound.bound.features, 0, cut.output);
    for (std::size_t k = 0; k < whole.size(); ++k) REQUIRE(cut.psi[k] == Approx(whole[k]));
    REQUIRE(cut.loss == Approx(rand_error_by_pairs(document.truth, cut.output)));
  }
  CHECK(exact > trials / 2);
  CHECK(fractional > trials / 100);
}

TEST_CASE(
    "clustering_lp: relaxed answers satisfy the triangles and are at least as good as partitions") {
  Random random(822);
  int fractional = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int items = draw(random, 4, 8);
    const RandomDocument document = document_of_single_pairs(items, draw_partition(random, items));
    const BoundDocument bound(document, "clustering#rand_error", "clustering_lp");
    OracleQuery query = star_query(document);
    for (double& one : query.w) one += draw(random, -2, 2) * 0.25;
    const RelaxedOracleAnswer cut = argmax_relaxed(bound.oracle, query);
    query.truth = document.truth;
    REQUIRE(cut.value >= best_of_all(bound, query) - 1e-9);
    fractional += cut.has(SCULPT_CUT_FRACTIONAL) ? 1 : 0;

    // psi[p] is how much pair p is in one cluster, divided by the number of pairs
    const auto n = static_cast<std::size_t>(items);
    std::vector<std::vector<double>> x(n, std::vector<double>(n, 0.0));
    for (std::size_t p = 0; p < document.pairs.size(); ++p) {
      const auto i = static_cast<std::size_t>(document.pairs[p].first);
      const auto j = static_cast<std::size_t>(document.pairs[p].second);
      x[i][j] = x[j][i] = cut.psi[p] * static_cast<double>(document.pairs.size());
      REQUIRE(x[i][j] >= 0);
      REQUIRE(x[i][j] <= 1 + 1e-12);
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < n; ++k) {
          if (i == j || j == k || i == k) continue;
          REQUIRE(x[i][j] + x[j][k] - x[i][k] <= 1 + 1e-12);
        }
      }
    }
  }
  CHECK(fractional > 50);
}

// By hand: triangles hold with each pair of item 0 at 1/2, and the dual has the same value.
TEST_CASE("clustering_lp: the relaxed answer of a star has each of its edges half") {
  for (const int leaves : {3, 6, 20}) {
    CAPTURE(leaves);
    const RandomDocument document =
        document_of_single_pairs(leaves + 1, Outputs(static_cast<std::size_t>(leaves) + 1, 0));
    const double pairs = static_cast<double>(document.pairs.size());
    const BoundDocument bound(document, "clustering#rand_error", "clustering_lp");
    const OracleQuery query = star_query(document);
    const RelaxedOracleAnswer cut = argmax_relaxed(bound.oracle, query);
    CHECK(cut.has(SCULPT_CUT_FRACTIONAL));
    CHECK(cut.value == Approx(leaves / 2.0 / pairs).epsilon(1e-9));
    CHECK(cut.bound == Approx(leaves / 2.0 / pairs).epsilon(1e-9));
    const BoundedAnswer found = argmax_bounded(bound.oracle, query);
    CHECK(found.value == Approx(1 / pairs));
    CHECK(found.bound == Approx(leaves / 2.0 / pairs).epsilon(1e-9));
    CHECK_FALSE(found.has(SCULPT_ANSWER_EXACT));
  }
}

TEST_CASE("clustering_lp: an answer stopped by a limit is a partition with a bound that holds") {
  Random random(823);
  for (int trial = 0; trial < 100; ++trial) {
    const RandomDocument document = document_of_single_pairs(7, draw_partition(random, 7));
    for (const json& limit :
         {json{{"max_rounds", 0}}, json{{"max_rounds", 1}}, json{{"max_triangles", 5}}}) {
      const BoundDocument bound(document, "clustering#rand_error", "clustering_lp", limit);
      OracleQuery query = star_query(document);
      for (double& one : query.w) one += draw(random, -2, 2) * 0.25;
      query.truth = document.truth;
      query.labelled = true;
      query.loss_weight = 1;
      const double best = best_of_all(bound, query);
      const RelaxedOracleAnswer cut = argmax_relaxed(bound.oracle, query);
      if (!cut.has(SCULPT_CUT_FRACTIONAL)) {
        REQUIRE(value_of(bound, query, cut.output) == Approx(cut.value).epsilon(1e-12));
        REQUIRE(cut.value <= best + 1e-11);
      }
      REQUIRE(cut.bound >= best - 1e-11);
    }
  }
}

// Scores tie. So the bound stays the same for some rounds while x moves to another optimum.
TEST_CASE("clustering_lp: rounds without limits end at the optimum of the linear program") {
  Random random(829);
  for (int trial = 0; trial < 300; ++trial) {
    const int items = draw(random, 8, 16);
    const RandomDocument document = document_of_single_pairs(items, draw_partition(random, items));
    const BoundDocument bound(document, "clustering#rand_error", "clustering_lp",
                              {{"max_rounds", 1000000}, {"max_triangles", 100000000}});
    OracleQuery query;
    query.labelled = false;
    while (query.w.size() < document.pairs.size()) query.w.push_back(draw(random, -3, 3));
    const RelaxedOracleAnswer cut = argmax_relaxed(bound.oracle, query);
    REQUIRE(cut.value == Approx(cut.bound).epsilon(1e-7));
  }
}

TEST_CASE("clustering_lp set to rounded answers does not offer relaxed ones") {
  Random random(824);
  const RandomDocument document = draw_document(random, 4);
  const BoundDocument rounded(document, "clustering#rand_error", "clustering_lp",
                              {{"answers", "rounded"}});
  CHECK_FALSE(rounded.oracle.offers(SCULPT_EXT_CUT));
  const BoundDocument relaxed(document, "clustering#rand_error", "clustering_lp");
  CHECK(relaxed.oracle.offers(SCULPT_EXT_CUT));
}

TEST_CASE("clustering_lp: the answer does not depend on queries before it") {
  Random random(825);
  const RandomDocument document = draw_document(random, 9);
  const BoundDocument bound(document, "clustering#rand_error", "clustering_lp");
  OracleQuery first;
  first.w = {1, -0.5};
  first.truth = document.truth;
  first.loss_weight = 1;
  const RelaxedOracleAnswer before = argmax_relaxed(bound.oracle, first);
  for (int trial = 0; trial < 20; ++trial) {
    OracleQuery other = first;
    for (double& one : other.w) one = draw(random, -3, 3);
    argmax_relaxed(bound.oracle, other);
    const RelaxedOracleAnswer again = argmax_relaxed(bound.oracle, first);
    REQUIRE(again.psi == before.psi);
    REQUIRE(again.bound == before.bound);
    REQUIRE(again.output == before.output);
  }
}
