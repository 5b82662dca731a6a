// The dataset letters: words, units, folds, state and refusals.
#include <doctest/doctest.h>

#include <cstring>

#include "line_ends.hpp"
#include "live_component.hpp"
#include "refusals.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

const std::string two_words =
    "1 0 0 b 1 0110\n"
    "1 0 1 a 0 1000\n"
    "2 3 0 c 0 0001\n";

const std::string five_folds =
    "1 0 0 a 0 10\n"
    "2 1 0 b 0 11\n"
    "3 2 0 a 0 01\n"
    "4 1 0 a 0 11\n"
    "5 0 0 b 0 10\n"
    "6 4 0 a 0 10\n";

// The sites of an example as "2:1.0 3:1.0|1:1.0", with indices from 0.
std::string sites_text(const LiveComponent& dataset, std::int64_t example) {
  const sculpt_sites sites = sites_of(dataset, example);
  std::string text;
  for (std::int64_t s = 0; s < sites.site_count; ++s) {
    if (s > 0) text += "|";
    for (std::int64_t j = sites.row_from[s]; j < sites.row_from[s + 1]; ++j) {
      text += (j > sites.row_from[s] ? " " : "") + std::to_string(sites.index[j]) + ":" +
              json(sites.value[j]).dump();
    }
  }
  return text;
}

std::string refused_words(const std::string& text, const json& parameters = json::object()) {
  return refusal_of([&] {
    LiveComponent dataset("letters", parameters);
    dataset.load("train", text);
  });
}

std::string words_of(const LiveComponent& dataset, const std::string& split) {
  const auto [begin, end] = split_of(dataset, split);
  std::string text;
  for (std::int64_t example = begin; example < end; ++example) {
    text += (example > begin ? " " : "") + format(dataset, example, truth_of(dataset, example));
  }
  return text;
}

std::int64_t feature_count(const LiveComponent& dataset) {
  return shape_of(dataset).feature_count;
}

}  // namespace

TEST_CASE("letters reads words with one site for each letter") {
  LiveComponent dataset("letters");
  dataset.load("train", two_words);
  CHECK(example_count(dataset) == 2);
  CHECK(truth_of(dataset, 0) == Outputs{1, 0});
  CHECK(truth_of(dataset, 1) == Outputs{2});
  CHECK(sites_text(dataset, 0) == "1:1.0 2:1.0|0:1.0");
  CHECK(sites_text(dataset, 1) == "3:1.0");
  CHECK(feature_count(dataset) == 4);
  CHECK(state_name(dataset, 2) == "c");
  CHECK(format(dataset, 0, {2, 0, 1}) == "cab");
  CHECK(parse(dataset, 0, "bac") == Outputs{1, 0, 2});
  CHECK(parse(dataset, 0, "").empty());
  CHECK_THROWS_WITH(parse(dataset, 0, "bad"),
                    "'d' is not in the alphabet of the training data, abc");
}

TEST_CASE("letters reads inputs that are numbers separated by blanks") {
  LiveComponent dataset("letters");
  dataset.load("train", "1 0 0 a 1 0.5 0 -2\n\n1\t0 1 b 0 1 1\t1\n");
  CHECK(feature_count(dataset) == 3);
  CHECK(sites_text(dataset, 0) == "0:0.5 2:-2.0|0:1.0 1:1.0 2:1.0");
}

TEST_CASE(
    "letters reads a file with CRLF, a byte order mark or without a last line end like the plain "
    "file") {
  for (const std::string& rows : {two_words, std::string("1 0 0 a 1 0.5 0\n\n1 0 1 b 0 1 1\n")}) {
    LiveComponent plain("letters");
    plain.load("train", rows);
    for (const std::string& text :
         {with_crlf(rows), "\xEF\xBB\xBF" + rows, "\xEF\xBB\xBF" + with_crlf(rows),
          rows.substr(0, rows.size() - 1)}) {
      LiveComponent dataset("letters");
      dataset.load("train", text);
      REQUIRE(example_count(dataset) == example_count(plain));
      for (std::int64_t example = 0; example < example_count(plain); ++example) {
        CHECK(sites_text(dataset, example) == sites_text(plain, example));
        CHECK(truth_of(dataset, example) == truth_of(plain, example));
      }
      CHECK(dataset.save() == plain.save());
    }
  }
}

TEST_CASE(
    "letters counts lines and columns of a CRLF file with a byte order mark like those of LF") {
  for (const std::string rows :
       {"1 0 0 a 2 10\n", "1 0 0 a 1 10\n1 0 1 a 0 1\n", "1 0 0 a 1 10\n\n"}) {
    CHECK(refused_words("\xEF\xBB\xBF" + with_crlf(rows)) == refused_words(rows));
  }
}

TEST_CASE("letters reads a single input as a number") {
  LiveComponent dataset("letters");
  dataset.load("train", "1 0 0 a 1 1\n1 0 1 b 0 0.25\n");
  CHECK(feature_count(dataset) == 1);
  CHECK(sites_text(dataset, 0) == "0:1.0|0:0.25");
}

TEST_CASE("letters can make an example of each letter") {
  LiveComponent dataset("letters", {{"unit", "letter"}});
  dataset.load("train", two_words + "3 0 0 ? 1 1111\n3 0 1 b 0 1111\n");
  CHECK(example_count(dataset) == 5);
  CHECK(truth_of(dataset, 0) == Outputs{1});
  CHECK(truth_of(dataset, 1) == Outputs{0});
  CHECK(sites_text(dataset, 1) == "0:1.0");
  CHECK_FALSE(is_labelled(dataset, 3));
  CHECK(truth_of(dataset, 4) == Outputs{1});
}

TEST_CASE("letters makes a word with an unknown letter unlabelled as a whole") {
  LiveComponent dataset("letters");
  dataset.load("train", two_words + "3 0 0 ? 1 1111\n3 0 1 z 0 1111\n");
  CHECK(is_labelled(dataset, 1));
  CHECK_FALSE(is_labelled(dataset, 2));
  CHECK(sites_of(dataset, 2).site_count == 2);
  CHECK(shape_of(dataset).state_count == 3);
}

TEST_CASE("letters measures the known letters of a word in data that is not trained on") {
  LiveComponent dataset("letters", {{"test_folds", {7}}});
  dataset.load("train", two_words + "3 7 0 ? 1 1111\n3 7 1 b 0 1111\n");
  dataset.load("validation", "4 0 0 a 1 1111\n4 0 1 ? 0 1111\n");
  CHECK(truth_of(dataset, split_of(dataset, "test").first) == Outputs{-1, 1});
  CHECK(truth_of(dataset, split_of(dataset, "validation").first) == Outputs{0, -1});
}

TEST_CASE("letters reads a letter beyond ASCII as one label") {
  LiveComponent dataset("letters");
  dataset.load("train", "1 0 0 \xC3\xA4 1 10\n1 0 1 z 0 01\n");
  CHECK(truth_of(dataset, 0) == Outputs{1, 0});
  CHECK(parse(dataset, 0, "z\xC3\xA4") == Outputs{0, 1});
}

TEST_CASE("letters without folds makes all rows the split train") {
  LiveComponent dataset("letters");
  dataset.load("train", five_folds);
  CHECK(split_of(dataset, "train") == Split(0, 6));
  CHECK(split_of(dataset, "test").first == split_of(dataset, "test").second);
}

TEST_CASE("letters makes the splits from the folds, each one range of examples") {
  LiveComponent dataset("letters",
                        {{"train_folds", {1}}, {"validation_folds", {2}}, {"test_folds", {0}}});
  dataset.load("train", five_folds);
  CHECK(split_of(dataset, "train") == Split(0, 2));
  CHECK(split_of(dataset, "validation") == Split(2, 3));
  CHECK(split_of(dataset, "test") == Split(3, 5));
  CHECK(words_of(dataset, "train") == "b a");
  CHECK(words_of(dataset, "validation") == "a");
  CHECK(words_of(dataset, "test") == "a b");
  CHECK(sites_text(dataset, 2) == "1:1.0");
  REQUIRE(dataset.log().size() == 1);
  CHECK(dataset.log()[0] == "data.txt: left out 1 word, because no parameter lists its fold");
}

TEST_CASE("letters trains on all folds that no other split names") {
  LiveComponent dataset("letters", {{"test_folds", {0, 4}}});
  dataset.load("train", five_folds);
  CHECK(split_of(dataset, "train") == Split(0, 3));
  CHECK(split_of(dataset, "test") == Split(3, 6));
  CHECK(dataset.log().empty());
}

TEST_CASE("letters loads a whole test file, and refuses a test file together with test_folds") {
  LiveComponent alone("letters", {{"train_folds", {0}}});
  alone.load("train", five_folds);
  alone.load("test", five_folds);
  CHECK(split_of(alone, "test") == Split(2, 8));

  LiveComponent both("letters", {{"train_folds", {0}}, {"test_folds", {1}}});
  both.load("train", five_folds);
  CHECK_THROWS_WITH(both.load("test", five_folds),
                    "makes the split 'test' from the file under `train` already; set test_folds or "
                    "a file, not both");
}

TEST_CASE("letters refuses folds that contradict each other or the file") {
  CHECK(refused_words(five_folds, {{"train_folds", {0, 1}}, {"test_folds", {1}}}) ==
        "fold 1 is in train_folds and in test_folds; remove it from one of them");
  CHECK(refused_words(five_folds, {{"test_folds", json::array()}}) ==
        "test_folds is empty; list a fold, or remove the key");
  CHECK(
      refused_words(five_folds, {{"train_folds", {0}}, {"test_folds", {7}}}) ==
      "data.txt:1:1: no word belongs to the split 'test'; list some of the folds of this file, 0, "
      "1, 2, 4");
}

TEST_CASE("letters refuses a test letter that is not in training, with its place") {
  LiveComponent dataset("letters");
  dataset.load("train", two_words);
  CHECK_THROWS_WITH(dataset.load("test", "9 0 0 a 1 0000\n9 0 1 d 0 0000\n"),
                    "data.txt:2:7: 'd' is not in the alphabet of the training data, abc; remove "
                    "the word, or write ? to predict it");
}

TEST_CASE("letters learns its alphabet only from the training words") {
  CHECK(refused_words(five_folds + "7 5 0 x 0 10\n", {{"test_folds", {5}}}) ==
        "data.txt:7:7: 'x' is not in the alphabet of the training data, ab; remove the word, or "
        "write ? to predict it");
}

TEST_CASE("letters refuses ragged rows, with their place") {
  CHECK(refused_words("1 0 0 a 0\n") ==
        "data.txt:1:1: has 5 columns; write word, fold, position, letter, more and the inputs");
  CHECK(refused_words("1 0 0 a 1 101\n1 0 1 a 0\n") ==
        "data.txt:2:1: has 5 columns; write word, fold, position, letter, more and the inputs");
  CHECK(refused_words("1 0 0 a 1 101\n1 0 1 a 0 10\n") ==
        "data.txt:2:11: has 2 inputs where the first row has 3; give every row the same number");
  CHECK(refused_words("1 0 0 a 1 1 2 3\n1 0 1 a 0 1 2\n") ==
        "data.txt:2:11: has 2 inputs where the first row has 3; give every row the same number");
  CHECK(refused_words("1 0 0 a 1 1 2 3\n1 0 1 a 0 1 2 3 4\n") ==
        "data.txt:2:11: has 4 inputs where the first row has 3; give every row the same number");
}

TEST_CASE("letters refuses bad rows with place and reason") {
  CHECK(refused_words("x 0 0 a 0 10\n") ==
        "data.txt:1:1: 'x' is not the number of a word; write a whole one");
  CHECK(refused_words("1 f 0 a 0 10\n") ==
        "data.txt:1:3: 'f' is not the number of a fold; write a whole one");
  CHECK(refused_words("1 0 0. a 0 10\n") ==
        "data.txt:1:5: '0.' is not a position; write a whole number");
  CHECK(refused_words("1 0 1 a 0 10\n") ==
        "data.txt:1:5: position 1 where 0 is expected; the positions of a word count from 0");
  CHECK(refused_words("1 0 0 a 1 10\n1 0 2 a 0 10\n") ==
        "data.txt:2:5: position 2 where 1 is expected; the positions of a word count from 0");
  CHECK(refused_words("1 0 0 ab 0 10\n") ==
        "data.txt:1:7: 'ab' is not one letter; write ? if it is unknown");
  CHECK(refused_words("1 0 0 a 2 10\n") ==
        "data.txt:1:9: '2' is not a `more` flag; write 1 if another letter of the word follows, "
        "else 0");
  CHECK(refused_words("1 0 0 a 1 10\n1 2 1 a 0 10\n") ==
        "data.txt:2:3: fold 2, but word 1 began in fold 0; give all rows of a word the same fold");
  CHECK(refused_words("1 0 0 a 1 10\n2 0 0 a 0 10\n") ==
        "data.txt:2:1: word 2 begins in the middle of word 1, whose last `more` is 1; complete "
        "that word, or set `more` to 0");
  CHECK(refused_words("1 0 0 a 0 10\n2 0 0 a 0 10\n1 0 0 a 0 10\n") ==
        "data.txt:3:1: word 1 is complete already; number each word once and keep its rows "
        "together");
  CHECK(refused_words("1 0 0 a 1 10\n1 0 1 a 1 10\n\n") ==
        "data.txt:2:9: the file ends in the middle of word 1, whose last `more` is 1; complete the "
        "word, or set `more` to 0");
}

TEST_CASE("letters refuses infinite inputs and NaN, with their place") {
  for (const std::string value : {"inf", "-inf", "+inf", "nan", "-nan", "NaN"}) {
    CAPTURE(value);
    CHECK(refused_words("1 0 0 a 1 1 2\n1 0 1 a 0 1 " + value + "\n") ==
          "data.txt:2:13: '" + value + "' is not an input; a finite number is expected");
  }
  CHECK(refused_words("1 0 0 a 0 1 1e999\n") ==
        "data.txt:1:13: '1e999' is too large; numbers are from -1.79e308 to 1.79e308");
  CHECK(refused_words("1 0 0 a 0 1 x\n") ==
        "data.txt:1:13: 'x' is not an input; a finite number is expected");
}

TEST_CASE("letters refuses numbers if the first row has a string of 0 and 1") {
  CHECK(refused_words("1 0 0 a 1 101\n1 0 1 a 0 102\n") ==
        "data.txt:2:11: '102' is not a string of 0 and 1; write the inputs as in the first row");
  CHECK(refused_words("1 0 0 a 1 10\n1 0 1 a 0 1 0\n") ==
        "data.txt:2:13: '0' is one column too many; write the inputs as one string of 0 and 1, as "
        "in the first row");
}

TEST_CASE("letters refuses data without words or without letters") {
  CHECK(refused_words("\n\n") ==
        "data.txt:1:1: no words; write rows `word fold position letter more inputs...`");
  CHECK(refused_words("1 0 0 ? 0 10\n") ==
        "data.txt:1:1: every word to train on has a letter `?`, so there is nothing to learn; "
        "write the letters of some words");
}

TEST_CASE("letters restored from a model reads new data like the trained one") {
  const std::string rows = "1 9 0 a 1 0011\n1 9 1 c 0 1100\n2 9 0 ? 0 1111\n";
  LiveComponent learned("letters", {{"train_folds", {0, 3}}});
  learned.load("train", two_words);
  learned.load("test", rows);
  LiveComponent restored("letters", {{"train_folds", {0, 3}}});
  restored.restore(learned.save());
  restored.load("predict", rows);
  CHECK(split_of(restored, "predict") == Split(0, 2));
  for (std::int64_t example = 0; example < 2; ++example) {
    CHECK(sites_text(restored, example) == sites_text(learned, example + 2));
    CHECK(truth_of(restored, example) == truth_of(learned, example + 2));
    CHECK(is_labelled(restored, example) == is_labelled(learned, example + 2));
  }
  CHECK(format(restored, 0, {2, 0}) == "ca");
  CHECK(restored.save() == learned.save());
}

TEST_CASE("letters refuses another number of inputs than training had") {
  LiveComponent dataset("letters");
  dataset.load("train", two_words);
  CHECK_THROWS_WITH(
      dataset.load("test", "\n1 0 0 a 0 101\n"),
      "data.txt:2:1: has 3 inputs, but the training data has 4; give every row the same number");
}

TEST_CASE("letters refuses a truncated state of any length") {
  LiveComponent learned("letters");
  learned.load("train", two_words);
  const std::string state = learned.save();
  for (std::size_t size = 0; size < state.size(); ++size) {
    LiveComponent restored("letters");
    CHECK_THROWS_WITH(restored.restore(state.substr(0, size)),
                      "its state in the model is damaged or of another version; use the plugin "
                      "version that wrote the model, or train again");
  }
}

// chain and multiclass multiply the number of inputs by the number of letters.
TEST_CASE("letters refuses a state with more inputs than indices can count") {
  LiveComponent learned("letters");
  learned.load("train", two_words);
  std::string state = learned.save();
  constexpr std::size_t input_count = sizeof(std::int64_t);  // its offset, after the version
  for (const std::int64_t count : {std::int64_t{1} << 31, std::int64_t{1} << 62}) {
    std::memcpy(state.data() + input_count, &count, sizeof count);
    LiveComponent restored("letters");
    CHECK_THROWS_WITH(restored.restore(state),
                      "its state in the model is damaged or of another version; use the plugin "
                      "version that wrote the model, or train again");
  }
}
