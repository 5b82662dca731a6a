// clustering_lp: partitions and bounds against all partitions, relaxed answers against the program.
#include <doctest/doctest.h>

#include "random_documents.hpp"
#include "relaxed_answers.hpp"

#include <algorithm>
#include <cmath>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

double value_of(const BoundDocument& bound, const Question& question, const Outputs& y) {
  return bound.score(question.w, y) + question.loss_weight * rand_error_by_pairs(question.truth, y);
}

double best_of_all(const BoundDocument& bound, const Question& question) {
  double best = -INFINITY;
  for (const Outputs& y : all_partitions(static_cast<int>(question.truth.size()))) {
    best = std::max(best, value_of(bound, question, y));
  }
  return best;
}

// Items 1, 2, ... want to be with item 0, but not with each other.
Question star(const RandomDocument& document) {
  Question question;
  question.labelled = false;
  for (const auto& pair : document.pairs) question.w.push_back(pair.first == 0 ? 1 : -1);
  return question;
}

}  // namespace

TEST_CASE("clustering_lp: partition <= best of all <= bound, with ties, and EXACT is both") {
  Random random(821);
  int exact = 0;
  int fractional = 0;
  constexpr int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    const RandomDocument document = draw_document(random, draw(random, 2, 7));
    const BoundDocument bound(document, "clustering#rand_error", "clustering_lp", json::object(),
                              trial % 2 == 0);
    Question question;
    question.truth = document.truth;
    question.w.resize(static_cast<std::size_t>(dimension(bound.bound.features)));
    for (double& one : question.w) one = draw(random, -3, 3) * 0.5;
    question.loss_weight = std::vector<double>{0, 0.3, 1, 7}[static_cast<std::size_t>(trial) % 4];
    const double best = best_of_all(bound, question);

    const BoundedAnswer found = argmax_bounded(bound.oracle, question);
    REQUIRE(value_of(bound, question, found.output) == Approx(found.value).epsilon(1e-12));
    REQUIRE(found.has(SCULPT_ANSWER_BOUND));
    REQUIRE(found.value <= best + 1e-11);
    REQUIRE(found.bound >= best - 1e-11);
    if (found.has(SCULPT_ANSWER_EXACT)) REQUIRE(found.value == Approx(best).epsilon(1e-9));
    exact += found.has(SCULPT_ANSWER_EXACT) ? 1 : 0;

    const OracleCut cut = argmax_relaxed(bound.oracle, question);
    REQUIRE(cut.value ==
            Approx(dot(question.w, cut.psi) + question.loss_weight * cut.loss).epsilon(1e-11));
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

TEST_CASE("clustering_lp: relaxed answers keep to the triangles, and are better than partitions") {
  Random random(822);
  int fractional = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int items = draw(random, 4, 8);
    const RandomDocument document = document_of_single_pairs(items, draw_partition(random, items));
    const BoundDocument bound(document, "clustering#rand_error", "clustering_lp");
    Question question = star(document);
    for (double& one : question.w) one += draw(random, -2, 2) * 0.25;
    const OracleCut cut = argmax_relaxed(bound.oracle, question);
    question.truth = document.truth;
    REQUIRE(cut.value >= best_of_all(bound, question) - 1e-9);
    fractional += cut.has(SCULPT_CUT_FRACTIONAL) ? 1 : 0;

    // psi is what is together, by the number of pairs
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

// By hand: with each leaf half together, triangles hold, and the dual takes 1/2 from each pair.
TEST_CASE("clustering_lp: the star, of which the program takes the half of each ray") {
  for (const int leaves : {3, 6, 20}) {
    CAPTURE(leaves);
    const RandomDocument document =
        document_of_single_pairs(leaves + 1, Outputs(static_cast<std::size_t>(leaves) + 1, 0));
    const double pairs = static_cast<double>(document.pairs.size());
    const BoundDocument bound(document, "clustering#rand_error", "clustering_lp");
    const Question question = star(document);
    const OracleCut cut = argmax_relaxed(bound.oracle, question);
    CHECK(cut.has(SCULPT_CUT_FRACTIONAL));
    CHECK(cut.value == Approx(leaves / 2.0 / pairs).epsilon(1e-9));
    CHECK(cut.bound == Approx(leaves / 2.0 / pairs).epsilon(1e-9));
    const BoundedAnswer found = argmax_bounded(bound.oracle, question);
    CHECK(found.value == Approx(1 / pairs));
    CHECK(found.bound == Approx(leaves / 2.0 / pairs).epsilon(1e-9));
    CHECK_FALSE(found.has(SCULPT_ANSWER_EXACT));
  }
}

TEST_CASE("clustering_lp: stopped by a limit it answers with a partition and a bound that holds") {
  Random random(823);
  for (int trial = 0; trial < 100; ++trial) {
    const RandomDocument document = document_of_single_pairs(7, draw_partition(random, 7));
    for (const json& limit :
         {json{{"max_rounds", 0}}, json{{"max_rounds", 1}}, json{{"max_triangles", 5}}}) {
      const BoundDocument bound(document, "clustering#rand_error", "clustering_lp", limit);
      Question question = star(document);
      for (double& one : question.w) one += draw(random, -2, 2) * 0.25;
      question.truth = document.truth;
      question.labelled = true;
      question.loss_weight = 1;
      const double best = best_of_all(bound, question);
      const OracleCut cut = argmax_relaxed(bound.oracle, question);
      if (!cut.has(SCULPT_CUT_FRACTIONAL)) {
        REQUIRE(value_of(bound, question, cut.output) == Approx(cut.value).epsilon(1e-12));
        REQUIRE(cut.value <= best + 1e-11);
      }
      REQUIRE(cut.bound >= best - 1e-11);
    }
  }
}

// Scores tie, so that the bound stands still for some rounds while x moves to another optimum.
TEST_CASE("clustering_lp: rounds end by themselves, at the optimum of the program") {
  Random random(829);
  for (int trial = 0; trial < 300; ++trial) {
    const int items = draw(random, 8, 16);
    const RandomDocument document = document_of_single_pairs(items, draw_partition(random, items));
    const BoundDocument bound(document, "clustering#rand_error", "clustering_lp",
                              {{"max_rounds", 1000000}, {"max_triangles", 100000000}});
    Question question;
    question.labelled = false;
    while (question.w.size() < document.pairs.size()) question.w.push_back(draw(random, -3, 3));
    const OracleCut cut = argmax_relaxed(bound.oracle, question);
    REQUIRE(cut.value == Approx(cut.bound).epsilon(1e-7));
  }
}

TEST_CASE("clustering_lp without relaxed answers offers none") {
  Random random(824);
  const RandomDocument document = draw_document(random, 4);
  const BoundDocument rounded(document, "clustering#rand_error", "clustering_lp",
                              {{"answers", "rounded"}});
  CHECK_FALSE(rounded.oracle.offers(SCULPT_EXT_CUT));
  const BoundDocument relaxed(document, "clustering#rand_error", "clustering_lp");
  CHECK(relaxed.oracle.offers(SCULPT_EXT_CUT));
}

TEST_CASE("clustering_lp: the same answer again, whatever was asked in between") {
  Random random(825);
  const RandomDocument document = draw_document(random, 9);
  const BoundDocument bound(document, "clustering#rand_error", "clustering_lp");
  Question first;
  first.w = {1, -0.5};
  first.truth = document.truth;
  first.loss_weight = 1;
  const OracleCut before = argmax_relaxed(bound.oracle, first);
  for (int trial = 0; trial < 20; ++trial) {
    Question other = first;
    for (double& one : other.w) one = draw(random, -3, 3);
    argmax_relaxed(bound.oracle, other);
    const OracleCut again = argmax_relaxed(bound.oracle, first);
    REQUIRE(again.psi == before.psi);
    REQUIRE(again.bound == before.bound);
    REQUIRE(again.output == before.output);
  }
}
