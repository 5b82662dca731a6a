// The dataset trees: reading, learning, metrics, and refusals with their places.
#include <doctest/doctest.h>

#include "line_ends.hpp"
#include "oracle_calls.hpp"
#include "refusals.hpp"

#include <sculpt/ext/items.h>

#include <cmath>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

const json words = {{"terminals", "words"}, {"rare", 0}};

const std::string words_for_brackets =
    "write -LRB- for the word ( and -RRB- for the word ), which no reader could tell from the "
    "brackets of the tree";

std::string refused_trees(const std::string& text, const json& parameters = json::object()) {
  return refused_data("grammar#trees", text, "", parameters);
}

// The printed form of the first tree of a text.
std::string printed(const std::string& text, const json& parameters = json::object()) {
  LiveComponent dataset("grammar#trees", parameters);
  dataset.load("train", text);
  return format(dataset, 0, truth_of(dataset, 0));
}

std::vector<std::int64_t> items_of(const LiveComponent& dataset, std::int64_t example) {
  std::vector<std::int64_t> items(100);
  std::int64_t count = 0;
  ErrorText error;
  const Outputs y = truth_of(dataset, example);
  error.check(dataset.extension<sculpt_ext_items>(SCULPT_EXT_ITEMS)
                  .items(dataset.self(), example, view(y), items.data(), 100, &count, error.raw()));
  items.resize(static_cast<std::size_t>(count));
  return items;
}

}  // namespace

TEST_CASE("trees reads brackets on one line or several, and sentences without a tree") {
  LiveComponent dataset("grammar#trees");
  dataset.load("train",
               "(ROOT (S (NP (DT the) (NN cat))\n   (VP\t(VBZ sleeps)))\n)\n\nDT the/NN VBZ\n"
               "(S (VBZ go)) (S (NN x))\n");
  REQUIRE(example_count(dataset) == 4);
  // symbols: ROOT, NP, S, VP
  CHECK(truth_of(dataset, 0) == Outputs{2, 4, 3, 1, 1, 0, 5, 1, 0, 0, 0});
  CHECK_FALSE(is_labelled(dataset, 1));
  CHECK(truth_of(dataset, 2) == Outputs{2, 4, 1, 0, 0});
  CHECK(format(dataset, 0, truth_of(dataset, 0)) ==
        "(ROOT (S (NP (DT the) (NN cat)) (VP (VBZ sleeps))))");
  CHECK(format(dataset, 1, {2, 1, 1, 1, 0}) == "(ROOT (DT DT) (NN the) (VBZ VBZ))");
  CHECK(format(dataset, 3, truth_of(dataset, 3)) == "(ROOT (S (NN x)))");
}

TEST_CASE("trees reads words unchanged if words are the terminals") {
  LiveComponent dataset("grammar#trees", words);
  dataset.load("train", "(S (NP (DT the) cat) (VP sleeps))\nthe a/b cat\n");
  // symbols: ROOT, DT, NP, S, VP
  CHECK(truth_of(dataset, 0) == Outputs{2, 5, 4, 3, 1, 0, 1, 0, 6, 1, 0, 0, 0});
  CHECK(format(dataset, 1, {2, 1, 1, 1, 0}) == "(ROOT the a/b cat)");
}

TEST_CASE("trees reads a CRLF file with a byte order mark like the LF file") {
  const std::string text = "(S (NP (NN a)\n  (NN b)) (VP (VB c)))\n\n(S (VB d))\n";
  LiveComponent plain("grammar#trees");
  plain.load("train", text);
  LiveComponent other("grammar#trees");
  other.load("train", "\xEF\xBB\xBF" + with_crlf(text));
  REQUIRE(example_count(other) == 2);
  for (std::int64_t k = 0; k < 2; ++k) CHECK(truth_of(other, k) == truth_of(plain, k));
  CHECK(other.save() == plain.save());
}

TEST_CASE("trees removes functional tags and empty words and gives every tree one root") {
  const std::string text =
      "( (S=1 (NP-SBJ-1 (-NONE- *)) (VP (VB go) (PRT|ADVP (RP -)) (-LRB- -LRB-)\n"
      "  (SBAR-TMP (S (-NONE- *T*-1))))) )";
  CHECK(printed(text) == "(ROOT (S (VP (VB go) (PRT|ADVP (RP -)) (-LRB- -LRB-))))");
  CHECK(printed(text, {{"functional", true}}) ==
        "(ROOT (S=1 (VP (VB go) (PRT|ADVP (RP -)) (-LRB- -LRB-))))");
  CHECK(printed("(TOP (S (VB go)))", {{"root", "TOP"}}) == "(TOP (S (VB go)))");
  CHECK(printed("(NN go)") == "(ROOT (NN go))");
  CHECK(printed("(S (NP (-NONE- *)) (VB go))", words) == "(ROOT (S (VB go)))");
}

TEST_CASE("trees takes the top that all trees share for their root, and counts it as no bracket") {
  // evalb deletes TOP and S1, so it finds no common bracket here.
  for (const char* root : {"TOP", "S1", "VROOT", "ROOT"}) {
    CAPTURE(root);
    const std::string open = std::string("(") + root + " ";
    LiveComponent dataset("grammar#trees");
    dataset.load("train", open + "(A (B x) (C y)))\n" + open + "(D (E x) (F y)))\n");
    CHECK(format(dataset, 0, truth_of(dataset, 0)) == open + "(A (B x) (C y)))");
    CHECK(items_of(dataset, 0).size() == 1);
    const Outputs other = parse(dataset, 0, "(D (B x) (C y))");
    CHECK(metrics(dataset, {{truth_of(dataset, 0), other}}, {})["bracket_f1"] == 0.0);
  }
  CHECK(printed("(TOP (S (VB go)))\n(TOP (S (VB be)))") == "(TOP (S (VB go)))");
  CHECK(printed("(X (S (VB go)))\n(X (S (VB be)))") == "(ROOT (X (S (VB go))))");
  CHECK(printed("(S (A (B b)) (C c))\n(S (A (B b)) (C c))") == "(ROOT (S (A (B b)) (C c)))");
  CHECK(printed("(TOP (S (VB go)))\n(S (VB be))") == "(ROOT (TOP (S (VB go))))");
}

TEST_CASE("trees of other files may have another root, and a model keeps its own") {
  LiveComponent dataset("grammar#trees");
  dataset.load("train", "(TOP (S (VB go)))\n(TOP (S (VB be)))\n");
  REQUIRE(dataset.log().size() == 1);
  CHECK(dataset.log()[0] ==
        "data.txt: all trees have the top TOP, so it is their root and counts as no bracket; "
        "--set dataset.root=SYMBOL changes that");
  dataset.load("test", "(S1 (S (VB go)))\n(S (VB go))\n");
  CHECK(format(dataset, 2, truth_of(dataset, 2)) == "(TOP (S1 (S (VB go))))");
  dataset.load("validation", "(S1 (S (VB go)))\n(S1 (S (VB go)))\n");
  CHECK(format(dataset, 4, truth_of(dataset, 4)) == "(TOP (S (VB go)))");
  LiveComponent restored("grammar#trees");
  restored.restore(dataset.save());
  restored.load("predict", "(S (VB go))\n");
  CHECK(format(restored, 0, truth_of(restored, 0)) == "(TOP (S (VB go)))");
  CHECK_THROWS_WITH(LiveComponent("grammar#trees", {{"root", "S1"}}).restore(dataset.save()),
                    "root is S1, but the model was trained with TOP; remove it, or train again");
}

TEST_CASE("trees replaces rare and unseen words by their class") {
  LiveComponent dataset("grammar#trees", {{"terminals", "words"}, {"rare", 1}});
  dataset.load("train", "(S (N the) (N the) (N Walking) (N walked) (N x-1))\n");
  LiveComponent features("grammar", {}, SCULPT_KIND_FEATURES);
  features.bind(&dataset);
  std::vector<std::string> names;
  for (std::int64_t k = 0; k < dimension(features); ++k) names.push_back(weight_name(features, k));
  CHECK(names == std::vector<std::string>{"ROOT -> S", "S -> N N N N N", "N -> the",
                                          "N -> (cap,-ing)", "N -> (-ed)", "N -> (digit,dash)"});
  dataset.load("test", "(S (N Talking) (N talked) (N y-9) (N THE) (N 9))\n");
  REQUIRE(dataset.log().size() == 1);
  CHECK(dataset.log()[0] ==
        "data.txt:1: the word 'THE' and its class do not occur in training; 1 sentence gets no "
        "parse, "
        "and predict prints an empty line for it");
  CHECK(psi(features, 1, truth_of(dataset, 1)) == std::vector<double>{1, 1, 0, 1, 1, 1});
}

TEST_CASE("trees reads test data with symbols and tags that are not in training") {
  LiveComponent dataset("grammar#trees");
  dataset.load("train", "(S (NP (NN a)) (VP (VB b)))\n");
  dataset.load("test", "(S (XP (NN a)) (VP (XX b)))\n");
  CHECK(format(dataset, 1, truth_of(dataset, 1)) == "(ROOT (S (XP (NN a)) (VP (XX b))))");
  CHECK(parse(dataset, 1, "(S (XP (NN a)) (VP (XX b)))") == truth_of(dataset, 1));
  CHECK(dataset.log() ==
        std::vector<std::string>{"data.txt:1: the tag 'XX' does not occur in training; 1 sentence "
                                 "gets no parse, and predict prints an empty line for it",
                                 "data.txt: symbols that do not occur in training, such as 'XP'; "
                                 "they never occur in a guess"});
}

TEST_CASE("trees says which words of a sentence have no tag, and which tags there are") {
  LiveComponent dataset("grammar#trees");
  dataset.load("train", "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (. .))\n");
  dataset.load("test", "the/DT cat/NN sleeps/VBZ ./.\nDT NN VBZ .\n");
  CHECK(dataset.log().empty());
  dataset.load("predict", "the/DT cat/NN sleeps/VBZ\nthe cat sleeps .\nthe/DT dog/XX\n");
  CHECK(dataset.log() ==
        std::vector<std::string>{"data.txt:2: 'the' has no tag; write word/TAG, with tags of the "
                                 "training data: DT, NN, VBZ, .; 2 sentences get no parse, and "
                                 "predict prints empty lines for them"});
}

TEST_CASE("trees counts all nodes as brackets except the root and those above one word") {
  LiveComponent tags("grammar#trees");
  tags.load("train", "(S (NP (NN a)) (VP (VB b) (NP (NN c))))\n(NN a)\n");
  const auto item = [](std::int64_t symbol, std::int64_t start, std::int64_t end) {
    return (symbol * 4 + start) * 4 + end;
  };
  // symbols: ROOT, NP, S, VP
  CHECK(items_of(tags, 0) ==
        std::vector<std::int64_t>{item(1, 0, 1), item(1, 2, 3), item(2, 0, 3), item(3, 1, 3)});
  CHECK(items_of(tags, 1).empty());
  LiveComponent word_trees("grammar#trees", words);
  word_trees.load("train", "(S (NN a) (VP (VB b) (NP (NN c))))\n");
  // ROOT, NN, NP, S, VB, VP
  CHECK(items_of(word_trees, 0) ==
        std::vector<std::int64_t>{item(2, 2, 3), item(3, 0, 3), item(5, 1, 3)});
}

TEST_CASE("trees measures brackets over all sentences like evalb") {
  LiveComponent dataset("grammar#trees");
  dataset.load("train", "(S (NP (NN a)) (VP (VB b) (NP (NN c))))\n");
  const Outputs truth = truth_of(dataset, 0);
  // of the 3 brackets of the guess 2 match; the truth has 4
  const Outputs guess = parse(dataset, 0, "(S (NP (NN a) (VB b)) (NP (NN c)))");
  const json values = metrics(dataset, {{truth, guess}, {truth, truth}}, {truth});
  CHECK(values["bracket_precision"].get<double>() == Approx(6 / 7.0));
  CHECK(values["bracket_recall"].get<double>() == Approx(6 / 12.0));
  CHECK(values["bracket_f1"].get<double>() == Approx(12 / 19.0));
  CHECK(values["complete_match"].get<double>() == Approx(1 / 3.0));
}

TEST_CASE(
    "trees prints outputs as brackets, reads them back, and refuses outputs that are no trees") {
  LiveComponent dataset("grammar#trees", words);
  dataset.load("train", "(S (A a) (B b))\na b\n");
  const Outputs y{2, 5, 3, 1, 0, 1, 0, 0};
  CHECK(format(dataset, 1, y) == "(ROOT (S (A a) b))");
  CHECK(parse(dataset, 1, "(ROOT (S (A a) b))") == y);
  CHECK(parse(dataset, 1, "(S (A a) b)") == y);
  CHECK_THROWS_WITH(parse(dataset, 1, "(S (A a) c)"),
                    "the words of the tree are not those of the sentence; write the same words");
  CHECK_THROWS_WITH(parse(dataset, 1, "(S (X a) b)"), "symbol 'X' does not occur in the data");
  CHECK_THROWS_WITH(parse(dataset, 1, "a b"), "this is not one tree; write one tree in brackets");
  CHECK_THROWS_WITH(parse(dataset, 1, "(S a b"),
                    "output:1:1: this bracket is never closed; the "
                    "file ends with 1 open");
  const std::string stem = "this output is not a tree over 2 words: it ";
  const std::vector<std::pair<Outputs, std::string>> broken{
      {{}, "is not closed"},
      {{2, 1, 1}, "is not closed"},
      {{3, 1, 1, 0}, "does not have one root"},
      {{2, 1, 1, 0, 0}, "does not have one root"},
      {{2, 1, 0}, "has the wrong number of words, 1"},
      {{2, 1, 1, 3, 0, 0}, "has an empty node"},
      {{2, 1, 9, 1, 0, 0}, "has a symbol that does not exist"},
      {{2, -5, 1, 1, 0}, "has a symbol that does not exist"},
      {{2, 2, 1, 1, 0, 0}, "has the root symbol below its root"}};
  for (const auto& [labels, what] : broken) {
    CHECK_THROWS_WITH(format(dataset, 1, labels), (stem + what).c_str());
  }
}

TEST_CASE("trees refuses unbalanced brackets, with their place") {
  CHECK(refused_trees("(S (NN a)\n\n  (NP (NN b)\n") ==
        "data.txt:3:3: this bracket is never closed; the file ends with 2 open");
  CHECK(refused_trees("(S (NN a)))\n") == "data.txt:1:11: there is no bracket to close here");
  CHECK(refused_trees("NN )\n") == "data.txt:1:4: there is no bracket to close here");
  CHECK(refused_trees("NN (NN b)\n") ==
        "data.txt:1:4: there is a bracket inside a sentence; begin the line with a bracket if "
        "it is a tree, and write -LRB- or -RRB- for a bracket that is a word");
  CHECK(refused_trees("(S (NN a)) b\n") ==
        "data.txt:1:12: there is a word outside of a tree; put it inside the brackets");
}

TEST_CASE("trees refuses empty trees, empty nodes and words without a tag, with their place") {
  CHECK(refused_trees("(S (NN a))\n()\n") == "data.txt:2:1: this tree is empty; remove it");
  CHECK(refused_trees("(ROOT)\n") == "data.txt:1:1: this tree is empty; remove it");
  CHECK(refused_trees("(S (NP (-NONE- *)))\n") == "data.txt:1:1: this tree is empty; remove it");
  CHECK(refused_trees("(S (NP ) (NN a))\n") ==
        "data.txt:1:4: the node 'NP' is empty; write a word or a node inside it; if a bracket is "
        "its word, " +
            words_for_brackets);
  CHECK(refused_trees("(S ((NN a)))\n") ==
        "data.txt:1:4: this bracket has no symbol; write one after it");
  CHECK(refused_trees("(S () (NN a))\n") ==
        "data.txt:1:4: the tag 'S' has the bracket ( as its word; " + words_for_brackets);
  CHECK(refused_trees("(S (ROOT (NN a)))\n") ==
        "data.txt:1:4: the root symbol 'ROOT' occurs below the top of a tree; name another "
        "root: --set dataset.root=SYMBOL");
  CHECK(refused_trees("(S (NP a (NN b)))\n") ==
        "data.txt:1:8: word 'a' has no tag; write (TAG word), or add --set "
        "dataset.terminals=words");
  CHECK(refused_trees("") ==
        "data.txt:1:1: no trees; write one on each line: (S (NP (N cats)) (VP (V sleep)))");
  CHECK(refused_trees("NN VB\n") ==
        "data.txt:1:1: no sentence has a tree, so there is nothing to learn; write trees in "
        "brackets");
  CHECK_THROWS_WITH(LiveComponent("grammar#trees", {{"root", "a b"}}),
                    "root is 'a b'; write a symbol without blanks and brackets");
}

TEST_CASE("trees reads, prints and counts a tree of a hundred thousand nested brackets") {
  std::string deep;
  for (int k = 0; k < 100000; ++k) deep += "(A ";
  deep += "(NN a)" + std::string(100000, ')');
  LiveComponent dataset("grammar#trees");
  dataset.load("train", deep + "\n");
  const Outputs y = truth_of(dataset, 0);
  CHECK(y.size() == 200003);
  CHECK(format(dataset, 0, y).size() == deep.size() + 7);
  LiveComponent features("grammar", {}, SCULPT_KIND_FEATURES);
  features.bind(&dataset);
  CHECK(psi(features, 0, y) == std::vector<double>{1, 99999, 1});
  LiveComponent loss("zero_one");
  loss.bind(&dataset, &features);
  LiveComponent oracle("grammar", {}, SCULPT_KIND_ORACLE);
  oracle.bind(&dataset, &features, &loss);
  const OracleQuery query{0, {0, 0, 0}, y, 1};
  const Solution answer = argmax(oracle, query);
  CHECK((answer.flags & SCULPT_ANSWER_TRUTH_OUTSIDE) != 0);
  CHECK(answer.value == 1);
  std::string open;
  for (int k = 0; k < 100000; ++k) open += "(A ";
  CHECK(refused_trees(open) ==
        "data.txt:1:299998: this bracket is never closed; the file ends with 100000 open");
}

TEST_CASE("trees restored from a model reads new data like the trained one") {
  const json parameters = {{"terminals", "words"}, {"symbols", {"Z"}}};
  const std::string text = "(S (N Running) (Z the))\nthe cat\n";
  LiveComponent learned("grammar#trees", parameters);
  learned.load("train", "(S (N Walking) (V the) (V the))\n(T the)\n");
  learned.load("test", text);
  LiveComponent restored("grammar#trees", {{"terminals", "words"}});
  restored.restore(learned.save());
  restored.load("predict", text);
  for (std::int64_t k = 0; k < 2; ++k) {
    CHECK(is_labelled(restored, k) == is_labelled(learned, k + 2));
    CHECK(truth_of(restored, k) == truth_of(learned, k + 2));
  }
  const std::string state = learned.save();
  CHECK(restored.save() == state);
  for (std::size_t size = 0; size < state.size(); ++size) {
    CHECK_THROWS_WITH(LiveComponent("grammar#trees").restore(state.substr(0, size)),
                      "its state in the model is damaged or of another version; use the plugin "
                      "version that wrote the model, or train again");
  }
  CHECK_THROWS_WITH(LiveComponent("grammar#trees").load("test", text),
                    "has no symbols before the split 'train' is loaded; load it first");
}
