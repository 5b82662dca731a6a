// Very large trees and grammars. The host reads them without recursion, or refuses them with their
// place before they fill the memory.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

const std::string small = "(S (N a) (V b))\n(S (N a) (V (V b) (N a)))\n";

struct Grammar {
  std::string trees;                  // text of train.trees
  std::string rules = {};             // text of rules.txt; "": rules come from the trees
  std::string more = R"("rare": 0)";  // more keys of the dataset
  std::string features = {};          // more keys of the features
};

Outcome train_grammar(const Scratch& scratch, const Grammar& grammar) {
  scratch.write("train.trees", grammar.trees);
  std::string features = R"({"use": "grammar")";
  if (!grammar.rules.empty()) {
    scratch.write("rules.txt", grammar.rules);
    features += R"(, "file": "rules.txt")";
  }
  if (!grammar.features.empty()) features += ", " + grammar.features;
  scratch.write("train.json", R"({"dataset": {"use": "trees", "terminals": "words", )" +
                                  grammar.more + R"(, "train": "train.trees"},
                               "features": )" +
                                  features + R"(},
                               "loss": "zero_one", "oracle": "grammar",
                               "solver": {"use": "n_slack", "C": 1}})");
  return scratch.sculpt({"train", "train.json", "--output", "run"});
}

void check_grammar_refused(const Grammar& grammar, int exit,
                           const std::vector<std::string>& texts) {
  const Scratch scratch;
  check_refused(scratch, train_grammar(scratch, grammar), exit, texts);
  CHECK_FALSE(fs::exists(scratch / "run"));
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int k = 0; k < times; ++k) all += text;
  return all;
}

constexpr int depth = 100000;

}  // namespace

TEST_CASE("trees of 100 000 nested brackets are trained on and predicted") {
  std::string distinct;  // a different symbol for each bracket
  for (int k = 0; k < depth; ++k) distinct += "(S" + std::to_string(k) + " ";
  for (const std::string& open : {repeated("(S ", depth), distinct}) {
    const Scratch scratch;
    const std::string tree = open + "a" + repeated(")", depth) + "\n";
    const Outcome outcome = train_grammar(scratch, {small + tree});
    INFO(outcome.err);
    CHECK(outcome.exit == 0);
    CHECK(scratch.finished("run")["certified"] == true);
    scratch.write("new.txt", tree + "a b\n");
    const Outcome guesses = scratch.sculpt({"predict", "run", "new.txt"});
    CHECK(guesses.exit == 0);
    CHECK(guesses.out.find("(ROOT (S (N a) (V b)))") != std::string::npos);
  }
}

TEST_CASE("100 000 brackets that are never closed are refused at the innermost one") {
  check_grammar_refused({repeated("(S ", depth) + "\n"}, exit_data,
                        {"train.trees:1:299998: this bracket is never closed; the file ends with "
                         "100000 open"});
  check_grammar_refused({"(S a" + repeated(")", depth) + "\n"}, exit_data,
                        {"train.trees:1:6: there is no bracket to close here"});
}

TEST_CASE("a sentence of more than 8000 words is refused at its place") {
  check_grammar_refused({small + "(S" + repeated(" a", 8001) + ")\n"}, exit_data,
                        {"train.trees:3:1: this sentence has more than 8000 words; split it"});
}

TEST_CASE("a sentence whose chart would fill the memory is refused, with its place") {
  const Scratch scratch;  // training has begun, because a chart is made at its first use
  const Outcome outcome = train_grammar(scratch, {small + "(S" + repeated(" a", 8000) + ")\n"});
  INFO(outcome.err);
  CHECK(outcome.exit == exit_data);
  CHECK(outcome.err.find("train.trees:3: a sentence of 8000 words needs ") != std::string::npos);
  CHECK(outcome.err.find(" MB for its chart; max_edges = ") != std::string::npos);
  CHECK(outcome.err.find("raise features.max_edges, or remove the sentence") != std::string::npos);
}

TEST_CASE("a rule of millions of symbols is refused at the symbol that exceeds the limit") {
  const std::string rules = "ROOT -> S\nS -> N V\nS ->" + repeated(" N", 1 << 22) + "\n";
  check_grammar_refused({small, rules}, exit_data,
                        {"rules.txt:3:8388606: the rules have more than 4194303 symbols on their "
                         "right sides; remove some rules"});
}

TEST_CASE("a grammar whose table would fill the memory is refused with its size") {
  std::string trees;
  for (int k = 0; k < 12 * 7900; ++k) {
    trees += "(S" + std::to_string(k) + " a ";
    if (k % 7900 == 7899) trees += "b" + repeated(")", 7900) + "\n";
  }
  check_grammar_refused({trees}, exit_data,
                        {"the table of how right sides continue has 94801 symbols times 94791",
                         " beginnings, more than 1 GB"});
}

TEST_CASE("unary rules that make millions of chains are refused with the parameter to lower") {
  std::string rules = "ROOT -> S0\nS0 -> a\n";
  std::string symbols;
  constexpr int count = 45;
  for (int k = 0; k < count; ++k) {
    symbols += (k > 0 ? ", " : "") + ("\"S" + std::to_string(k)) + "\"";
    for (int other = 0; other < count; ++other) {
      if (other != k) rules += "S" + std::to_string(k) + " -> S" + std::to_string(other) + "\n";
    }
  }
  check_grammar_refused(
      {small, rules, R"("rare": 0, "symbols": [)" + symbols + "]", R"("unary_depth": 8)"},
      exit_config, {"there are more than 2097152 chains of unary rules; lower unary_depth"});
}

TEST_CASE("a chain of 10 000 unary rules is trained on and used by predict") {
  std::string rules = "ROOT -> S0\n";
  std::string symbols = "\"S0\"";
  for (int k = 1; k < 10000; ++k) {
    const std::string next = "S" + std::to_string(k);
    rules += "S" + std::to_string(k - 1) + " -> " + next + "\n";
    symbols += ", \"" + next + "\"";
  }
  const Scratch scratch;
  const Outcome outcome = train_grammar(
      scratch, {small, rules + "S1 -> a b\n", R"("rare": 0, "symbols": [)" + symbols + "]"});
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  scratch.write("new.txt", "a b\n");
  CHECK(scratch.sculpt({"predict", "run", "new.txt"}).out == "(ROOT (S0 (S1 a b)))\n");
}
