// The limits and refusals of the oracles of clustering, and their stop requests.
#include <doctest/doctest.h>

#include "oracle_calls.hpp"
#include "random_documents.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

const std::vector<std::string> oracles{"agglomerative", "clustering_lp", "clustering_enumeration"};

// A document of `items` items with a row for one pair.
std::string document_of(int items) {
  return "items 1 " + std::to_string(items) + "\n1 0 1 1 1:1\n";
}

// The message with which an oracle refuses a dataset, or "bound".
std::string refused_binding(const LiveComponent& dataset, const std::string& name,
                            const json& parameters) {
  LiveComponent features("clustering", json::object(), SCULPT_KIND_FEATURES);
  features.bind(&dataset);
  features.seal();
  LiveComponent oracle("clustering#" + name, parameters, SCULPT_KIND_ORACLE);
  try {
    oracle.bind(&dataset, &features);
  } catch (const CallFailed& failure) {
    CHECK(failure.status() == SCULPT_E_UNSUPPORTED);
    return failure.what();
  }
  return "bound";
}

}  // namespace

TEST_CASE("oracles of clustering refuse features and losses that they do not support") {
  Random random(818);
  const RandomDocument document = draw_document(random, 4);
  CHECK_THROWS_WITH(
      BoundDocument(document, "clustering#mitre", "clustering_lp"),
      "needs a loss that is a sum over pairs, but org.sculpt.mitre is not; use the loss "
      "rand_error, or the oracle agglomerative");
  CHECK_THROWS_WITH(
      BoundDocument(document, "zero_one", "agglomerative"),
      "supports the losses rand_error and mitre, not org.sculpt.zero_one; use one of these, or "
      "for small documents the oracle clustering_enumeration");
  BoundFeatures letters("svmlight", json::object(), "1 1:1\n2 2:1\n", "multiclass");
  for (const std::string& name : oracles) {
    LiveComponent oracle("clustering#" + name);
    CHECK_THROWS_WITH(oracle.bind(&letters.dataset, &letters.features),
                      "needs the features `clustering`; set features to it");
  }
  LiveComponent features("clustering", json::object(), SCULPT_KIND_FEATURES);
  CHECK_THROWS_WITH(features.bind(&letters.dataset),
                    "needs features of pairs of items; set dataset.use to item_pairs");
}

TEST_CASE("oracles of clustering refuse documents above their limits at bind, in all splits") {
  const std::string too_many_partitions =
      "example 1, a document of 12 items, has more than max_items = 10; it has too many partitions "
      "to enumerate; use the oracle clustering_lp or agglomerative";
  const std::string too_many_pairs =
      "example 1, a document of 12 items, has more than max_items = 11; its program has a variable "
      "for each pair of items; raise max_items, which takes longer, or use the oracle "
      "agglomerative";
  LiveComponent dataset("clustering#item_pairs");
  dataset.load("train", document_of(10));
  CHECK(refused_binding(dataset, "clustering_enumeration", json::object()) == "bound");
  for (const char* split : {"test", "predict"}) {
    CAPTURE(split);
    LiveComponent loaded("clustering#item_pairs");
    loaded.restore(dataset.save());
    loaded.load("validation", document_of(10));
    loaded.load(split, document_of(12));
    CHECK(refused_binding(loaded, "clustering_enumeration", json::object()) == too_many_partitions);
    CHECK(refused_binding(loaded, "clustering_enumeration", {{"max_items", 12}}) == "bound");
    CHECK(refused_binding(loaded, "clustering_lp", {{"max_items", 11}}) == too_many_pairs);
    CHECK(refused_binding(loaded, "clustering_lp", json::object()) == "bound");
    CHECK(refused_binding(loaded, "agglomerative", json::object()) == "bound");
  }
}

TEST_CASE("oracles of clustering refuse scores that overflow") {
  RandomDocument document = document_of_single_pairs(3, {0, 0, 1});
  document.pairs.front().input.front() = 1e10;
  OracleQuery query;
  query.labelled = false;
  for (const std::string& name : oracles) {
    CAPTURE(name);
    const BoundDocument bound(document, "clustering#rand_error", name);
    query.w = {1e290, 1e300, -1e300};
    CHECK_NOTHROW(argmax(bound.oracle, query));
    query.w.front() = 1e300;
    CHECK_THROWS_WITH(argmax(bound.oracle, query),
                      "the scores of its pairs overflow; set \"scaling\" in \"dataset\"");
  }
}

TEST_CASE("oracles of clustering stop on request, and then answer as before") {
  Random random(819);
  const RandomDocument document = draw_document(random, 9);
  const OracleQuery query{0, {1, -1}, document.truth, 1};
  for (const std::string& name : oracles) {
    CAPTURE(name);
    BoundDocument bound(document, "clustering#rand_error", name);
    const Outputs before = argmax(bound.oracle, query).output;
    bound.oracle.ask_to_stop(true);
    try {
      argmax(bound.oracle, query);
      FAIL("went on");
    } catch (const CallFailed& failure) {
      CHECK(failure.status() == SCULPT_E_CANCELLED);
    }
    bound.oracle.ask_to_stop(false);
    CHECK(argmax(bound.oracle, query).output == before);
  }
}

// In the truth each item is alone. No further step gains after the first two items are merged.
TEST_CASE("agglomerative checks for a stop request at each item, not only once a step") {
  constexpr int items = 40;
  Outputs truth;
  while (truth.size() < items) truth.push_back(static_cast<std::int32_t>(truth.size()));
  const RandomDocument document = document_of_single_pairs(items, truth);
  const BoundDocument bound(document, "clustering#mitre", "agglomerative",
                            {{"moves", false}, {"starts", false}});
  const std::vector<double> w(document.pairs.size(), 0.0);
  argmax(bound.oracle, {0, w, truth, 1});
  CHECK(bound.oracle.polls() >= items);
}
