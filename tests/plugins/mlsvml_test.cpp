// The dataset mlsvml: reading, learning, metrics, and refusals with their places.
#include <doctest/doctest.h>

#include "line_ends.hpp"
#include "live_component.hpp"
#include "random_graphs.hpp"
#include "refusals.hpp"

#include <cmath>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

std::string refused_labels(const std::string& text, const std::string& train = "",
                           const json& parameters = json::object()) {
  return refused_data("mlsvml", text, train, parameters);
}

// F1 of (truth, guess) pairs by precision and recall. -1 if no label is on, neither in the truth
// nor in the guess.
double f1(const std::vector<std::pair<int, int>>& places) {
  double hits = 0, on = 0, guessed = 0;
  for (const auto& [truth, guess] : places) {
    hits += truth * guess;
    on += truth;
    guessed += guess;
  }
  if (on + guessed == 0) return -1;
  if (hits == 0) return 0;
  const double precision = hits / guessed;
  const double recall = hits / on;
  return 2 * precision * recall / (precision + recall);
}

}  // namespace

TEST_CASE("mlsvml reads lists of labels in any order, empty lists, and comments") {
  LiveComponent dataset("mlsvml");
  dataset.load("train", "3,1 1:0.5 4:2 # comment\n\n- 2:1\n2\t1:1 7:0\n1:3\n-\n");
  CHECK(example_count(dataset) == 5);
  CHECK(truth_of(dataset, 0) == Outputs{1, 0, 1});
  CHECK(truth_of(dataset, 1) == Outputs{0, 0, 0});
  CHECK(truth_of(dataset, 2) == Outputs{0, 1, 0});
  CHECK_FALSE(is_labelled(dataset, 3));
  CHECK(truth_of(dataset, 4) == Outputs{0, 0, 0});
  CHECK(sites_of(dataset, 0).site_count == 1);
  CHECK(sites_of(dataset, 0).index[1] == 3);
  CHECK(sites_of(dataset, 0).value[1] == 2);
  CHECK(shape_of(dataset).feature_count == 7);
  CHECK(shape_of(dataset).state_count == 2);
  CHECK(shape_of(dataset).variable_count == 3);
  CHECK(feature_name(dataset, 0) == "feature 1");
  CHECK(state_name(dataset, 1) == "on");
}

TEST_CASE("mlsvml reads a CRLF file with a byte order mark like the LF file") {
  const std::string rows = "1,2 1:1 # one\n\n- 2:1\t3:0.5\n2:4\n3 1:2\n";
  LiveComponent plain("mlsvml");
  plain.load("train", rows);
  LiveComponent other("mlsvml");
  other.load("train", "\xEF\xBB\xBF" + with_crlf(rows));
  REQUIRE(example_count(other) == 4);
  for (std::int64_t example = 0; example < 4; ++example) {
    CHECK(is_labelled(other, example) == is_labelled(plain, example));
    CHECK(truth_of(other, example) == truth_of(plain, example));
  }
  CHECK(other.save() == plain.save());
}

TEST_CASE("mlsvml has as many labels as its parameter sets, or else as training has") {
  LiveComponent more("mlsvml", {{"labels", 5}});
  more.load("train", "1,3 1:1\n");
  CHECK(shape_of(more).variable_count == 5);
  CHECK(truth_of(more, 0) == Outputs{1, 0, 1, 0, 0});
  LiveComponent one("mlsvml");
  one.load("train", "1 1:1\n- 1:2\n");
  CHECK(shape_of(one).variable_count == 0);  // one site, one label
  CHECK(truth_of(one, 1) == Outputs{0});
  CHECK(refused_labels("1,6 1:1\n", "", {{"labels", 5}}) ==
        "data.txt:1:3: label 6 is above 5, the largest label of the training data or by the "
        "parameter `labels`; remove it, or train with a larger `labels`");
}

TEST_CASE("mlsvml prints outputs in the form of its files and reads them back") {
  LiveComponent dataset("mlsvml", {{"labels", 6}});
  dataset.load("train", "1 1:1\n");
  CHECK(format(dataset, 0, {0, 1, 0, 0, 1, 1}) == "2,5,6");
  CHECK(format(dataset, 0, {0, 0, 0, 0, 0, 0}) == "-");
  CHECK(parse(dataset, 0, "5,2") == Outputs{0, 1, 0, 0, 1, 0});
  CHECK(parse(dataset, 0, "-") == Outputs{0, 0, 0, 0, 0, 0});
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    Outputs y(6);
    for (std::int32_t& label : y) label = draw(random, 0, 1);
    REQUIRE(parse(dataset, 0, format(dataset, 0, y)) == y);
  }
  CHECK_THROWS_WITH(parse(dataset, 0, "7"),
                    "label 7 is above 6, the largest label of the training data or by the "
                    "parameter `labels`; remove it, or train with a larger `labels`");
  CHECK_THROWS_WITH(format(dataset, 0, {1, 0}), "an output has 6 labels, not 2");
}

TEST_CASE("mlsvml refuses bad lists of labels, with their place") {
  const std::string remedy =
      " is not a label; write the labels that are on as 1,4, or - if there are none";
  CHECK(refused_labels("1 1:1\n  2,x,3 1:1\n") == "data.txt:2:5: 'x'" + remedy);
  CHECK(refused_labels("1,,2 1:1\n") == "data.txt:1:3: ''" + remedy);
  CHECK(refused_labels("1, 2 1:1\n") == "data.txt:1:3: ''" + remedy);
  CHECK(refused_labels("1.5 1:1\n") == "data.txt:1:1: '1.5'" + remedy);
  CHECK(refused_labels("1,- 1:1\n") == "data.txt:1:3: '-'" + remedy);
  CHECK(refused_labels("-1 1:1\n") ==
        "data.txt:1:1: there is no label -1; labels count from 1, or from 0");
  CHECK(refused_labels("3,1,3 1:1\n") ==
        "data.txt:1:5: label 3 is in the list twice; write it once");
  CHECK(refused_labels("99999999999 1:1\n") ==
        "data.txt:1:1: label 99999999999 is above 30000, the limit of mlsvml; number the labels "
        "from 1, or from 0");
  CHECK(refused_labels("30001 1:1\n") ==
        "data.txt:1:1: label 30001 is above 30000, the limit of mlsvml; number the labels "
        "from 1, or from 0");
}

TEST_CASE("mlsvml refuses a test label above those of training, with its place") {
  CHECK(refused_labels("# c\n1,4 1:1\n", "1,3 1:1\n") ==
        "data.txt:2:3: label 4 is above 3, the largest label of the training data or by the "
        "parameter `labels`; correct it, count every guess for it as wrong (--set "
        "dataset.unseen_labels=wrong), take it for no label (free), or train with a larger "
        "`labels`");
}

TEST_CASE("mlsvml counts unseen test labels as missed, or leaves them out") {
  // The guesses for example 0 of a model: both know that its label 1 is on.
  const auto measured = [](const std::string& choice, const std::string& warning) {
    LiveComponent learned("mlsvml");
    learned.load("train", "1,2 1:1\n2 2:1\n");
    LiveComponent dataset("mlsvml", {{"unseen_labels", choice}});
    dataset.restore(learned.save());
    dataset.load("predict", "7,1,9 1:1\n2 1:2\n");
    CHECK(truth_of(dataset, 0) == Outputs{1, 0});
    CHECK(truth_of(dataset, 1) == Outputs{0, 1});
    REQUIRE(dataset.log().size() == 1);
    CHECK(dataset.log()[0] == "data.txt: 2 labels do not occur in the training data; " + warning);
    return metrics(dataset, {{truth_of(dataset, 0), {1, 0}}});
  };
  const json wrong = measured(
      "wrong",
      "micro_f1 and macro_f1 count them as missed, the loss and its metrics leave them out");
  CHECK(wrong["micro_f1"].get<double>() == Approx(2 * 1 / (2 * 1 + 2.0)));  // one hit, two missed
  CHECK(wrong["macro_f1"].get<double>() == Approx((1 + 0 + 0) / 3.0));
  const json free = measured("free", "they are left out");
  CHECK(free["micro_f1"] == 1);
  CHECK(free["macro_f1"] == 1);
}

TEST_CASE("mlsvml refuses to learn a label above its parameter, whatever unseen_labels says") {
  CHECK(refused_labels("1,6 1:1\n", "", {{"labels", 5}, {"unseen_labels", "wrong"}})
            .starts_with("data.txt:1:3: label 6 is above 5"));
}

TEST_CASE("mlsvml refuses the same rows of features as svmlight") {
  CHECK(refused_labels("1,2 2:1 2:3\n") ==
        "data.txt:1:9: index 2 follows index 2; sort the row and name each index once");
  CHECK(refused_labels("1 -1:1\n") ==
        "data.txt:1:3: index -1 is outside [0, 2147483647]; count features from 1, or from 0");
  CHECK(refused_labels("1 7\n") == "data.txt:1:3: '7' has no colon; write index:value");
  CHECK(refused_labels("1 1:inf\n") ==
        "data.txt:1:5: 'inf' is not a value; a finite number is expected");
}

TEST_CASE("mlsvml refuses data without examples or without labels") {
  CHECK(refused_labels("") == "data.txt:1:1: no examples; write rows such as `1,4 1:0.5 3:1`");
  CHECK(refused_labels("# nothing\n") ==
        "data.txt:1:1: no examples; write rows such as `1,4 1:0.5 3:1`");
  CHECK(refused_labels("1:1\n2:1\n") ==
        "data.txt:1:1: no row has labels, so there is nothing to learn; begin rows with a list "
        "such as 1,4, or with - if no label is on");
  CHECK(refused_labels("- 1:1\n") ==
        "data.txt:1:1: no row has a label that is on, so the number of labels is not known; "
        "give it by --set dataset.labels=N");
  CHECK(refused_labels("- 1:1\n", "", {{"labels", 2}}) == "accepted");
}

TEST_CASE("mlsvml measures micro and macro F1 by their definitions") {
  Random random(11);
  for (int trial = 0; trial < 300; ++trial) {
    const int labels = draw(random, 1, 5);
    LiveComponent dataset("mlsvml", {{"labels", labels}});
    dataset.load("train", "1 1:1\n");
    std::vector<std::pair<Outputs, Outputs>> pairs;
    std::vector<Outputs> lost;  // truths of examples without an output: all wrong
    std::vector<std::pair<int, int>> all;
    std::vector<std::vector<std::pair<int, int>>> of_label(static_cast<std::size_t>(labels));
    for (int example = draw(random, 0, 4); example >= 0; --example) {
      const bool without_output = draw(random, 0, 4) == 0;
      Outputs truth, guess;
      for (std::size_t k = 0; k < of_label.size(); ++k) {
        truth.push_back(draw(random, 0, 2) == 0);
        guess.push_back(without_output ? 1 - truth[k] : draw(random, 0, 2) == 0);
        all.emplace_back(truth[k], guess[k]);
        of_label[k].emplace_back(truth[k], guess[k]);
      }
      if (without_output) {
        lost.push_back(truth);
      } else {
        pairs.emplace_back(truth, guess);
      }
    }
    double mean = 0;
    int occurring = 0;
    for (const auto& places : of_label) {
      if (f1(places) < 0) continue;
      mean += f1(places);
      ++occurring;
    }
    const json values = metrics(dataset, pairs, lost);
    if (occurring == 0) {
      REQUIRE(std::isnan(values["micro_f1"].get<double>()));
      REQUIRE(std::isnan(values["macro_f1"].get<double>()));
      continue;
    }
    REQUIRE(values["micro_f1"].get<double>() == Approx(f1(all)));
    REQUIRE(values["macro_f1"].get<double>() == Approx(mean / occurring));
  }
}

TEST_CASE("mlsvml restored from a model reads new data like the trained one") {
  const std::string rows = "3 1:1 4:2\n2:1\n- 1:1 9:3\n";
  LiveComponent learned("mlsvml");
  learned.load("train", "1,3 1:1\n2 5:1\n");
  learned.load("test", rows);
  LiveComponent restored("mlsvml");
  restored.restore(learned.save());
  restored.load("predict", rows);
  for (std::int64_t example = 0; example < 3; ++example) {
    CHECK(truth_of(restored, example) == truth_of(learned, example + 2));
    CHECK(is_labelled(restored, example) == is_labelled(learned, example + 2));
  }
  CHECK(shape_of(restored).feature_count == 5);
  CHECK(shape_of(restored).variable_count == 3);
  REQUIRE(restored.log().size() == 1);
  CHECK(restored.log()[0] ==
        "data.txt: ignored 1 value of features above 5, which do not occur in the training data");
  const std::string state = learned.save();
  CHECK(restored.save() == state);
  for (std::size_t size = 0; size < state.size(); ++size) {
    CHECK_THROWS_WITH(LiveComponent("mlsvml").restore(state.substr(0, size)),
                      "its state in the model is damaged or of another version; use the plugin "
                      "version that wrote the model, or train again");
  }
}

TEST_CASE("mlsvml counts labels from 0 if the training data have the label 0") {
  LiveComponent dataset("mlsvml");
  dataset.load("train", "0,2 1:1\n1 2:1\n");
  dataset.load("test", "2 1:1\n");
  CHECK(shape_of(dataset).variable_count == 3);
  CHECK(truth_of(dataset, 0) == Outputs{1, 0, 1});
  CHECK(truth_of(dataset, 2) == Outputs{0, 0, 1});
  CHECK(format(dataset, 0, {1, 0, 1}) == "0,2");
  CHECK(parse(dataset, 0, "1,2") == Outputs{0, 1, 1});
  LiveComponent restored("mlsvml");
  restored.restore(dataset.save());
  restored.load("predict", "0 1:1\n");
  CHECK(truth_of(restored, 0) == Outputs{1, 0, 0});
  CHECK(format(restored, 0, {0, 0, 1}) == "2");
}

TEST_CASE("mlsvml refuses a label 0 that the training data do not have, and names the key") {
  CHECK(refused_labels("1,0 1:1\n", "1,2 1:1\n") ==
        "data.txt:1:3: label 0, but no row of the training data has the label 0, so labels count "
        "from 1; correct it, or train again with --set dataset.first_label=0");
  CHECK(refused_data("mlsvml", "1,0 1:1\n", "", {{"first_label", "1"}}) ==
        "data.txt:1:3: label 0, but \"first_label\" is 1; correct it, or add --set "
        "dataset.first_label=0");
  LiveComponent from_0("mlsvml", {{"first_label", "0"}});
  from_0.load("train", "1,2 1:1\n");
  CHECK(truth_of(from_0, 0) == Outputs{0, 1, 1});
}

TEST_CASE("mlsvml takes a blank in place of labels as it is told to") {
  const std::string rows = "1,2 1:1\n 2:1\n";
  const std::string advice =
      "data.txt:2:1: the row has a blank in place of labels; if no label is on, write - or add "
      "--set dataset.blank_labels=none";
  CHECK(refused_labels(rows) == advice);
  CHECK(refused_labels(rows, "1,2 1:1\n") ==
        advice + "; if the row is unlabelled, add --set dataset.blank_labels=unlabelled");
  LiveComponent none("mlsvml", {{"blank_labels", "none"}});
  none.load("train", rows);
  CHECK(truth_of(none, 1) == Outputs{0, 0});
  LiveComponent unlabelled("mlsvml", {{"blank_labels", "unlabelled"}});
  unlabelled.load("train", rows);
  CHECK_FALSE(is_labelled(unlabelled, 1));
  CHECK(refused_labels("1 1:1\n\t2:1\n") != "accepted");
}

TEST_CASE("mlsvml reads labels in any notation of whole numbers") {
  LiveComponent dataset("mlsvml");
  dataset.load("train", "1.0,3e0 1:1\n");
  CHECK(truth_of(dataset, 0) == Outputs{1, 0, 1});
}
