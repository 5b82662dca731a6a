// The dataset texts: symbols of characters and words, labels, and refusals with their places.
#include <doctest/doctest.h>

#include <cmath>

#include "kernel_calls.hpp"
#include "line_ends.hpp"
#include "live_component.hpp"
#include "refusals.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

const json by_words = {{"symbols", "words"}};

std::vector<double> text_symbols(const LiveComponent& dataset, std::int64_t example) {
  const sculpt_sites x = sites_of(dataset, example);
  REQUIRE(x.site_count == 1);
  for (std::int64_t k = x.row_from[0]; k < x.row_from[1]; ++k) {
    CHECK(x.index[k] == k - x.row_from[0]);
  }
  return {x.value + x.row_from[0], x.value + x.row_from[1]};
}

std::string refused_line(const std::string& text, const std::string& train = "",
                         const json& parameters = json::object()) {
  return refused_data("texts", text, train, parameters);
}

}  // namespace

TEST_CASE("texts reads characters as code points") {
  LiveComponent dataset("texts");
  dataset.load("train", "a\tb a\nb\t\xC3\xA9\xE2\x82\xAC\xF0\x9F\x90\x88\na\t\n\tx\n\na\t#\tq\n");
  REQUIRE(example_count(dataset) == 5);
  CHECK(text_symbols(dataset, 0) == std::vector<double>{'b', ' ', 'a'});
  CHECK(text_symbols(dataset, 1) == std::vector<double>{0xE9, 0x20AC, 0x1F408});
  CHECK(text_symbols(dataset, 2).empty());
  CHECK(text_symbols(dataset, 4) == std::vector<double>{'#', '\t', 'q'});
  CHECK(truth_of(dataset, 0) == Outputs{0});
  CHECK(truth_of(dataset, 1) == Outputs{1});
  CHECK_FALSE(is_labelled(dataset, 3));
  CHECK(shape_of(dataset).state_count == 2);
  CHECK(state_name(dataset, 1) == "b");
}

TEST_CASE("texts numbers words of the training data, and gives new words numbers below 0") {
  LiveComponent dataset("texts", by_words);
  dataset.load("train", "10\tb a  b\n9\tc\ta\n");
  dataset.load("test", "9\tx a y x\n10\ty\n");
  CHECK(text_symbols(dataset, 0) == std::vector<double>{2, 1, 2});
  CHECK(text_symbols(dataset, 1) == std::vector<double>{3, 1});
  CHECK(text_symbols(dataset, 2) == std::vector<double>{-1, 1, -2, -1});
  CHECK(text_symbols(dataset, 3) == std::vector<double>{-2});
  CHECK(state_name(dataset, 0) == "9");

  LiveComponent restored("texts", by_words);
  restored.restore(dataset.save());
  restored.load("predict", "z b\n\tc q\n10\ta\n");
  CHECK(text_symbols(restored, 0) == std::vector<double>{-1, 2});
  CHECK(text_symbols(restored, 1) == std::vector<double>{3, -2});
  CHECK_FALSE(is_labelled(restored, 1));
  CHECK(truth_of(restored, 2) == Outputs{1});
}

TEST_CASE("texts reads a CRLF file with a byte order mark like the LF file") {
  const std::string rows = "a\tone two\n\nb\tthree\n";
  LiveComponent plain("texts", by_words);
  plain.load("train", rows);
  LiveComponent other("texts", by_words);
  other.load("train", "\xEF\xBB\xBF" + with_crlf(rows));
  CHECK(other.save() == plain.save());
  CHECK(text_symbols(other, 1) == text_symbols(plain, 1));
}

// "ab" spans two symbols in "ab", and three in "a?b".
TEST_CASE("a symbol that training does not have matches nothing and counts as a gap") {
  const BoundKernel bound("texts", {{"train", "1\tab\n2\tba\n"}, {"test", "1\ta?b\n1\t??\n"}},
                          "subsequence", {{"length", 2}, {"decay", 0.5}, {"normalized", false}});
  CHECK(bound.rows({2, 3}, {0, 1}) == Matrix{{std::pow(0.5, 2 + 3), 0}, {0, 0}});
}

TEST_CASE("texts refuses what is not UTF-8, with its place") {
  const std::string reason = ": not UTF-8; convert the file, for example by iconv";
  const std::vector<std::string> wrong = {
      "\x80",              // begins in the middle of a character
      "\xC3",              // ends in the middle
      "\xC3\x28",          // is broken
      "\xC0\xAF",          // takes more bytes than needed
      "\xE0\x80\xAF",      // the same
      "\xF0\x8F\xBF\xBF",  // the same
      "\xED\xA0\x80",      // is a surrogate
      "\xF4\x90\x80\x80",  // is beyond Unicode
      "\xFF",
  };
  for (const std::string& bytes : wrong) {
    CHECK(refused_line("a\tok\nb\tx\xC3\xA9" + bytes + "\n") == "data.txt:2:6" + reason);
  }
  CHECK(refused_line("\xFF\tok\n") == "data.txt:1:1" + reason);
  CHECK(refused_line(std::string("a\tx\0y\n", 6)) ==
        "data.txt:1:4: a character 0, which no text has; remove it");
}

TEST_CASE("texts refuses lines without a tabulator, unknown labels and long texts") {
  CHECK(refused_line("") ==
        "data.txt:1:1: no examples; write a label, a tabulator and a text a line");
  CHECK(contains(refused_line("a\tx\npos some text\n"),
                 "data.txt:2:1: no tabulator; write the label, a tabulator and the text."));
  CHECK(contains(refused_line("\tx\n\ty\n"), "data.txt:1:1: no line has a label"));
  CHECK(contains(refused_line("b\tx\n", "a\tx\n"),
                 "data.txt:1:1: label 'b' does not occur in the training data (a); "));
  CHECK(refused_line("a\tx y\na\tx y z\n", "", {{"symbols", "words"}, {"longest", 2}}) ==
        "data.txt:2:1: the text has 3 symbols, but `longest` is 2; cut the text, or train with a "
        "larger `longest`");
}

TEST_CASE("texts counts a label that training does not have as wrong, or takes it for none") {
  const auto loaded = [](const std::string& choice) {
    LiveComponent learned("texts");
    learned.load("train", "a\tx\nb\ty\n");
    LiveComponent dataset("texts", {{"unseen_labels", choice}});
    dataset.restore(learned.save());
    dataset.load("predict", "c\tx\nb\ty\n");
    CHECK(truth_of(dataset, 1) == Outputs{1});
    REQUIRE(dataset.log().size() == 1);
    return std::pair(truth_of(dataset, 0), dataset.log()[0]);
  };
  const auto [wrong, warning] = loaded("wrong");
  CHECK(wrong == Outputs{-2});
  CHECK(warning ==
        "data.txt: 1 text has a label that does not occur in the training data; every guess for it "
        "counts as wrong");
  const auto [free, note] = loaded("free");
  CHECK(free.empty());
  CHECK(note ==
        "data.txt: 1 text has a label that does not occur in the training data; it is taken for "
        "unlabelled, and not measured");
}
