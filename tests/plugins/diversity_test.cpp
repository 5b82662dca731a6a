// diversity: psi and the loss agree with their definitions, and oracles with a list of all choices.
#include <doctest/doctest.h>

#include "count_calls.hpp"
#include "random_topics.hpp"
#include "relaxed_answers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

const std::vector<double> frequency = {0.25, 0.5};
const std::vector<int> counts = {1, 2};

json features_of(int trial) {
  return {{"frequency", frequency}, {"counts", counts}, {"normalize", trial % 2 == 0}};
}

// Weights with ties; none below 0 if `positive`.
std::vector<double> draw_coverage_weights(Random& random, bool positive) {
  std::vector<double> w(counts.size() * (frequency.size() + 1));
  for (double& one : w) one = draw(random, positive ? 0 : -3, 3) * 0.5;
  return w;
}

// A random query on a topic of three to nine documents, with all its outputs.
struct Case {
  Case(Random& random, int trial, bool positive)
      : topic(draw_topic(random, draw(random, 3, 9))),
        documents(static_cast<std::int32_t>(topic.documents.size())),
        size(draw(random, 1, std::min(4, documents))),
        uniform(trial % 3 == 0),
        normalize(trial % 2 == 0),
        all(all_choices_of(documents, size)) {
    query.w = draw_coverage_weights(random, positive);
    for (const Outputs& y : all) most = std::max(most, covered_weight(topic, y, uniform));
    Outputs every(static_cast<std::size_t>(documents));
    for (std::size_t d = 0; d < every.size(); ++d) every[d] = static_cast<std::int32_t>(d);
    whole = covered_weight(topic, every, uniform);
  }
  json dataset() const { return {{"k", size}, {"weights", uniform ? "uniform" : "documents"}}; }
  double delta(const Outputs& truth, const Outputs& y) const {
    return std::max(0, covered_weight(topic, truth, uniform) - covered_weight(topic, y, uniform)) /
           static_cast<double>(whole);
  }
  double value(const Outputs& y) const {
    const double score = dot(query.w, psi_by_words(topic, y, frequency, counts, normalize));
    return query.loss_weight == 0 ? score : score + query.loss_weight * delta(query.truth, y);
  }
  double best() const {
    double best = -INFINITY;
    for (const Outputs& y : all) best = std::max(best, value(y));
    return best;
  }
  RandomTopic topic;
  std::int32_t documents;
  std::int32_t size;
  bool uniform;
  bool normalize;
  std::vector<Outputs> all;
  int most = 0;   // the largest weight that a choice covers
  int whole = 0;  // the weight of all subtopics
  OracleQuery query;
};

const std::vector<double> loss_weights = {0, 0.3, 1, 7};

}  // namespace

TEST_CASE("diversity: exact_coverage is the best of all choices, with and without a loss") {
  Random random(901);
  for (int trial = 0; trial < 3000; ++trial) {
    Case one(random, trial, false);
    const BoundTopic bound(one.topic, one.dataset(), features_of(trial), "exact_coverage");
    one.query.truth = truth_of(bound.bound.dataset, 0);
    // Any output may be given as the truth. Delta is then cut off at 0.
    if (trial % 5 == 0) one.query.truth = one.all[one.all.size() / 2];
    one.query.loss_weight = loss_weights[static_cast<std::size_t>(trial / 7) % 4];
    const BoundedAnswer found = argmax_bounded(bound.oracle, one.query);
    REQUIRE(found.has(SCULPT_ANSWER_EXACT));
    REQUIRE(found.value == Approx(one.best()).epsilon(1e-12));
    REQUIRE(one.value(found.output) == Approx(found.value).epsilon(1e-12));
    REQUIRE(std::find(one.all.begin(), one.all.end(), found.output) != one.all.end());
  }
}

TEST_CASE("diversity: greedy_coverage is at most the best choice, and its bound at least that") {
  Random random(902);
  int exact = 0;
  int worse = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    Case one(random, trial, false);
    const BoundTopic bound(one.topic, one.dataset(), features_of(trial), "greedy_coverage",
                           {{"exchange_rounds", trial % 4}, {"bound", "always"}});
    one.query.truth = truth_of(bound.bound.dataset, 0);
    if (trial % 5 == 0) one.query.truth = one.all[one.all.size() / 2];
    one.query.loss_weight = loss_weights[static_cast<std::size_t>(trial / 7) % 4];
    const BoundedAnswer found = argmax_bounded(bound.oracle, one.query);
    const double best = one.best();
    REQUIRE(one.value(found.output) == Approx(found.value).epsilon(1e-12));
    REQUIRE(found.value <= best + 1e-12);
    REQUIRE(std::find(one.all.begin(), one.all.end(), found.output) != one.all.end());
    if (found.has(SCULPT_ANSWER_EXACT)) {
      ++exact;
      REQUIRE(found.value == Approx(best).epsilon(1e-12));
    } else {
      REQUIRE(found.has(SCULPT_ANSWER_BOUND));
      REQUIRE(found.bound >= best - 1e-12);
    }
    worse += found.value < best - 1e-9 ? 1 : 0;
  }
  CHECK(exact > 300);  // all cases occurred
  CHECK(worse > 100);
}

TEST_CASE("diversity: with weights above 0 greedy_coverage has 1 - 1/e of the best choice") {
  Random random(903);
  constexpr double share = 1 - 1 / std::numbers::e;
  for (int trial = 0; trial < 3000; ++trial) {
    Case one(random, trial, true);
    const BoundTopic bound(one.topic, one.dataset(), features_of(trial), "greedy_coverage");
    one.query.labelled = false;
    const BoundedAnswer found = argmax_bounded(bound.oracle, one.query);
    REQUIRE(found.value >= share * one.best() - 1e-12);
    if (!found.has(SCULPT_ANSWER_EXACT)) {
      REQUIRE(found.has(SCULPT_ANSWER_BOUND));
      REQUIRE(found.bound <= found.value / share + 1e-12);
    }
  }
}

TEST_CASE("diversity: with weights below 0 greedy_coverage may miss all gain") {
  RandomTopic topic;
  topic.documents = {{{"p"}, {{"bad", 1}, {"good", 2}}},
                     {{"p"}, {{"bad", 1}, {"fine", 2}}},
                     {{"q"}, {}},
                     {{"q"}, {}}};
  // Each of the first two documents alone loses by its bad word; both together gain.
  const json features = {{"frequency", {0.5}}, {"counts", {1}}, {"normalize", false}};
  OracleQuery query;
  query.w = {2, -3};  // words of one document, words of half of the documents
  query.labelled = false;
  const BoundTopic greedy(topic, {{"k", 2}}, features, "greedy_coverage", {{"bound", "always"}});
  const BoundTopic exact(topic, {{"k", 2}}, features, "exact_coverage");
  const BoundedAnswer found = argmax_bounded(greedy.oracle, query);
  CHECK(found.output == Outputs{2, 3});
  CHECK(found.value == 0);
  CHECK_FALSE(found.has(SCULPT_ANSWER_EXACT));
  CHECK(found.bound >= 1);
  const BoundedAnswer best = argmax_bounded(exact.oracle, query);
  CHECK(best.output == Outputs{0, 1});
  CHECK(best.value == 1);
}

TEST_CASE("diversity: greedy_coverage gives no bound with a loss or weights below 0 by default") {
  Random random(911);
  int without = 0;
  for (int trial = 0; trial < 500; ++trial) {
    Case one(random, trial, trial % 2 == 0);
    const BoundTopic bound(one.topic, one.dataset(), features_of(trial), "greedy_coverage");
    one.query.truth = truth_of(bound.bound.dataset, 0);
    one.query.loss_weight = 1;
    const BoundedAnswer found = argmax_bounded(bound.oracle, one.query);
    REQUIRE_FALSE(found.has(SCULPT_ANSWER_BOUND));
    without += found.has(SCULPT_ANSWER_EXACT) ? 0 : 1;
    if (found.has(SCULPT_ANSWER_EXACT)) REQUIRE(found.value == Approx(one.best()).epsilon(1e-12));
  }
  CHECK(without > 100);
}

TEST_CASE("diversity: exact_coverage that stops early gives a bound that holds") {
  Random random(904);
  int stopped = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    Case one(random, trial, false);
    const BoundTopic bound(one.topic, one.dataset(), features_of(trial), "exact_coverage",
                           {{"max_steps", trial % 100}});
    one.query.truth = truth_of(bound.bound.dataset, 0);
    one.query.loss_weight = loss_weights[static_cast<std::size_t>(trial / 7) % 4];
    const BoundedAnswer found = argmax_bounded(bound.oracle, one.query);
    const double best = one.best();
    if (found.has(SCULPT_ANSWER_EXACT)) {
      REQUIRE(found.value == Approx(best).epsilon(1e-12));
      continue;
    }
    ++stopped;
    REQUIRE(found.value <= best + 1e-12);
    REQUIRE(found.bound >= best - 1e-12);
  }
  CHECK(stopped > 100);
}

TEST_CASE("diversity: max_steps ends the search for any number of documents and words") {
  Random random(913);
  struct Size {
    int documents, words, vocabulary, k;
  };
  for (const Size& size : {Size{20000, 8, 400, 20}, Size{40, 2000, 4000, 6}}) {
    RandomTopic topic = draw_topic(random, size.documents);
    for (RandomTopic::Document& document : topic.documents) {
      for (int k = 0; k < size.words; ++k) {
        ++document.words["w" + std::to_string(draw(random, 1, size.vocabulary))];
      }
    }
    const BoundTopic bound(topic, {{"k", size.k}}, {{"frequency", json::array()}}, "exact_coverage",
                           {{"max_steps", 1000000}});
    OracleQuery query;
    query.w = {1};
    query.labelled = false;
    const BoundedAnswer found = argmax_bounded(bound.oracle, query);
    CHECK_FALSE(found.has(SCULPT_ANSWER_EXACT));
    REQUIRE(found.has(SCULPT_ANSWER_BOUND));
    CHECK(found.bound > found.value);
    CHECK(bound.oracle.polls() > 1);
    CHECK(bound.oracle.polls() < 12);  // one poll in a quarter of a million steps
  }
}

TEST_CASE(
    "diversity: weights whose sums overflow give an output without EXACT and without a bound") {
  Random random(912);
  const RandomTopic topic = draw_topic(random, 8);
  for (const char* name : {"greedy_coverage", "exact_coverage"}) {
    const BoundTopic bound(topic, {{"k", 3}}, features_of(1), name);
    OracleQuery query;
    query.w = {1e308, -1e308, 1e308, -1e308, 1e308, -1e308};
    query.labelled = false;
    const BoundedAnswer found = argmax_bounded(bound.oracle, query);
    CHECK(found.output.size() == 3);
    CHECK(found.flags == 0);
  }
}

TEST_CASE("diversity: of documents with the same gain the first is chosen") {
  RandomTopic topic;
  topic.documents = {{{"p"}, {}}, {{"p"}, {{"a", 1}}}, {{"q"}, {{"b", 1}}}, {{"q"}, {{"b", 1}}}};
  const BoundTopic bound(topic, {{"k", 2}}, {{"frequency", json::array()}}, "greedy_coverage");
  OracleQuery query;
  query.w = {1};
  query.labelled = false;
  CHECK(argmax(bound.oracle, query).output == Outputs{1, 2});
  query.w = {0};
  CHECK(argmax(bound.oracle, query).output == Outputs{0, 1});
  CHECK(truth_of(bound.bound.dataset, 0) == Outputs{0, 2});
}

TEST_CASE("diversity: the truth covers as much as any choice") {
  Random random(905);
  for (int trial = 0; trial < 1000; ++trial) {
    const Case one(random, trial, true);
    LiveComponent dataset("diversity#topics", one.dataset());
    dataset.load("train", one.topic.file());
    const Outputs truth = truth_of(dataset, 0);
    REQUIRE(std::find(one.all.begin(), one.all.end(), truth) != one.all.end());
    REQUIRE(covered_weight(one.topic, truth, one.uniform) == one.most);
  }
}

TEST_CASE("diversity: psi, the loss and the metrics agree with their definitions") {
  Random random(906);
  for (int trial = 0; trial < 500; ++trial) {
    const Case one(random, trial, false);
    const BoundTopic bound(one.topic, one.dataset(), features_of(trial), "greedy_coverage");
    const Outputs truth = truth_of(bound.bound.dataset, 0);
    const Outputs y = one.all[static_cast<std::size_t>(trial) % one.all.size()];
    const std::vector<double> sum = psi(bound.bound.features, 0, y);
    const std::vector<double> expected =
        psi_by_words(one.topic, y, frequency, counts, one.normalize);
    REQUIRE(sum.size() == expected.size());
    for (std::size_t j = 0; j < sum.size(); ++j) REQUIRE(sum[j] == Approx(expected[j]));
    REQUIRE(loss(bound.loss, 0, truth, truth) == 0);
    REQUIRE(loss(bound.loss, 0, truth, y) == Approx(one.delta(truth, y)));
    REQUIRE(loss(bound.loss, 0, y, truth) == 0);
    const json measured = metrics(bound.loss, {{truth, y}});
    Outputs every;
    for (std::int32_t d = 0; d < one.documents; ++d) every.push_back(d);
    const auto share = [&](bool uniform) {
      return covered_weight(one.topic, y, uniform) /
             static_cast<double>(covered_weight(one.topic, every, uniform));
    };
    REQUIRE(measured["loss_at_k"] == Approx(1 - share(false)));
    REQUIRE(measured["coverage"] == Approx(share(true)));
  }
}

TEST_CASE("diversity: all choices are listed once each, or none if there are too many") {
  Random random(907);
  const Case one(random, 0, false);
  const BoundTopic bound(draw_topic(random, 8), {{"k", 3}}, json::object(), "greedy_coverage");
  std::vector<Outputs> listed = enumerated(bound.bound.features, 0, 56);
  std::vector<Outputs> expected = all_choices_of(8, 3);
  CHECK(std::is_sorted(listed.begin(), listed.end()));
  std::sort(expected.begin(), expected.end());
  CHECK(listed == expected);
  CHECK(enumerated(bound.bound.features, 0, 55).empty());
}

TEST_CASE("diversity: weights are bounded with nonnegative and have names") {
  Random random(908);
  const RandomTopic topic = draw_topic(random, 6);
  const BoundTopic free(topic, {{"k", 2}}, features_of(0), "greedy_coverage");
  CHECK_FALSE(bounds_weights(free.bound.features));
  json parameters = features_of(0);
  parameters["nonnegative"] = true;
  const BoundTopic bound(topic, {{"k", 2}}, parameters, "greedy_coverage");
  CHECK(bounds_weights(bound.bound.features));
  CHECK(weight_bounds(bound.bound.features) == std::vector<std::uint8_t>(6, 1));
  CHECK(weight_name(bound.bound.features, 0) == "words in 0 to 0.25 of the candidates");
  CHECK(weight_name(bound.bound.features, 2) == "words in 0.5 to 1 of the candidates");
  CHECK(weight_name(bound.bound.features, 4) == "words 2 times in 0.25 to 0.5 of the candidates");
}

TEST_CASE("diversity: oracles and the search for truths stop on request") {
  Random random(909);
  const RandomTopic topic = draw_topic(random, 3000);
  for (const char* name : {"greedy_coverage", "exact_coverage"}) {
    CAPTURE(name);
    BoundTopic bound(topic, {{"k", 100}}, features_of(1), name);
    bound.oracle.ask_to_stop(true);
    OracleQuery query;
    query.w = draw_coverage_weights(random, false);
    query.labelled = false;
    CHECK_THROWS_WITH(argmax(bound.oracle, query), "stopped");
  }
  LiveComponent dataset("diversity#topics", {{"k", 100}});
  dataset.ask_to_stop(true);
  CHECK_THROWS_WITH(dataset.load("train", topic.file()), "stopped");
}

TEST_CASE("diversity refuses parameters and components that do not fit, with a remedy") {
  Random random(910);
  const RandomTopic topic = draw_topic(random, 4);
  const auto refusal = [&](const json& features) -> std::string {
    try {
      const BoundTopic bound(topic, {{"k", 2}}, features, "greedy_coverage");
      return "accepted";
    } catch (const CallFailed& failure) {
      return failure.what();
    }
  };
  CHECK(refusal({{"frequency", {0.5, 0.2}}}) ==
        "frequency is not increasing; sort it, and write each number once");
  CHECK(refusal({{"frequency", {0, 0.2}}}) ==
        "frequency begins with 0, but no word has a smaller share; begin with a share above 0");
  CHECK(refusal({{"counts", {1, 1}}}) ==
        "counts is not increasing; sort it, and write each number once");
  CHECK(refusal({{"counts", json::array()}}) ==
        "counts is empty, so no word is covered; write [1]");
  std::vector<int> many(21);
  for (std::size_t k = 0; k < many.size(); ++k) many[k] = static_cast<int>(k) + 1;
  CHECK(refusal({{"counts", many}}) == "counts has 21 numbers; write at most 20");

  BoundFeatures rows("svmlight", json::object(), "1 1:1\n2 2:1\n", "multiclass");
  LiveComponent coverage("diversity#coverage");
  CHECK_THROWS_WITH(coverage.bind(&rows.dataset),
                    "needs the dataset topics, not org.sculpt.svmlight; set dataset.use "
                    "to topics");
  LiveComponent oracle("diversity#exact_coverage");
  CHECK_THROWS_WITH(oracle.bind(&rows.dataset, &rows.features),
                    "needs the features `coverage`; set features to it");
  const BoundTopic bound(topic, {{"k", 2}}, json::object(), "greedy_coverage");
  LiveComponent zero_one("zero_one");
  zero_one.bind(&bound.bound.dataset, &bound.bound.features);
  zero_one.seal();
  CHECK_THROWS_WITH(
      oracle.bind(&bound.bound.dataset, &bound.bound.features, &zero_one),
      "supports only the loss `subtopics`, not org.sculpt.zero_one; set loss to subtopics");
}
