// The dataset item_pairs: what it reads, what it learns, what it refuses and where.
#include <doctest/doctest.h>

#include "live_component.hpp"
#include "refusals.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

std::string refused_documents(const std::string& text, const json& parameters = json::object()) {
  return refused_data("clustering#item_pairs", text, "", parameters);
}

const std::string two_documents =
    "1 0 1 1 1:0.5 # the same\n"
    "1 3 1 -1 2:1\n\n"
    "1 0 2 +1 3:2\n"
    "items 7 4\n"
    "7 2 1 -1 1:1\n";

}  // namespace

TEST_CASE("item_pairs: documents are sets of items, and chains of links make their clusters") {
  LiveComponent dataset("clustering#item_pairs");
  dataset.load("train", two_documents);
  dataset.load("test", "1 0 1 -1 1:1 9:1\n");
  CHECK(example_count(dataset) == 3);
  CHECK(split_of(dataset, "test") == std::pair<std::int64_t, std::int64_t>{2, 3});
  CHECK(truth_of(dataset, 0) == Outputs{0, 0, 0, 1});
  CHECK(truth_of(dataset, 1) == Outputs{0, 1, 2, 3});
  CHECK(truth_of(dataset, 2) == Outputs{0, 1});
  REQUIRE(dataset.log().size() == 1);  // feature 9
  CHECK(format(dataset, 0, {0, 1, 0, 2}) == "0 1 0 2");
  CHECK(parse(dataset, 0, "0 1 0 2") == Outputs{0, 1, 0, 2});
  CHECK(parse(dataset, 0, "3 1 3 0") == Outputs{0, 1, 0, 2});
  CHECK_THROWS_WITH(parse(dataset, 0, "0 0 0"), "a cluster for each of 4 items is expected, not 3");
  CHECK_THROWS_WITH(parse(dataset, 0, "0 0 0 4"),
                    "'4' is no cluster of 4 items; these count from 0");
  CHECK_THROWS_WITH(parse(dataset, 0, "0 0 x 1"),
                    "'x' is no cluster of 4 items; these count from 0");
  CHECK_THROWS_WITH(format(dataset, 0, {0, 2, 0, 1}),
                    "cluster 2 is out of turn; clusters are numbered from 0 in the order of their "
                    "first items");
}

TEST_CASE("item_pairs: documents of one item, and documents without labels") {
  LiveComponent dataset("clustering#item_pairs");
  dataset.load("train", "items 1 1\n2 0 1 1 1:1\n");
  CHECK(truth_of(dataset, 0) == Outputs{0});
  CHECK(format(dataset, 0, {0}) == "0");
  dataset.load("predict", "items 5 3\n5 0 1 ? 1:1\n6 0 1 1\n");
  CHECK_FALSE(is_labelled(dataset, 2));
  CHECK(format(dataset, 2, {0, 1, 1}) == "0 1 1");
  CHECK(truth_of(dataset, 3) == Outputs{0, 0});

  LiveComponent restored("clustering#item_pairs");
  restored.restore(dataset.save());
  restored.load("predict", "1 0 1 ? 1:1 2:1\n");
  CHECK(restored.log().size() == 1);  // training had one feature
  CHECK(restored.save() == dataset.save());
}

TEST_CASE("features of clustering sum the pairs that are together, by the number of pairs") {
  LiveComponent dataset("clustering#item_pairs");
  dataset.load("train", two_documents);
  LiveComponent features("clustering", json::object(), SCULPT_KIND_FEATURES);
  features.bind(&dataset);
  features.seal();
  CHECK(dimension(features) == 4);
  CHECK(psi(features, 0, {0, 0, 0, 1}) == std::vector<double>{0.5 / 6, 0, 2.0 / 6, 2.0 / 6});
  CHECK(psi(features, 0, {0, 1, 2, 1}) == std::vector<double>{0, 1.0 / 6, 0, 1.0 / 6});
  CHECK(psi(features, 1, {0, 0, 1, 1}) == std::vector<double>{0, 0, 0, 0});
  CHECK(weight_name(features, 1) == "feature 2");
  CHECK(weight_name(features, 3) == "bias");
  CHECK_THROWS_WITH(psi(features, 0, {0, 0, 0}), "an output of this document has 4 numbers, not 3");
}

TEST_CASE("item_pairs refuses links that contradict each other, at the row, naming the chain's") {
  CHECK(refused_documents("1 0 1 1 1:1\n1 1 2 1 1:1\n1 0 2 -1 1:1\n") ==
        "data.txt:3:3: items 0 and 2 are said to be different, but pairs that are the same join "
        "them, the last of these on line 2; correct one of the rows");
  CHECK(refused_documents("1 2 0 -1 1:1\n1 3 4 1\n1 0 1 1 1:1\n1 1 3 1 1:1\n1 3 2 1\n1 5 6 1\n") ==
        "data.txt:1:3: items 0 and 2 are said to be different, but pairs that are the same join "
        "them, the last of these on line 5; correct one of the rows");
}

TEST_CASE("item_pairs refuses pairs that are none, or there already") {
  CHECK(refused_documents("1 0 1 1 1:1\n1 0 2 1\n1 1 0 1 1:1\n") ==
        "data.txt:3:3: items 0 and 1 are a pair on line 1 already; name each pair once");
  CHECK(refused_documents("1 2 2 1 1:1\n") ==
        "data.txt:1:5: item 2 is paired with itself; a pair has two items");
  CHECK(refused_documents("1 0 -1 1 1:1\n") ==
        "data.txt:1:5: item -1 is below 0; count items from 0");
  CHECK(refused_documents("1 0 x 1 1:1\n") ==
        "data.txt:1:5: 'x' is not an item; these are whole numbers from 0");
  CHECK(refused_documents("1 0 1 2 1:1\n") ==
        "data.txt:1:7: '2' is not 1 (the same), -1 (not) or ? (unknown)");
  CHECK(refused_documents("1 0 1\n") ==
        "data.txt:1:1: a row begins with a document, two items and whether they are the same: 1, "
        "-1 or ?");
  CHECK(refused_documents("1 0 1 1 1:1\n1 0 2 1 x\n").starts_with("data.txt:2:9: "));
}

TEST_CASE("item_pairs refuses items that a document does not have, or that are too many") {
  CHECK(refused_documents("items 1 3\n1 0 1 1 1:1\n1 0 3 1 1:1\n") ==
        "data.txt:3:5: item 3 is unknown: line 1 says that the document has 3 items, which count "
        "from 0");
  CHECK(refused_documents("1 0 5 1 1:1\n", {{"max_items", 5}}) ==
        "data.txt:1:5: item 5 is beyond max_items = 5; raise it, or count items from 0");
  CHECK(refused_documents("items 1 6\n", {{"max_items", 5}}) ==
        "data.txt:1:9: a document has 1 to max_items = 5 items, not 6");
  CHECK(refused_documents("items 1 0\n") ==
        "data.txt:1:9: a document has 1 to max_items = 2000 items, not 0");
  CHECK(refused_documents("items 1\n") ==
        "data.txt:1:1: `items` is followed by a document and how many items it has");
}

TEST_CASE("item_pairs refuses documents without labels in the training, at their first row") {
  CHECK(refused_documents("items 7 2\n7 0 1 -1\nitems 8 3\n8 0 1 ?\n8 0 2 ?\n") ==
        "data.txt:4:3: document 8 is unlabelled, and training needs its clusters; say 1 or -1 of "
        "its pairs, or take it out");
}

TEST_CASE("item_pairs refuses documents in pieces, and labels of a part of one") {
  CHECK(refused_documents("1 0 1 1\n2 0 1 1\n1 0 2 1\n") ==
        "data.txt:3:1: document 1 has begun on line 1 and ended; put the rows of a document "
        "together");
  CHECK(refused_documents("1 0 1 1\nitems 1 4\n") ==
        "data.txt:2:1: document 1 has begun on line 1; put the line `items` in front of its rows, "
        "once");
  CHECK(refused_documents("1 0 1 1\n1 0 2 ?\n") ==
        "data.txt:2:7: this row does not say whether its items are the same, the document's first "
        "one does; a document is labelled as a whole or not at all");
  CHECK(refused_documents("1 0 1 ?\n1 0 2 -1\n") ==
        "data.txt:2:7: this row says whether its items are the same, the document's first one does "
        "not; a document is labelled as a whole or not at all");
  CHECK(refused_documents("# nothing\n") ==
        "data.txt:1:1: no rows; write some such as `1 0 1 -1 1:0.5 3:1`");
  CHECK(refused_documents("x 0 1 1\n") ==
        "data.txt:1:1: 'x' is not a document; a whole number is expected, or `items`");
}
