// The frontier of clustering_enumeration agrees with a list of all partitions, for every loss.
#include <doctest/doctest.h>

#include "count_calls.hpp"
#include "random_documents.hpp"

#include <algorithm>
#include <set>

#include <sculpt/sculpt.hpp>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

// A loss of another library. The library clustering knows only the names of its counts.
template <const sculpt_count&... counted>
class ForeignLoss {
 public:
  static constexpr sculpt::About about{"org.example.foreign", "1.0.0", "a function of counts"};
  static constexpr sculpt_count counts[] = {counted...};
  double loss(std::int64_t, sculpt::Labels truth, sculpt::Labels guess) const {
    return truth == guess ? 0 : 1;
  }
  double loss_of_counts(std::int64_t, sculpt::Labels, std::span<const std::int64_t>) const {
    return 0;
  }
};

constexpr sculpt_count all_wrong_pairs = sculpt::counted("wrong_pairs");
constexpr sculpt_count few_wrong_pairs = sculpt::counted("wrong_pairs", 2);
constexpr sculpt_count clusters = sculpt::counted("clusters");
constexpr sculpt_count few_cells = sculpt::counted("cells", 3);
constexpr sculpt_count errors = sculpt::counted("errors");
constexpr sculpt_count depth = sculpt::counted("depth");

std::int64_t count_of(const std::string& name, const Outputs& truth, const Outputs& y) {
  if (name == "clusters") return std::ssize(std::set<std::int32_t>(y.begin(), y.end()));
  std::set<std::pair<std::int32_t, std::int32_t>> cells_of;
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    cells_of.insert({truth[i], y[i]});
    if (name == "errors") wrong += truth[i] != y[i] ? 1 : 0;
    if (name != "wrong_pairs") continue;
    for (std::size_t j = 0; j < i; ++j) wrong += (truth[i] == truth[j]) != (y[i] == y[j]) ? 1 : 0;
  }
  return name == "cells" ? std::ssize(cells_of) : wrong;
}

Counts counts_of(const LiveComponent& loss, const Outputs& truth, const Outputs& y) {
  Counts result{0, 0};
  std::size_t k = 0;
  for (const NamedCount& one : counts_of(loss)) {
    result[k++] = std::min(one.limit, count_of(one.name, truth, y));
  }
  return result;
}

// Checks for each vector of counts the best score, and an output with these counts and this score.
void check_frontier_of_partitions(Random& random, const LiveComponent& loss) {
  const RandomDocument document = draw_document(random, draw(random, 2, 6));
  const BoundFeatures bound("clustering#item_pairs", json::object(), document.file(), "clustering");
  LiveComponent oracle("clustering#clustering_enumeration");
  oracle.bind(&bound.dataset, &bound.features, &loss);
  oracle.seal();
  OracleQuery query;
  query.truth = document.truth;
  query.w = draw_weights(random, bound);
  const auto score = [&](const Outputs& y) { return dot(query.w, psi(bound.features, 0, y)); };
  std::map<Counts, double> best;
  for (const Outputs& y : all_partitions(document.items)) {
    const auto [place, is_new] = best.try_emplace(counts_of(loss, document.truth, y), score(y));
    if (!is_new) place->second = std::max(place->second, score(y));
  }
  const auto entries = frontier(oracle, loss, query);
  REQUIRE(entries.size() == best.size());
  for (const auto& [counts, entry] : entries) {
    REQUIRE(best.contains(counts));
    REQUIRE(entry.score == Approx(best[counts]).epsilon(1e-12));
    REQUIRE(score(entry.output) == Approx(entry.score).epsilon(1e-12));
    REQUIRE(counts_of(loss, document.truth, entry.output) == counts);
  }
}

// A document of 9 items. The oracle polls several times within its 21 147 partitions.
struct NineItems {
  NineItems()
      : random(820),
        document(draw_document(random, 9)),
        bound(document, "clustering#mitre", "clustering_enumeration"),
        query{0, {1, -0.5}, document.truth},
        frontier(bound.oracle, query, {clusters, sculpt::counted("cells")}) {}
  Random random;
  RandomDocument document;
  BoundDocument bound;
  OracleQuery query;
  OracleFrontier frontier;
};

}  // namespace

TEST_CASE("clustering_enumeration: the frontier has the best score for all counts, and an output") {
  Random random(820);
  for (const char* name : {"clustering#rand_error", "clustering#mitre", "zero_one", "hamming"}) {
    CAPTURE(name);
    const LiveComponent loss(name);
    for (int trial = 0; trial < 150; ++trial) check_frontier_of_partitions(random, loss);
  }
}

TEST_CASE(
    "clustering_enumeration supports losses of other libraries by the names of their counts") {
  Random random(828);
  const auto check = [&](const sculpt_component& component) {
    const LiveComponent loss(component);
    for (int trial = 0; trial < 100; ++trial) check_frontier_of_partitions(random, loss);
  };
  check(sculpt::Loss<ForeignLoss<all_wrong_pairs>>::component);
  check(sculpt::Loss<ForeignLoss<few_wrong_pairs>>::component);
  check(sculpt::Loss<ForeignLoss<few_cells, clusters>>::component);
  check(sculpt::Loss<ForeignLoss<errors, few_wrong_pairs>>::component);

  const BoundFeatures bound("clustering#item_pairs", json::object(), "1 0 1 1 1:1\n", "clustering");
  LiveComponent oracle("clustering#clustering_enumeration");
  const LiveComponent unknown(sculpt::Loss<ForeignLoss<clusters, depth>>::component);
  CHECK_THROWS_WITH(oracle.bind(&bound.dataset, &bound.features, &unknown),
                    "counts wrong_pairs, clusters, cells, errors, but org.example.foreign is a "
                    "function of 'depth': count it in the features, or use another loss");
}

TEST_CASE("losses of clustering are functions of their counts, from 0 to 1 at impossible ones") {
  Random random(826);
  for (const char* name : {"clustering#rand_error", "clustering#mitre"}) {
    CAPTURE(name);
    const LiveComponent measured(name);
    const std::size_t counted = counts_of(measured).size();
    for (int trial = 0; trial < 300; ++trial) {
      const int items = draw(random, 1, 7);
      const Outputs truth = draw_partition(random, items);
      const Outputs y = draw_partition(random, items);
      const Counts counts = counts_of(measured, truth, y);
      CHECK(loss_of_counts(measured, truth, {counts.begin(), counts.begin() + counted}) ==
            Approx(loss(measured, truth, y)).epsilon(1e-12));
    }
  }
  const LiveComponent mitre("clustering#mitre");
  for (const Outputs& truth : {Outputs{0, 0, 0}, Outputs{0, 1, 2}, Outputs{0}}) {
    const auto n = static_cast<std::int64_t>(truth.size());
    for (std::int64_t any_clusters = 0; any_clusters <= n; ++any_clusters) {
      for (std::int64_t any_cells = 0; any_cells <= n; ++any_cells) {
        const double value = loss_of_counts(mitre, truth, {any_clusters, any_cells});
        CHECK(value >= 0);
        CHECK(value <= 1);
      }
    }
  }
}

TEST_CASE("clustering_enumeration: a slice that was stopped is complete at the next call") {
  NineItems stopped;
  const NineItems uninterrupted;
  stopped.frontier.begin();
  stopped.bound.oracle.ask_to_stop(true);
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      stopped.frontier.slice(2);
      FAIL("went on");
    } catch (const CallFailed& failure) {
      CHECK(failure.status() == SCULPT_E_CANCELLED);
    }
  }
  stopped.bound.oracle.ask_to_stop(false);
  const auto expected =
      frontier(uninterrupted.bound.oracle, uninterrupted.bound.loss, uninterrupted.query);
  const std::vector<double> slice = stopped.frontier.slice(2);
  for (std::int64_t second = 0; second < std::ssize(slice); ++second) {
    CAPTURE(second);
    const auto found = expected.find({2, second});
    const double score = slice[static_cast<std::size_t>(second)];
    if (found == expected.end()) {
      CHECK(score == -std::numeric_limits<double>::infinity());
      continue;
    }
    CHECK(score == found->second.score);
    CHECK(stopped.frontier.output({2, second}) == found->second.output);
  }
}

TEST_CASE(
    "clustering_enumeration: another call closes a frontier, and missing counts are refused") {
  NineItems nine_items;
  const char* const not_begun =
      "this sequence of calls has not begun, or another call on the session has ended it; begin it "
      "again";
  CHECK_THROWS_WITH(nine_items.frontier.slice(0), not_begun);
  nine_items.frontier.begin();
  CHECK_NOTHROW(nine_items.frontier.slice(0));
  argmax(nine_items.bound.oracle, nine_items.query);
  CHECK_THROWS_WITH(nine_items.frontier.slice(0), not_begun);
  CHECK_THROWS_WITH(nine_items.frontier.output({1, 1}), not_begun);
  nine_items.frontier.begin();
  CHECK_THROWS_WITH(nine_items.frontier.slice(10),
                    "there is no count 10; begin a frontier, and stay within its size");
  CHECK_THROWS_WITH(nine_items.frontier.output({0, 0}),
                    "no output has counts 0 and 0; ask only for counts with a finite score");
}
