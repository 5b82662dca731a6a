// The dataset svmlight_set: reading, learning, and refusals with their places.
#include <doctest/doctest.h>

#include "live_component.hpp"
#include "refusals.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

std::string refused_set(const std::string& text, const std::string& train = "",
                        const json& parameters = json::object()) {
  return refused_data("contingency#svmlight_set", text, train, parameters);
}

}  // namespace

TEST_CASE("svmlight_set: a file is one example and its rows are sites") {
  LiveComponent dataset("contingency#svmlight_set");
  dataset.load("train", "+1 1:0.5 # one\n-1 2:1\n\n-1 3:2\n");
  dataset.load("test", "-1 1:1 9:1\n1 2:1\n");
  CHECK(example_count(dataset) == 2);
  CHECK(split_of(dataset, "test") == std::pair<std::int64_t, std::int64_t>{1, 2});
  CHECK(truth_of(dataset, 0) == Outputs{1, 0, 0});
  CHECK(truth_of(dataset, 1) == Outputs{0, 1});
  CHECK(sites_of(dataset, 0).site_count == 3);
  CHECK(shape_of(dataset).feature_count == 3);
  CHECK(shape_of(dataset).state_count == 2);
  REQUIRE(dataset.log().size() == 1);  // feature 9 is ignored
  CHECK(format(dataset, 0, {1, 0, 0}) == "+1 1\n-1 2\n-1 2");
  CHECK(format(dataset, 0, {2, 5, 0}) == "-1 2\n+1 1\n-1 3");
  CHECK(parse(dataset, 0, "-1 2\n+1 1\n-1 3") == Outputs{2, 3, 0});
  CHECK_THROWS_WITH(parse(dataset, 0, "+1 1\n-1 1\n-1 3"),
                    "rows of both labels have the rank 1; give rows that tie the same label");
  CHECK_THROWS_WITH(parse(dataset, 0, "+1 1\n-1 2"),
                    "a label and a rank for each of 3 rows are expected");
  CHECK_THROWS_WITH(parse(dataset, 0, "+1 1\n2 2\n-1 3"), "'2' is neither +1 nor -1");
  CHECK_THROWS_WITH(parse(dataset, 0, "+1 0\n-1 2\n-1 3"), "'0' is not a rank; ranks count from 1");
}

TEST_CASE("svmlight_set: positive labels that no row has or all rows have are refused") {
  CHECK(refused_set("1 1:1\n2 1:2\n", "", {{"positive", {9}}}) ==
        "data.txt:1:1: no row has a label of `positive`, so there are no positive rows; correct "
        "`positive`");
  CHECK(refused_set("\n1 1:1\n2 1:2\n", "", {{"positive", {1, 2}}}) ==
        "data.txt:2:1: all rows have labels of `positive`, so there are no negative rows; "
        "correct `positive`");
}

TEST_CASE("svmlight_set: one class against the rest and sets without labels are read") {
  LiveComponent dataset("contingency#svmlight_set", {{"positive", {3, 7}}});
  dataset.load("train", "3 1:1\n5 1:2\n7 1:1\n9 1:1\n");
  CHECK(truth_of(dataset, 0) == Outputs{1, 0, 1, 0});
  CHECK(dataset.log().empty());
  dataset.load("test", "8 1:1\n3 1:1\n");
  REQUIRE(dataset.log().size() == 1);
  CHECK(dataset.log().front() ==
        "data.txt:1:1: label 8 does not occur in the training data; such labels make no row "
        "positive, 1 row has them");
  CHECK(truth_of(dataset, 1) == Outputs{0, 1});
  dataset.load("predict", "1:1\n1:2\n");
  CHECK_FALSE(is_labelled(dataset, 2));

  LiveComponent restored("contingency#svmlight_set", {{"positive", {3, 7}}});
  restored.restore(dataset.save());
  restored.load("test", "8 1:1\n3 1:1\n");
  CHECK(truth_of(restored, 0) == Outputs{0, 1});
  CHECK(restored.save() == dataset.save());
}

TEST_CASE("svmlight_set: `18,50 254:.07`, several labels a row, positive if one of them is") {
  const std::string rows = "18,50 254:.07\n50 1:1\n- 2:1 # none\r\nacq,+18.0 1:2\n7 3:1\n";
  LiveComponent number("contingency#svmlight_set", {{"positive", 18}});
  number.load("train", rows);
  CHECK(truth_of(number, 0) == Outputs{1, 0, 0, 1, 0});
  CHECK(shape_of(number).feature_count == 254);
  for (const json& positive : {json("18"), json{"18"}, json{18}, json{"18.0"}}) {
    LiveComponent same("contingency#svmlight_set", {{"positive", positive}});
    same.load("train", "\xEF\xBB\xBF" + rows);
    CHECK(same.save() == number.save());
  }
  LiveComponent several("contingency#svmlight_set", {{"positive", {"acq", 7}}});
  several.load("train", rows);
  CHECK(truth_of(several, 0) == Outputs{0, 0, 0, 1, 1});
  several.load("test", "7,99 1:1\n- 1:1\n");
  CHECK(truth_of(several, 1) == Outputs{1, 0});
  REQUIRE(several.log().size() == 1);
  CHECK(several.log()[0] ==
        "data.txt:1:1: label 99 does not occur in the training data; such labels make no row "
        "positive, 1 row has them");
}

TEST_CASE("svmlight_set refuses rows of several labels and named labels without `positive`") {
  CHECK(refused_set("1 1:1\n  18,50 1:1\n") ==
        "data.txt:2:3: the row has several labels; list the labels of positive rows, such as --set "
        "'dataset.positive=[\"18\"]'");
  CHECK(refused_set("1 1:1\n- 1:1\n").starts_with("data.txt:2:1: the row has no label; list"));
  CHECK(
      refused_set("1 1:1\nacq 1:1\n") ==
      "data.txt:2:1: 'acq' is not a whole number, nor index:value of a row without label; if "
      "labels are names, list those of positive rows, such as --set 'dataset.positive=[\"spam\"]'");
  const json of_18 = {{"positive", "18"}};
  CHECK(refused_set("18,,50 1:1\n", "", of_18) ==
        "data.txt:1:4: a label is missing here; write the labels of the row as 18,50, or - if it "
        "has none");
  CHECK(refused_set("18, 50 1:1\n", "", of_18).starts_with("data.txt:1:4: a label is missing"));
  CHECK(refused_set("18 1:1\n 1:2\n", "", of_18) ==
        "data.txt:2:2: this row has no label, but the first row has one; label all rows of a set, "
        "or none (- is a row of no topic)");
  CHECK(refused_set("18,50 1:1\n50 1:1\n", "", {{"positive", {"18", "ac"}}}) ==
        "data.txt:1:1: no row has the label ac of `positive`; remove it there, or correct it");
  CHECK(refused_set("99999999999999999999,1 1:1\n", "", of_18) ==
        "data.txt:1:1: '99999999999999999999' is too large for a label");
}

TEST_CASE("svmlight_set refuses a `positive` that is no label and no list of labels") {
  for (const json& positive : {json(7.5), json(true), json(nullptr), json{{"a", 1}}, json(""),
                               json{"18,50"}, json{{1, 2}}, json("a\"b")}) {
    CHECK(refusal_of(SCULPT_E_PARAMETER, [&] {
            LiveComponent("contingency#svmlight_set", {{"positive", positive}});
          }).starts_with("positive is "));
  }
}

TEST_CASE("svmlight_set with sets distributes positive and negative training rows evenly") {
  LiveComponent dataset("contingency#svmlight_set", {{"sets", 2}});
  dataset.load("train", "+1 1:1\n+1 1:2\n-1 1:3\n+1 1:4\n-1 1:5\n");
  dataset.load("test", "+1 1:1\n-1 1:2\n");
  REQUIRE(example_count(dataset) == 3);
  CHECK(truth_of(dataset, 0) == Outputs{1, 0, 1});
  CHECK(truth_of(dataset, 1) == Outputs{1, 0});
  CHECK(truth_of(dataset, 2) == Outputs{1, 0});
  CHECK(sites_of(dataset, 0).value[2] == 4);
  CHECK(sites_of(dataset, 1).value[1] == 5);
  CHECK(refused_set("+1 1:1\n-1 1:1\n+1 1:1\n", "", {{"sets", 2}}) ==
        "data.txt:1:1: 2 positive and 1 negative rows are too few for 2 sets with both kinds in "
        "each; lower "
        "`sets`");
}

TEST_CASE("svmlight_set refuses labels without two clear classes, with their place") {
  CHECK(refused_set("1 1:1\n2 1:1\n3 1:1\n") ==
        "data.txt:3:1: label 3 is a third label; list the positive labels in `positive`");
  CHECK(refused_set("1 1:1\n1 1:1\n") ==
        "data.txt:1:1: all rows have the label 1, so there is nothing to learn; add rows with "
        "another label");
  CHECK(refused_set("1:1\n1:2\n") ==
        "data.txt:1:1: the rows have no labels, so there is nothing to "
        "learn; begin rows with a label");
  CHECK(refused_set("1 1:1\n2:1\n") ==
        "data.txt:2:1: this row has no label, but the first row has one; label all rows of a "
        "set, or none");
  CHECK(refused_set("# nothing\n") == "data.txt:1:1: no rows; write rows such as `1 1:0.5 3:1`");
  CHECK(refused_set("1 1:1\n4 1:1\n", "1 1:1\n2 1:1\n") ==
        "data.txt:2:1: label 4 does not occur in the training data, which has 1 and 2; remove the "
        "row, list the positive labels in `positive`, or remove all labels of the file to predict "
        "them");
  CHECK(refused_set("1 1:1\n2 1:x\n").starts_with("data.txt:2:5: "));
}
