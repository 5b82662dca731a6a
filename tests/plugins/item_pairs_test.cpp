// The dataset item_pairs: reading, learning, and refusals with their places.
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

TEST_CASE("item_pairs: chains of links define the clusters of a document") {
  LiveComponent dataset("clustering#item_pairs");
  dataset.load("train", two_documents);
  dataset.load("test", "1 0 1 -1 1:1 9:1\n");
  CHECK(example_count(dataset) == 3);
  CHECK(split_of(dataset, "test") == std::pair<std::int64_t, std::int64_t>{2, 3});
  CHECK(truth_of(dataset, 0) == Outputs{0, 0, 0, 1});
  CHECK(truth_of(dataset, 1) == Outputs{0, 1, 2, 3});
  CHECK(truth_of(dataset, 2) == Outputs{0, 1});
  REQUIRE(dataset.log().size() == 1);  // feature 9 is ignored
  CHECK(format(dataset, 0, {0, 1, 0, 2}) == "0 1 0 2");
  CHECK(parse(dataset, 0, "0 1 0 2") == Outputs{0, 1, 0, 2});
  CHECK(parse(dataset, 0, "3 1 3 0") == Outputs{0, 1, 0, 2});
  CHECK_THROWS_WITH(parse(dataset, 0, "0 0 0"),
                    "there are 3 clusters for 4 items; write one for each item");
  CHECK_THROWS_WITH(parse(dataset, 0, "0 0 0 4"),
                    "'4' is not a cluster of 4 items; write a number from 0 to 3");
  CHECK_THROWS_WITH(parse(dataset, 0, "0 0 x 1"),
                    "'x' is not a cluster of 4 items; write a number from 0 to 3");
  CHECK_THROWS_WITH(
      format(dataset, 0, {0, 2, 0, 1}),
      "cluster 2 is out of order; number clusters from 0 in the order of their first items");
}

TEST_CASE("item_pairs: documents of one item and documents without labels are read") {
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
  CHECK(restored.log().size() == 1);  // feature 2 is ignored
  CHECK(restored.save() == dataset.save());
}

TEST_CASE("features of clustering sum the pairs within clusters, divided by the number of pairs") {
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

TEST_CASE("item_pairs refuses links that contradict each other, with the rows of both") {
  CHECK(refused_documents("1 0 1 1 1:1\n1 1 2 1 1:1\n1 0 2 -1 1:1\n") ==
        "data.txt:3:3: items 0 and 2 are marked as different, but pairs marked as the same "
        "link them, the last of these on line 2; correct one of the rows");
  CHECK(refused_documents("1 2 0 -1 1:1\n1 3 4 1\n1 0 1 1 1:1\n1 1 3 1 1:1\n1 3 2 1\n1 5 6 1\n") ==
        "data.txt:1:3: items 0 and 2 are marked as different, but pairs marked as the same "
        "link them, the last of these on line 5; correct one of the rows");
}

TEST_CASE("item_pairs refuses bad and repeated pairs") {
  CHECK(refused_documents("1 0 1 1 1:1\n1 0 2 1\n1 1 0 1 1:1\n") ==
        "data.txt:3:3: items 0 and 1 are a pair on line 1 already; write each pair once");
  CHECK(refused_documents("1 2 2 1 1:1\n") ==
        "data.txt:1:5: item 2 is paired with itself; write two different items");
  CHECK(refused_documents("1 0 -1 1 1:1\n") ==
        "data.txt:1:5: item -1 is below 0; count items from 0");
  CHECK(refused_documents("1 0 x 1 1:1\n") ==
        "data.txt:1:5: 'x' is not an item; these are whole numbers from 0");
  CHECK(refused_documents("1 0 1 2 1:1\n") ==
        "data.txt:1:7: '2' is not 1 (the same), -1 (not) or ? (unknown)");
  CHECK(refused_documents("1 0 1\n") ==
        "data.txt:1:1: this row is too short; write a document, two items and whether "
        "they are the same: 1, -1 or ?");
  CHECK(refused_documents("1 0 1 1 1:1\n1 0 2 1 x\n").starts_with("data.txt:2:9: "));
}

TEST_CASE("item_pairs refuses items outside the document and documents above max_items") {
  CHECK(refused_documents("items 1 3\n1 0 1 1 1:1\n1 0 3 1 1:1\n") ==
        "data.txt:3:5: item 3 is too large: line 1 gives the document 3 items, which count "
        "from 0");
  CHECK(refused_documents("1 0 5 1 1:1\n", {{"max_items", 5}}) ==
        "data.txt:1:5: item 5 is beyond max_items = 5; raise max_items, or count items from 0");
  CHECK(refused_documents("items 1 6\n", {{"max_items", 5}}) ==
        "data.txt:1:9: a document has 1 to max_items = 5 items, not 6");
  CHECK(refused_documents("items 1 0\n") ==
        "data.txt:1:9: a document has 1 to max_items = 2000 items, not 0");
  CHECK(refused_documents("items 1\n") ==
        "data.txt:1:1: this line is not `items document N`; write a document and how many "
        "items it has");
}

TEST_CASE("item_pairs refuses unlabelled training documents, with the place of their first row") {
  CHECK(refused_documents("items 7 2\n7 0 1 -1\nitems 8 3\n8 0 1 ?\n8 0 2 ?\n") ==
        "data.txt:4:3: document 8 is unlabelled, but training needs its clusters; write 1 or "
        "-1 for its pairs, or remove the document");
}

TEST_CASE("item_pairs refuses documents in several parts and documents that are partly labelled") {
  CHECK(refused_documents("1 0 1 1\n2 0 1 1\n1 0 2 1\n") ==
        "data.txt:3:1: document 1 began on line 1 and ended before this row; put the rows of a "
        "document "
        "together");
  CHECK(refused_documents("1 0 1 1\nitems 1 4\n") ==
        "data.txt:2:1: document 1 began on line 1; write its line `items` once, before its "
        "rows");
  CHECK(refused_documents("1 0 1 1\n1 0 2 ?\n") ==
        "data.txt:2:7: this row has no label, but the first row of the document has one; label "
        "all rows of a document, or none");
  CHECK(refused_documents("1 0 1 ?\n1 0 2 -1\n") ==
        "data.txt:2:7: this row has a label, but the first row of the document has none; label "
        "all rows of a document, or none");
  CHECK(refused_documents("# nothing\n") ==
        "data.txt:1:1: no rows; write rows such as `1 0 1 -1 1:0.5 3:1`");
  CHECK(refused_documents("x 0 1 1\n") ==
        "data.txt:1:1: 'x' is not a document; a whole number is expected, or `items`");
}
