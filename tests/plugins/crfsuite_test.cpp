// The dataset crfsuite: rows, escapes, values, weights, the stored state, and refusals with places.
#include <doctest/doctest.h>
#include <sculpt/ext/example_weights.h>

#include "live_component.hpp"
#include "refusals.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

const json no_parameters = json::object();

const std::string two_sequences =
    "B\tw=the\tsize:3\n"
    "I\tw=cat\tsize:3\n"
    "\n"
    "B\tw=it\tsize:0.5\n";

// The rows of the tokens of an example, as "w=the 1, size 3 / w=cat 1".
std::string rows_of(const LiveComponent& dataset, std::int64_t example) {
  const sculpt_sites sites = sites_of(dataset, example);
  std::string text;
  for (std::int64_t s = 0; s < sites.site_count; ++s) {
    if (s > 0) text += " / ";
    for (std::int64_t j = sites.row_from[s]; j < sites.row_from[s + 1]; ++j) {
      if (j > sites.row_from[s]) {
        text += ", ";
        CHECK(sites.index[j] > sites.index[j - 1]);
      }
      text += feature_name(dataset, sites.index[j]) + " " + json(sites.value[j]).dump();
    }
  }
  return text;
}

// The rows of all examples of a training file, one line each.
std::string rows_in(const std::string& text, const json& parameters = no_parameters) {
  LiveComponent dataset("conll#crfsuite", parameters);
  dataset.load("train", text);
  std::string rows;
  for (std::int64_t example = 0; example < example_count(dataset); ++example) {
    rows += (example > 0 ? "\n" : "") + rows_of(dataset, example);
  }
  return rows;
}

// The weights of the examples of train.
std::vector<double> weights_in(const LiveComponent& dataset) {
  const auto& table = dataset.extension<sculpt_ext_example_weights>(SCULPT_EXT_EXAMPLE_WEIGHTS);
  const Split train = split_of(dataset, "train");
  std::vector<double> weights(static_cast<std::size_t>(train.second - train.first));
  ErrorText error;
  error.check(
      table.weights(dataset.self(), train.first, train.second, weights.data(), error.raw()));
  return weights;
}

std::string refused_lines(const std::string& text, const std::string& train = "",
                          const json& parameters = no_parameters) {
  return refused_data("conll#crfsuite", text, train, parameters);
}

}  // namespace

TEST_CASE("crfsuite reads a label and attributes a row, and blank lines between sequences") {
  LiveComponent dataset("conll#crfsuite");
  dataset.load("train", two_sequences);
  CHECK(example_count(dataset) == 2);
  CHECK(rows_of(dataset, 0) == "w=the 1.0, size 3.0 / size 3.0, w=cat 1.0");
  CHECK(rows_of(dataset, 1) == "size 0.5, w=it 1.0");
  CHECK(truth_of(dataset, 0) == Outputs{0, 1});
  CHECK(truth_of(dataset, 1) == Outputs{0});
  CHECK(state_name(dataset, 1) == "I");
  CHECK(shape_of(dataset).state_count == 2);
  CHECK(shape_of(dataset).feature_count == 4);
  CHECK_THROWS_WITH(feature_name(dataset, 4), "there is no attribute 4");
}

TEST_CASE(
    "crfsuite reads CRLF, a byte order mark, several blank lines and tabs, and no last line end") {
  const std::string odd =
      "\xEF\xBB\xBF\r\n  \r\nB\tw=the\t\tsize:3\t\r\nI\tw=cat\tsize:3\r\n\r\n\n \nB\tw=it\tsize:.5";
  CHECK(rows_in(odd) == rows_in(two_sequences));
}

TEST_CASE("crfsuite keeps blanks, signs and every byte of an attribute but tabs") {
  CHECK(rows_in("B\tw[-1]|w[0]=begin -1 | a\t#\t \n") ==
        "w[-1]|w[0]=begin -1 | a 1.0, # 1.0,   1.0");
}

TEST_CASE("crfsuite reads escaped colons and backslashes in attributes and labels") {
  LiveComponent dataset("conll#crfsuite");
  dataset.load("train", "\\:\tw=\\:\tu=http\\://x\\\\y:2\tc\\d\te\\\n");
  CHECK(rows_of(dataset, 0) == "w=: 1.0, u=http://x\\y 2.0, c\\d 1.0, e\\ 1.0");
  CHECK(state_name(dataset, 0) == ":");
}

TEST_CASE("crfsuite reads numbers as values, adds up repeated attributes and drops zeros") {
  CHECK(rows_in("B\ta:-2.5e1\tb:\tc:0\td\n") == "a -25.0, b 1.0, d 1.0");
  CHECK(rows_in("B\ta\tb:2\ta:0.5\ta\n") == "a 2.5, b 2.0");
  CHECK(rows_in("B\ta:1\tb\ta:-1\nI\ta\n") == "b 1.0 / a 1.0");
}

TEST_CASE("crfsuite reads tokens without attributes") {
  LiveComponent dataset("conll#crfsuite");
  dataset.load("train", "B\nI\tw=a\n\nB\t\n");
  CHECK(rows_of(dataset, 0) == " / w=a 1.0");
  CHECK(rows_of(dataset, 1).empty());
  dataset.load("test", "\t\n\tw=a\n");
  CHECK(rows_of(dataset, 2) == " / w=a 1.0");
  CHECK_FALSE(is_labelled(dataset, 2));
}

TEST_CASE("crfsuite drops attributes that occur less than cutoff times") {
  LiveComponent dataset("conll#crfsuite", {{"cutoff", 2}});
  dataset.load("train", "B\tr\ta\ts:2\nI\ts:3\ta\n\nB\tt\ts:5\n");
  CHECK(rows_of(dataset, 0) == "a 1.0, s 2.0 / a 1.0, s 3.0");
  CHECK(rows_of(dataset, 1) == "s 5.0");
  CHECK(shape_of(dataset).feature_count == 2);
  REQUIRE(dataset.log().size() == 1);
  CHECK(dataset.log()[0] == "data.txt: kept 2 of 4 attributes, those that occur 2 times or more");
}

TEST_CASE("crfsuite takes the weight of a sequence from the line @weight") {
  LiveComponent dataset("conll#crfsuite");
  dataset.load("train", "@weight:2.5\nB\ta\n\nI\ta\nB\ta\n\nB\ta\n@weight:0\nB\ta\n");
  CHECK(weights_in(dataset) == std::vector<double>{2.5, 1, 0});
  dataset.load("test", "@weight:7\nB\ta\n");
  CHECK(weights_in(dataset) == std::vector<double>{2.5, 1, 0});
  CHECK(rows_of(dataset, 3) == "a 1.0");
}

TEST_CASE("crfsuite scales its values as learned from train") {
  LiveComponent dataset("conll#crfsuite", {{"scaling", "max_abs"}});
  dataset.load("train", two_sequences);
  CHECK(rows_of(dataset, 1).find("(/ 3)") != std::string::npos);
  const sculpt_sites sites = sites_of(dataset, 1);
  CHECK(sites.value[0] == 0.5 / 3);
}

TEST_CASE("crfsuite ignores attributes that are not in training, and logs their number") {
  LiveComponent dataset("conll#crfsuite");
  dataset.load("train", two_sequences);
  CHECK(dataset.log().empty());
  dataset.load("test", "B\tw=the\tsize:4\nI\tw=dog\tlast\n");
  CHECK(rows_of(dataset, 2) == "w=the 1.0, size 4.0 / ");
  CHECK(shape_of(dataset).feature_count == 4);
  REQUIRE(dataset.log().size() == 1);
  CHECK(dataset.log()[0] ==
        "data.txt: ignored 2 of 4 attributes, which do not occur in the training data");
}

TEST_CASE("crfsuite prints a label a line, after the label of the data if there is one") {
  LiveComponent learned("conll#crfsuite");
  learned.load("train", two_sequences);
  CHECK(format(learned, 0, {0, 1}) == "B\tI");
  CHECK(parse(learned, 0, "B\tI") == Outputs{0, 1});
  LiveComponent raw("conll#crfsuite");
  raw.restore(learned.save());
  raw.load("predict", "\tw=the\n\tw=cat\n\n\tw=it\n");
  CHECK(format(raw, 0, {0, 1}) == "B\nI\n");
  CHECK(format(raw, 1, {1}) == "I\n");
  CHECK(parse(raw, 0, "B\nI\n") == Outputs{0, 1});
  LiveComponent labelled("conll#crfsuite");
  labelled.restore(learned.save());
  labelled.load("predict", "I\tw=the\nI\tw=cat\n");
  CHECK(format(labelled, 0, {0, 1}) == "I\tB\nI\tI\n");
  CHECK(parse(labelled, 0, "I\tB\r\nI\tI\r\n\n") == Outputs{0, 1});
  CHECK_THROWS_WITH(parse(labelled, 0, "X"), "'X' is not a label of the training data (B, I)");
}

TEST_CASE("crfsuite keeps labels with blanks in one piece") {
  LiveComponent dataset("conll#crfsuite");
  dataset.load("train", "noun phrase\ta\nverb\ta\n");
  CHECK(parse(dataset, 0, format(dataset, 0, {0, 1})) == Outputs{0, 1});
}

TEST_CASE("crfsuite restored from a model reads new data like the trained one") {
  const std::string rows = "B\tw=the\tnew\nI\tsize:7\n\nB\tw=it\n";
  const json parameters = {{"cutoff", 2}, {"scaling", "standard"}};
  LiveComponent learned("conll#crfsuite", parameters);
  learned.load("train", two_sequences);
  learned.load("test", rows);
  LiveComponent restored("conll#crfsuite", parameters);
  restored.restore(learned.save());
  restored.load("predict", rows);
  for (std::int64_t example = 0; example < 2; ++example) {
    CHECK(rows_of(restored, example) == rows_of(learned, example + 2));
    CHECK(truth_of(restored, example) == truth_of(learned, example + 2));
  }
  CHECK(restored.save() == learned.save());
}

TEST_CASE("crfsuite refuses a truncated state of any length") {
  LiveComponent learned("conll#crfsuite");
  learned.load("train", two_sequences);
  const std::string state = learned.save();
  for (std::size_t size = 0; size < state.size(); ++size) {
    LiveComponent restored("conll#crfsuite");
    CHECK_THROWS_WITH(restored.restore(state.substr(0, size)),
                      "its state in the model is damaged or of another version; use the plugin "
                      "version that wrote the model, or train again");
  }
}

TEST_CASE(
    "crfsuite refuses values that are no numbers, with their place and how to escape colons") {
  CHECK(refused_lines("B\ta\nB\tu=http://x\n") ==
        "data.txt:2:10: '//x' is not a value (a colon of a name is written as \\:); a finite "
        "number is expected");
  CHECK(refused_lines("B\ta:b:1\n") ==
        "data.txt:1:5: 'b:1' is not a value (a colon of a name is written as \\:); a finite "
        "number is expected");
  CHECK(refused_lines("B\ta:nan\n") ==
        "data.txt:1:5: 'nan' is not a value (a colon of a name is written as \\:); a finite "
        "number is expected");
  CHECK(refused_lines("B\ta:1e999\n") ==
        "data.txt:1:5: '1e999' is too large; numbers are from -1.79e308 to 1.79e308");
  CHECK(refused_lines("B\ta:1e308\ta:1e308\n") ==
        "data.txt:1:1: the values of an attribute that the row repeats add up to more than "
        "1.79e308; write smaller values");
  CHECK(refused_lines("B\tx\t:1\n") ==
        "data.txt:1:5: the attribute has no name in front of its colon; write a colon of a name "
        "as \\:");
}

TEST_CASE("crfsuite refuses labels with an open colon, and rows of which only some have labels") {
  CHECK(refused_lines("B:x\ta\n") == "data.txt:1:2: the label has a colon; write it as \\:");
  CHECK(refused_lines("B\ta\n\n\ta\n") ==
        "data.txt:3:1: the label is missing, which 1 of 2 rows has; write a label in front of "
        "the first tab of every row, or of none");
  CHECK(refused_lines("\ta\nB\ta\n", two_sequences) ==
        "data.txt:2:1: the row has a label, and 1 of 2 rows has none; write a label in front of "
        "the first tab of every row, or of none");
  CHECK(refused_lines("\ta\n") ==
        "data.txt:1:1: the rows have no label in front of their first tab, so there is nothing to "
        "learn; add it");
}

TEST_CASE("crfsuite refuses declarations that it does not know, and misplaced weights") {
  CHECK(refused_lines("@wieght:2\nB\ta\n") ==
        "data.txt:1:1: '@wieght:2' is no declaration; @weight:NUMBER is the only one, and labels "
        "cannot begin with @");
  CHECK(refused_lines("@\ta\n") ==
        "data.txt:1:1: '@\ta' is no declaration; @weight:NUMBER is the only one, and labels "
        "cannot begin with @");
  CHECK(refused_lines("@weight:x\nB\ta\n") ==
        "data.txt:1:9: 'x' is not a weight; a finite number is expected");
  CHECK(refused_lines("@weight:-1\nB\ta\n") ==
        "data.txt:1:9: '-1' is negative; a weight is at least 0 (an example of weight 0 is left "
        "out)");
  CHECK(refused_lines("@weight:1\tB\nB\ta\n") ==
        "data.txt:1:10: a field follows the weight; write the weight in its own line");
  CHECK(refused_lines("@weight:1\nB\ta\n@weight:2\n") ==
        "data.txt:3:1: the sequence has a weight already, in line 1; remove one of them");
  CHECK(refused_lines("B\ta\n\n@weight:2\n") ==
        "data.txt:3:1: the weight belongs to no sequence; write it in front of the rows of one");
}

TEST_CASE("crfsuite refuses data without sequences, and training data without attributes") {
  CHECK(refused_lines("\n \n") ==
        "data.txt:1:1: no sequences; write one token a line, its label, a tab and its attributes "
        "with a tab between them, and a blank line after each sequence");
  CHECK(refused_lines("B\nI\n") ==
        "data.txt:1:1: no row has an attribute; write a tab between the label and each attribute");
}

TEST_CASE("crfsuite refuses a row with blanks and no tab, which would be a label with blanks") {
  const std::string message =
      "the row has a blank and no tab; write tabs between the label and the attributes, or end the "
      "row with a tab if the blank belongs to the label";
  CHECK(refused_lines("I\tw=cat\nB-NP w=the size:3\n") == "data.txt:2:5: " + message);
  CHECK(refused_lines("\tw=cat\nw=the size=3\n", two_sequences) == "data.txt:2:6: " + message);
  LiveComponent dataset("conll#crfsuite");
  dataset.load("train", "noun phrase\t\nverb\ta\n");
  CHECK(state_name(dataset, 0) == "noun phrase");
}

TEST_CASE("crfsuite with unseen_labels free refuses to learn the label ?") {
  const std::string rows = "B\ta\n?\ta\n";
  CHECK(refused_lines(rows, "", {{"unseen_labels", "free"}}) ==
        "data.txt:2:1: '?' stands for no label here (unseen_labels is free), and training needs "
        "all labels; write the label, remove the sequence, or set unseen_labels to refuse to learn "
        "? as a label");
  CHECK(refused_lines(rows) == "accepted");
}

TEST_CASE("crfsuite refuses a label that is not in training, or counts its guesses as wrong") {
  CHECK(refused_lines("B\ta\n\nX\ta\n", two_sequences) ==
        "data.txt:3:1: label 'X' does not occur in the training data (B, I); correct it, count "
        "every guess for it as wrong (--set dataset.unseen_labels=wrong), take it for no label "
        "(free), or leave the first field of all rows empty to predict them");
  const json parameters = {{"unseen_labels", "wrong"}};
  LiveComponent learned("conll#crfsuite", parameters);
  learned.load("train", two_sequences);
  LiveComponent dataset("conll#crfsuite", parameters);
  dataset.restore(learned.save());
  dataset.load("predict", "B\tw=the\nX\tw=the\n");
  CHECK(truth_of(dataset, 0) == Outputs{0, -2});
  CHECK(metrics(dataset, {{truth_of(dataset, 0), {0, 1}}})["token_error"] == 0.5);
}
