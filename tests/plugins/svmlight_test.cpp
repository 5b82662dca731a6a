// The dataset svmlight: reading, learning, and refusals with their places.
#include <doctest/doctest.h>

#include "line_ends.hpp"
#include "live_component.hpp"
#include "refusals.hpp"

#include <sculpt/cpp/error.hpp>

using namespace plugin_test;

namespace {

// The only site of an example, as "1:0.5 3:2.0".
std::string row_text(const LiveComponent& dataset, std::int64_t example) {
  const sculpt_sites sites = sites_of(dataset, example);
  REQUIRE(sites.site_count == 1);
  std::string text;
  for (std::int64_t j = sites.row_from[0]; j < sites.row_from[1]; ++j) {
    text += (text.empty() ? "" : " ") + std::to_string(sites.index[j] + 1) + ":" +
            nlohmann::json(sites.value[j]).dump();
  }
  return text;
}

std::string refused_rows(const std::string& text, const std::string& train = "") {
  return refused_data("svmlight", text, train);
}

std::string without_last_end(const std::string& text) {
  return text.substr(0, text.size() - 1);
}

}  // namespace

TEST_CASE("svmlight reads labels, entries and comments") {
  LiveComponent dataset("svmlight");
  dataset.load("train", "3 1:0.5 4:-2e1 # comment 9:9\n# 1 1:1\n\n-1\t2:1 3:0\n10 1:+1#x\n");
  CHECK(example_count(dataset) == 3);
  CHECK(row_text(dataset, 0) == "1:0.5 4:-20.0");
  CHECK(row_text(dataset, 1) == "2:1.0");
  CHECK(row_text(dataset, 2) == "1:1.0");
  CHECK(truth_of(dataset, 0) == Outputs{1});
  CHECK(truth_of(dataset, 1) == Outputs{0});
  CHECK(truth_of(dataset, 2) == Outputs{2});
  CHECK(shape_of(dataset).feature_count == 4);
  CHECK(shape_of(dataset).state_count == 3);
  CHECK(shape_of(dataset).variable_count == 0);
  CHECK(state_name(dataset, 0) == "-1");
}

TEST_CASE(
    "svmlight reads a file with CRLF, a byte order mark or without a last line end like the plain "
    "file") {
  const std::string rows = "+1 1:1 # one\n\n-1 2:1\t3:0.5\n2:4\n+1 1:2\n";
  LiveComponent plain("svmlight");
  plain.load("train", rows);
  CHECK(example_count(plain) == 4);
  for (const std::string& text : {with_crlf(rows), "\xEF\xBB\xBF" + rows,
                                  "\xEF\xBB\xBF" + with_crlf(rows), without_last_end(rows)}) {
    LiveComponent dataset("svmlight");
    dataset.load("train", text);
    REQUIRE(example_count(dataset) == 4);
    for (std::int64_t example = 0; example < 4; ++example) {
      CHECK(row_text(dataset, example) == row_text(plain, example));
      CHECK(truth_of(dataset, example) == truth_of(plain, example));
      CHECK(is_labelled(dataset, example) == is_labelled(plain, example));
    }
    CHECK(dataset.save() == plain.save());
  }
}

TEST_CASE(
    "svmlight counts lines and columns of a CRLF file with a byte order mark like those of LF") {
  for (const std::string rows : {"1 1:1\n1 0:1\n", "1 x\n", "1 1:1\n\n2.5 1:1\n"}) {
    CHECK(refused_rows("\xEF\xBB\xBF" + with_crlf(rows)) == refused_rows(rows));
  }
}

TEST_CASE("svmlight keeps values 1 that it read before the first value other than 1") {
  LiveComponent dataset("svmlight");
  dataset.load("train", "+1 1:1 3:1\n-1 2:1 3:1 4:1\n");
  CHECK(row_text(dataset, 0) == "1:1.0 3:1.0");
  CHECK(row_text(dataset, 1) == "2:1.0 3:1.0 4:1.0");
  dataset.load("test", "+1 1:1 2:0.5 3:1\n-1 1:1\n");
  CHECK(row_text(dataset, 0) == "1:1.0 3:1.0");
  CHECK(row_text(dataset, 1) == "2:1.0 3:1.0 4:1.0");
  CHECK(row_text(dataset, 2) == "1:1.0 2:0.5 3:1.0");
  CHECK(row_text(dataset, 3) == "1:1.0");
}

TEST_CASE("svmlight prints labels in the form of their first occurrence in training") {
  LiveComponent dataset("svmlight");
  std::string rows = "+1 1:1\n";
  for (int row = 0; row < 50; ++row) rows += "-1 2:1\n1 1:2\n";
  dataset.load("train", rows);
  CHECK(shape_of(dataset).state_count == 2);
  CHECK(format(dataset, 0, {1}) == "+1");
  CHECK(format(dataset, 0, {0}) == "-1");
  CHECK(parse(dataset, 0, "+1") == Outputs{1});
  CHECK_THROWS_WITH(parse(dataset, 0, "2"), "'2' is not a label of the training data (-1, +1)");
  CHECK_THROWS_WITH(format(dataset, 0, {2}), "there is no label 2");
}

TEST_CASE("svmlight also has the labels that its parameter names") {
  LiveComponent dataset("svmlight", {{"labels", {"-1..2", "40"}}});
  dataset.load("train", "+2 1:1\n7 2:1\n");
  dataset.load("test", "40 1:1\n");
  REQUIRE(shape_of(dataset).state_count == 6);
  CHECK(state_name(dataset, 0) == "-1");
  CHECK(state_name(dataset, 3) == "+2");  // the form of the training data
  CHECK(truth_of(dataset, 2) == Outputs{5});
  LiveComponent restored("svmlight", {{"labels", {"-1..2", "40"}}});
  restored.restore(dataset.save());
  CHECK(restored.save() == dataset.save());
  for (const std::string text : {"", "a", "1..", "..2", "1...2", "1-2"}) {
    CHECK_THROWS_WITH(
        LiveComponent("svmlight", {{"labels", {text}}}),
        ("labels has '" + text + "'; write a whole number, or a range such as 1..63").c_str());
  }
  CHECK_THROWS_WITH(LiveComponent("svmlight", {{"labels", {"99999999999999999999"}}}),
                    "labels has '99999999999999999999', which is too large; labels are from "
                    "-9223372036854775808 to 9223372036854775807");
  const std::string largest = "9223372036854775807";
  for (const std::string text :
       {"3..1", "0..1000000", "-9223372036854775808..9223372036854775807"}) {
    CHECK_THROWS_WITH(LiveComponent("svmlight", {{"labels", {text}}}),
                      ("labels has " + sculpt::shown(text) +
                       "; a range must ascend, and at most a million labels are allowed")
                          .c_str());
  }
  CHECK_THROWS_WITH(LiveComponent("svmlight", {{"labels", {"1..1000000", "-3"}}}),
                    "labels has '-3'; a range must ascend, and at most a million labels are "
                    "allowed");
  LiveComponent edge("svmlight", {{"labels", {"9223372036854775806.." + largest}}});
  edge.load("train", largest + " 1:1\n9223372036854775806 1:1\n");
  CHECK(shape_of(edge).state_count == 2);
}

TEST_CASE("svmlight reads a row without a label as unlabelled") {
  LiveComponent dataset("svmlight");
  dataset.load("train", "1 1:1\n2:3\n2 1:2\n");
  CHECK(is_labelled(dataset, 0));
  CHECK_FALSE(is_labelled(dataset, 1));
  CHECK(row_text(dataset, 1) == "2:3.0");
}

TEST_CASE("svmlight gives each split its own range of examples") {
  LiveComponent dataset("svmlight");
  dataset.load("train", "1 1:1\n2 2:1\n");
  dataset.load("validation", "2 1:1\n");
  dataset.load("test", "1 1:3\n1 1:4\n1 2:5\n");
  CHECK(split_of(dataset, "train") == std::pair<std::int64_t, std::int64_t>(0, 2));
  CHECK(split_of(dataset, "validation") == std::pair<std::int64_t, std::int64_t>(2, 3));
  CHECK(split_of(dataset, "test") == std::pair<std::int64_t, std::int64_t>(3, 6));
  const auto unknown = split_of(dataset, "predict");
  CHECK(unknown.first == unknown.second);
  CHECK_THROWS_WITH(dataset.load("test", "1 1:1\n"), "the split 'test' is loaded twice");
}

TEST_CASE("svmlight ignores features that are not in training and logs their number") {
  LiveComponent dataset("svmlight");
  dataset.load("train", "1 1:1\n2 2:1\n");
  CHECK(dataset.log().empty());
  dataset.load("test", "1 1:1 3:5\n2 2:1 7:1 8:1\n");
  CHECK(row_text(dataset, 2) == "1:1.0");
  CHECK(row_text(dataset, 3) == "2:1.0");
  REQUIRE(dataset.log().size() == 1);
  CHECK(dataset.log()[0] ==
        "data.txt: ignored 3 values of features above 2, which do not occur in the training data");
}

TEST_CASE("svmlight refuses a test label that is not in training, with its place") {
  CHECK(refused_rows("1 1:1\n# 3\n  3 1:1\n", "1 1:1\n2 1:1\n") ==
        "data.txt:3:3: label 3 does not occur in the training data (1, 2); correct it, count every "
        "guess for it as wrong (--set dataset.unseen_labels=wrong), take it for no label (free), "
        "or add it to \"labels\" in \"dataset\"");
}

TEST_CASE("svmlight takes an unseen test label for wrong or for none, as the parameter says") {
  LiveComponent wrong("svmlight", {{"unseen_labels", "wrong"}});
  wrong.load("train", "1 1:1\n2 2:1\n");
  wrong.load("test", "0 1:1\r\n2.0 2:1\r\n+7 1:2\r\n");
  CHECK(truth_of(wrong, 2) == Outputs{-2});
  CHECK(truth_of(wrong, 3) == Outputs{1});
  CHECK(truth_of(wrong, 4) == Outputs{-2});
  CHECK(shape_of(wrong).state_count == 2);
  REQUIRE(wrong.log().size() == 1);
  CHECK(wrong.log()[0] ==
        "data.txt: 2 rows have labels that do not occur in the training data; every guess for them "
        "counts as wrong");
  LiveComponent free("svmlight", {{"unseen_labels", "free"}});
  free.load("train", "1 1:1\n2 2:1\n");
  free.load("predict", "0 1:1\n2 2:1\n");
  CHECK_FALSE(is_labelled(free, 2));
  CHECK(truth_of(free, 3) == Outputs{1});
  REQUIRE(free.log().size() == 1);
  CHECK(free.log()[0] ==
        "data.txt: 1 row has a label that does not occur in the training data; it is taken for "
        "unlabelled, and not measured");
}

TEST_CASE("svmlight refuses feature indices outside the range, with their place") {
  CHECK(refused_rows("1 -3:1\n") ==
        "data.txt:1:3: index -3 is outside [0, 2147483647]; count features from 1, or from 0");
  CHECK(refused_rows("1 2147483648:1\n") ==
        "data.txt:1:3: index 2147483648 is outside [0, 2147483647]; count features from 1, or from "
        "0");
}

TEST_CASE("svmlight refuses feature indices that do not increase, with their place") {
  CHECK(refused_rows("1 2:1 2:3\n") ==
        "data.txt:1:7: index 2 follows index 2; sort the row and name each index once");
  CHECK(refused_rows("1 1:1 5:1 3:1\n") ==
        "data.txt:1:11: index 3 follows index 5; sort the row and name each index once");
  CHECK(refused_rows("1 1:1\n5:1 3:1\n") ==
        "data.txt:2:5: index 3 follows index 5; sort the row and name each index once");
}

TEST_CASE("svmlight refuses infinite values and NaN, with their place") {
  const auto refused = [](const std::string& value) {
    return refused_rows("1 1:1 2:" + value + "\n") ==
           "data.txt:1:9: '" + value + "' is not a value; a finite number is expected";
  };
  for (const char* value : {"inf", "-inf", "+inf", "Infinity", "nan", "NaN", "-nan", "nan(1)"}) {
    CAPTURE(value);
    CHECK(refused(value));
  }
}

TEST_CASE("svmlight refuses entries that are not index:value, with their place") {
  CHECK(refused_rows("1 1:1 7\n") == "data.txt:1:7: '7' has no colon; write index:value");
  CHECK(refused_rows("1 a:1\n") == "data.txt:1:3: 'a' is not an index; write index:value");
  CHECK(refused_rows("1 :1\n") == "data.txt:1:3: '' is not an index; write index:value");
  CHECK(refused_rows("1 10:x1\n") ==
        "data.txt:1:6: 'x1' is not a value; a finite number is expected");
  CHECK(refused_rows("1 10:\n") == "data.txt:1:6: '' is not a value; a finite number is expected");
  CHECK(refused_rows("1 1:2:3\n") ==
        "data.txt:1:5: '2:3' is not a value; a finite number is expected");
}

TEST_CASE("svmlight refuses labels that are not whole numbers, with their place") {
  const std::string remedy =
      "' is not a label; a whole number is expected, or index:value when the row is unlabelled";
  CHECK(refused_rows("1.5 1:1\n") == "data.txt:1:1: '1.5" + remedy);
  CHECK(refused_rows("1 1:1\n  inf 1:1\n") == "data.txt:2:3: 'inf" + remedy);
  CHECK(refused_rows("1 1:1\ncat 1:1\n") == "data.txt:2:1: 'cat" + remedy);
}

TEST_CASE("svmlight refuses rows with qid and names datasets for rankings") {
  CHECK(refused_rows("1 1:1\n2 qid:7 1:1\n") ==
        "data.txt:2:3: 'qid' groups the rows of rankings, which this dataset does not read; remove "
        "it, or use a dataset for rankings");
}

TEST_CASE("svmlight refuses data without examples or without labels") {
  CHECK(refused_rows("") == "data.txt:1:1: no examples; write rows such as `1 1:0.5 3:1`");
  CHECK(refused_rows("# nothing\n\n") ==
        "data.txt:1:1: no examples; write rows such as `1 1:0.5 3:1`");
  CHECK(refused_rows("1:1\n2:1\n") ==
        "data.txt:1:1: no row has a label, so there is nothing to learn; begin rows with a label");
}

TEST_CASE("svmlight names a missing file") {
  LiveComponent dataset("svmlight");
  try {
    dataset.load_file("train", "/nowhere/data.txt");
    FAIL("accepted");
  } catch (const CallFailed& failure) {
    CHECK(failure.status() == SCULPT_E_MISSING);
    CHECK(std::string(failure.what()) ==
          "/nowhere/data.txt: cannot be opened: No such file or directory; check the path");
  }
}

TEST_CASE("svmlight restored from a model reads new data like the trained one") {
  const std::string rows = "3 1:1 4:2\n2:1\n-1 1:1 9:3\n";
  LiveComponent learned("svmlight");
  learned.load("train", "3 1:1\n-1 5:1\n");
  learned.load("test", rows);
  learned.seal();

  LiveComponent restored("svmlight");
  restored.restore(learned.save());
  restored.load("predict", rows);
  restored.seal();
  CHECK(split_of(restored, "predict") == std::pair<std::int64_t, std::int64_t>(0, 3));
  for (std::int64_t example = 0; example < 3; ++example) {
    CHECK(row_text(restored, example) == row_text(learned, example + 2));
    CHECK(truth_of(restored, example) == truth_of(learned, example + 2));
    CHECK(is_labelled(restored, example) == is_labelled(learned, example + 2));
  }
  CHECK(shape_of(restored).feature_count == 5);
  CHECK(restored.log() == learned.log());
  CHECK(restored.save() == learned.save());
}

TEST_CASE("svmlight does not learn after restore, even from train") {
  LiveComponent learned("svmlight");
  learned.load("train", "1 1:1\n2 2:1\n");
  LiveComponent restored("svmlight");
  restored.restore(learned.save());
  CHECK_THROWS_WITH(
      restored.load("train", "3 1:1\n"),
      "data.txt:1:1: label 3 does not occur in the training data (1, 2); correct it, "
      "count every guess for it as wrong (--set dataset.unseen_labels=wrong), take it "
      "for no label (free), or remove it from the row");
}

TEST_CASE("svmlight refuses labels for a model that was trained without them") {
  LiveComponent learned("svmlight", {{"labels", {"5", "2"}}});
  learned.load("train", "1 1:1\n2 2:1\n");
  LiveComponent same("svmlight", {{"labels", {"2", "5"}}});
  same.restore(learned.save());
  LiveComponent other("svmlight", {{"labels", {"5", "7"}}});
  CHECK_THROWS_WITH(other.restore(learned.save()),
                    "labels has 7, but the model was trained with the labels (1, 2, 5) and has no "
                    "others; remove it");
}

TEST_CASE("svmlight refuses a truncated state of any length") {
  LiveComponent learned("svmlight");
  learned.load("train", "1 1:1\n2 2:1\n");
  const std::string state = learned.save();
  for (std::size_t size = 0; size < state.size(); ++size) {
    LiveComponent restored("svmlight");
    CHECK_THROWS_WITH(restored.restore(state.substr(0, size)),
                      "its state in the model is damaged or of another version; use the plugin "
                      "version that wrote the model, or train again");
  }
  LiveComponent restored("svmlight");
  CHECK_THROWS_WITH(restored.restore(state + "x"),
                    "its state in the model is damaged or of another version; use the plugin "
                    "version that wrote the model, or train again");
}

TEST_CASE("svmlight needs train before any other split") {
  LiveComponent dataset("svmlight");
  CHECK_THROWS_WITH(dataset.load("test", "1 1:1\n"),
                    "has no labels before the split 'train' is loaded; load it first");
}

TEST_CASE("svmlight reads labels in any notation of whole numbers, and prints the first one") {
  LiveComponent dataset("svmlight");
  dataset.load("train", "-1.0 1:1\n1.0 2:1\n+1 1:2\n1e1 1:3\n");
  CHECK(shape_of(dataset).state_count == 3);
  CHECK(truth_of(dataset, 1) == truth_of(dataset, 2));
  CHECK(format(dataset, 0, {1}) == "1.0");
  CHECK(refused_rows("1e400 1:1\n") ==
        "data.txt:1:1: '1e400' is too large for a label; a whole number is expected, or "
        "index:value when the row is unlabelled");
}
