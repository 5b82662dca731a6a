// The dataset trees: brackets as words, comments, and empty lines in files of parses.
#include <doctest/doctest.h>

#include "grammar_parser.hpp"
#include "line_ends.hpp"
#include "refusals.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

constexpr const char* train =
    "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(S (-LRB- -LRB-) (NN a))\n";

std::string refused_test(const std::string& text) {
  return refused_data("grammar#trees", text, train);
}

// "tree" or "none" for each example of a test file, in order.
std::string kinds_of(const std::string& text, const json& parameters = json::object()) {
  LiveComponent dataset("grammar#trees", parameters);
  dataset.load("train", train);
  dataset.load("test", text);
  std::string kinds;
  for (std::int64_t k = 2; k < example_count(dataset); ++k) {
    kinds += (kinds.empty() ? "" : " ") + std::string(is_labelled(dataset, k) ? "tree" : "none");
  }
  return kinds;
}

}  // namespace

TEST_CASE("trees `(-LRB- ()`: a bracket as a word is named with its tag, its place and a remedy") {
  const std::string remedy =
      "write -LRB- for the word ( and -RRB- for the word ), which no reader could tell from the "
      "brackets of the tree";
  CHECK(refused_test("(S (NN a))\n(S (NN b) (-LRB- () (NN c))\n") ==
        "data.txt:2:18: the tag '-LRB-' has the bracket ( as its word; " + remedy);
  CHECK(refused_test("(S (NN a))\n(S (NN b)\n   (-LRB-\n   ( )) (NN c))\n")
            .starts_with("data.txt:4:4: the tag '-LRB-' has"));
  CHECK(refused_test("(S (-RRB- )) (NN c))\n") ==
        "data.txt:1:4: the node '-RRB-' is empty; write a word or a node inside it; if a bracket "
        "is its word, " +
            remedy);
  CHECK(refused_test("(S (NN a) (( ())\n") ==
        "data.txt:1:14: this bracket has no symbol; write one after it; if it is a word, " +
            remedy);
  CHECK(refused_test("NN (/-LRB- NN\n").starts_with("data.txt:1:4: there is a bracket inside"));
  CHECK(kinds_of("(S (-LRB- -LRB-) (NN c) (-RRB- -RRB-))\n") == "tree");
}

TEST_CASE("trees `### sentence: x`: lines in front of a tree are comments") {
  const std::string text =
      "### sentence: the cat (a) sleeps\n(S (NN a))\n# sent_id = 2\n## ((\n(S\n  (NN b))\n";
  CHECK(kinds_of(text) == "tree tree");
  CHECK(kinds_of("\xEF\xBB\xBF" + with_crlf(text)) == "tree tree");
  // A sentence of tags may begin with the tag #.
  CHECK(kinds_of("# NN\nNN\n# NN\n") == "none none none");
  CHECK(kinds_of("# the cat ( NN\nNN\n") == "none");
  LiveComponent dataset("grammar#trees");
  dataset.load("train", "### 1\n" + std::string(train) + "\n### 2\n(S (NN a))");
  CHECK(example_count(dataset) == 3);
  CHECK(dataset.log() ==
        std::vector<std::string>{
            "data.txt: left out 2 comments, lines in front of a tree with # or ##"});
}

TEST_CASE("trees: an empty line is a sentence without a parse, so lines keep their places") {
  CHECK(kinds_of("(S (NN a))\n\n(S (NN b))\n") == "tree none tree");
  CHECK(kinds_of(with_crlf("\n(S (NN a))\n \t\n\n(S (NN b))")) == "none tree none none tree");
  CHECK(kinds_of("(S (NN a))\n(())\n()\n( ( ) )\n(S (NN b))\n") == "tree none none none tree");
  CHECK(kinds_of("NN NN\n\nNN\n") == "none none none");
  // The last lines have no sentence after them.
  CHECK(kinds_of("(S (NN a))\n\n\n") == "tree");
  CHECK(kinds_of("(S (NN a))\n\n(())\n") == "tree none none");
  // Headers stand in front of each sentence, an empty line behind it.
  CHECK(kinds_of("### 1\n(S (NN a))\n\n### 2\n\n\n### 3\n(S (NN a))\n") == "tree none tree");
  CHECK(kinds_of("### 1\n(S (NN a))\n\n### 2\n\n### 3\n(S (NN a))\n") == "tree none tree");
}

TEST_CASE("trees: empty lines that separate trees are no sentences") {
  CHECK(kinds_of("(S\n (NN a))\n\n(S\n (NN b))\n") == "tree tree");
  CHECK(kinds_of("(S (NN a))\n\n(S (NN b))\n\n(S (NN a))\n") == "tree tree tree");
  CHECK(kinds_of("(S (NN a))\n\n(S (NN b))\n", {{"empty_lines", "skip"}}) == "tree tree");
  CHECK(kinds_of("(S\n (NN a))\n\n(S (NN b))\n", {{"empty_lines", "sentence"}}) ==
        "tree none tree");
}

TEST_CASE("trees: empty lines are counted, and left out of training") {
  LiveComponent dataset("grammar#trees");
  dataset.load("train", "(S (NN a))\n\n(S (NN b))\n");
  dataset.load("test", "(S (NN a))\n\n(())\n(S (NN a))\n\n");
  CHECK(example_count(dataset) == 6);
  CHECK(dataset.log() ==
        std::vector<std::string>{
            "data.txt: left out 1 empty line, because a sentence without a parse teaches nothing",
            "data.txt: ends with 1 empty line, which is no sentence; write (()) for a sentence "
            "without a parse at the end",
            "data.txt:2: this line and 1 other are empty: a sentence without a parse, which is "
            "kept in its place, without output and unlabelled; set empty_lines to skip if empty "
            "lines only separate trees"});
}

TEST_CASE("trees: a sentence without words has no output") {
  const Parser parser("(S (A a) (B b))\n", json::object(), json::object(), "\na b\n");
  OracleQuery query = unlabelled(parser, 1);
  CHECK((argmax(parser.oracle(), query).flags & SCULPT_ANSWER_NO_OUTPUT) != 0);
}
