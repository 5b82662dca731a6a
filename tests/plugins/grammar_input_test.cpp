// grammar: refused rules, comments, sentences without a tree or too long to parse, truths outside
// the grammar, and the state in a model.
#include <doctest/doctest.h>

#include "grammar_parser.hpp"
#include "refusals.hpp"

#include <algorithm>
#include <set>

using namespace plugin_test;
using nlohmann::json;

namespace {

std::string refused_rules(const json& rows, const std::string& trees = "(S (A a) (B b))\n") {
  return refusal_of([&] {
    Parser(trees, word_parameters({{"symbols", {"NX"}}}), {{"rows", rows}});
  });
}

std::vector<std::string> rules_of(const Parser& parser) {
  std::vector<std::string> names;
  for (std::int64_t k = 0; k < dimension(parser.features); ++k) {
    names.push_back(weight_name(parser.features, k));
  }
  return names;
}

}  // namespace

TEST_CASE("grammar: rules and anchored features are those of the training trees") {
  const Parser parser("(S (NP the cat) (VP sleeps))\n(S (NP it) (VP sleeps))\n", word_parameters(),
                      {{"anchors", {"first_word", "split_words"}}});
  std::set<std::string> names;
  for (std::int64_t k = 0; k < dimension(parser.features); ++k) {
    names.insert(weight_name(parser.features, k));
  }
  CHECK(names ==
        std::set<std::string>{"ROOT -> S", "ROOT -> S, first the", "ROOT -> S, first it",
                              "S -> NP VP", "S -> NP VP, first the", "S -> NP VP, first it",
                              "S -> NP VP, item 1 ends with cat", "S -> NP VP, item 1 ends with it",
                              "S -> NP VP, item 1 before sleeps", "NP -> the cat",
                              "NP -> the cat, first the", "NP -> the cat, item 1 ends with the",
                              "NP -> the cat, item 1 before cat", "NP -> it", "NP -> it, first it",
                              "VP -> sleeps", "VP -> sleeps, first sleeps"});
}

TEST_CASE("grammar: a sentence that no tree covers has no output") {
  const Parser parser("(S (A a) (B b))\nb a\na b\na x\n", word_parameters(), json::object());
  OracleQuery query = unlabelled(parser, 1);
  CHECK((argmax(parser.oracle(), query).flags & SCULPT_ANSWER_NO_OUTPUT) != 0);
  query.example = 3;
  CHECK((argmax(parser.oracle(), query).flags & SCULPT_ANSWER_NO_OUTPUT) != 0);
  query.example = 2;
  CHECK(format(parser.dataset, 2, argmax(parser.oracle(), query).output) ==
        "(ROOT (S (A a) (B b)))");
}

TEST_CASE("grammar: psi of a tree with a rule outside the grammar counts its other rules") {
  const Parser parser("(S (A a) (B b))\n(S (B b))\n", word_parameters(),
                      {{"rows", {"ROOT -> S", "S -> A B", "A -> a", "B -> b"}}});
  CHECK(psi(parser.features, 1, truth_of(parser.dataset, 1)) == std::vector<double>{1, 0, 0, 1});
  OracleQuery query{1, std::vector<double>(4, 0.0), truth_of(parser.dataset, 1), 1};
  CHECK((argmax(parser.oracle(), query).flags & SCULPT_ANSWER_TRUTH_OUTSIDE) != 0);
  query.example = 0;
  query.truth = truth_of(parser.dataset, 0);
  CHECK((argmax(parser.oracle(), query).flags & SCULPT_ANSWER_TRUTH_OUTSIDE) == 0);
}

TEST_CASE("grammar: chains of unary rules have at most unary_depth rules and no symbol twice") {
  const std::string text = "(A (B (C c)))\n(A (B (A (C c))))\n(C c)\n";
  const auto flags = [&](int depth, std::int64_t example) {
    const Parser parser(text, word_parameters(), {{"unary_depth", depth}});
    const OracleQuery query{
        example, std::vector<double>(static_cast<std::size_t>(dimension(parser.features))),
        truth_of(parser.dataset, example)};
    return argmax(parser.oracle(), query).flags & SCULPT_ANSWER_TRUTH_OUTSIDE;
  };
  CHECK(flags(3, 0) == 0);  // ROOT, A and B above C
  CHECK(flags(2, 0) != 0);
  CHECK(flags(8, 1) != 0);  // A twice
  CHECK(flags(1, 2) == 0);
}

TEST_CASE("grammar: bad rows are refused with their place") {
  CHECK(refused_rules({"ROOT -> S", "S A B"}) ==
        "rows:2:3: this row is not a rule; write `A -> B C`");
  CHECK(refused_rules({"S"}) == "rows:1:1: this row is not a rule; write `A -> B C`");
  CHECK(refused_rules({"S -> "}) ==
        "rows:1:5: this rule has no right side; write symbols or terminals after ->");
  CHECK(refused_rules({"X -> A"}) ==
        "rows:1:1: 'X' is not a symbol of the training trees; list it in "
        "dataset.symbols, or remove the rule");
  CHECK(refused_rules({"S -> A B", "S  ->  A B"}) ==
        "rows:2:1: this rule occurs twice; remove one of them");
  CHECK(refused_rules({"S -> A ROOT"}) ==
        "rows:1:8: the root symbol is on the right of a rule; use it only on the left");
  CHECK(refused_rules({"# nothing", ""}) ==
        "rows:1:1: no rule has only symbols and terminals of the training trees; write "
        "rows `A -> B C` with them");
  CHECK(refused_rules({"S -> A B", "A -> 'a'"}) ==
        "rows:1:1: no rule derives the root; write one such as `ROOT -> S`");
  CHECK(refused_rules({"ROOT -> S", "S -> A B | A"}) ==
        "rows:2:10: '|' is neither a symbol nor a terminal of the training trees; write each "
        "alternative as a separate rule");
  CHECK(refused_rules({"# a comment", "ROOT -> S", "S -> A B", "A -> x", "A -> 'a'"}) ==
        "accepted");
  const Parser parser("(S (A a) (B b))\n", word_parameters(),
                      {{"rows", {"ROOT -> S", "S -> A 0.5", "S -> A", "B -> x"}}});
  CHECK(dimension(parser.features) == 2);
  CHECK(parser.features.log() ==
        std::vector<std::string>{"2 of the rules are skipped; the first: rows:2:8: "
                                 "'0.5' is neither a symbol nor a terminal of the training trees"});
  CHECK_THROWS_WITH(
      Parser("(S a)\n", word_parameters(), {{"anchors", {"first_word", "middle"}}}),
      "anchors has 'middle', which does not exist; use first_word, last_word, length or "
      "split_words");
}

TEST_CASE("grammar: a comment begins with # at the start of a row, or with # as a word") {
  const std::vector<std::string> expected{"ROOT -> S", "S -> A B", "A -> a"};
  for (const json& rows :
       {json{"ROOT -> S # the top", "S -> A B  # the sentence", "A -> a #"},
        json{"#S -> B", "ROOT -> S", "#", "# A -> b", "S -> A B", "##", "A -> a", "  #A -> A A"}}) {
    const Parser parser("(S (A a) (B b))\n", word_parameters(), {{"rows", rows}});
    CHECK(rules_of(parser) == expected);
    CHECK(parser.features.log().empty());  // no rule was skipped
  }
  CHECK(refused_rules({"ROOT -> S", "S -> # A B"}) ==
        "rows:2:5: this rule has no right side; write symbols or terminals after ->");
  CHECK(refused_rules({"S # -> A B"}) == "rows:1:1: this row is not a rule; write `A -> B C`");
  CHECK(refused_rules({"# -> A B"}) ==
        "rows:1:1: '#' is not a symbol of the training trees; list it in "
        "dataset.symbols, or remove the rule");
}

TEST_CASE("grammar: a tag # of a treebank works in trees, and in rows if quoted") {
  const std::string trees =
      "(S (NP (# #) (CD 5)) (VP (VB falls)))\n(S (NP (NP (# #)) (CD 6)) (VP (VB falls)))\n";
  const Parser read_off(trees, json::object(), json::object());
  const std::vector<std::string> rules = rules_of(read_off);
  CHECK(std::set<std::string>(rules.begin(), rules.end()) ==
        std::set<std::string>{"ROOT -> S", "S -> NP VP", "NP -> '#' CD", "NP -> NP CD", "NP -> '#'",
                              "VP -> VB"});
  CHECK(format(read_off.dataset, 0, argmax(read_off.oracle(), unlabelled(read_off, 0)).output) ==
        "(ROOT (S (NP (# #) (CD 5)) (VP (VB falls))))");

  const Parser from_rows(trees, json::object(), {{"rows", rules}});
  CHECK(rules_of(from_rows) == rules);
  LiveComponent restored("grammar", json::object(), SCULPT_KIND_FEATURES);
  restored.restore(from_rows.features.save());
  restored.bind(&from_rows.dataset);
  REQUIRE(dimension(restored) == static_cast<std::int64_t>(rules.size()));
  for (std::size_t k = 0; k < rules.size(); ++k) {
    CHECK(weight_name(restored, static_cast<std::int64_t>(k)) == rules[k]);
  }
}

TEST_CASE("grammar: the names of rules read back as rules for all words") {
  const std::string trees = "(S (A # 'B' B) (B 'x (A ''q'')))\n(# (A a))\n";
  const Parser read_off(trees, word_parameters(), json::object());
  const std::vector<std::string> rules = rules_of(read_off);
  CHECK(std::count(rules.begin(), rules.end(), "A -> '#' ''B'' 'B'") == 1);
  CHECK(std::count(rules.begin(), rules.end(), "# -> A") == 1);
  json rows = json::array();
  for (const std::string& rule : rules) {
    if (rule != "ROOT -> #") rows.push_back(rule);  // in a row, # on the right begins a comment
  }
  rows.push_back("A -> B");
  std::vector<std::string> expected = rows;
  CHECK(rules_of(Parser(trees, word_parameters(), {{"rows", rows}})) == expected);
}

TEST_CASE("grammar: scoring, counting and anchored features of a large chart stop on request") {
  std::string text = "(S (S a) (S a))\n";
  for (int k = 0; k < 100; ++k) text += "a ";
  text += "\n";
  int polls_before = 0;
  for (const json& anchors : {json::array(), json{"first_word"}}) {
    Parser parser(text, word_parameters(), {{"anchors", anchors}});
    const LiveComponent& oracle = parser.oracle("zero_one");
    const OracleQuery query = unlabelled(parser, 1);
    argmax(oracle, query);
    const int with_chart = parser.features.polls();
    if (!anchors.empty()) CHECK(with_chart >= polls_before + 40);  // 171 700 edges
    polls_before = with_chart;
    argmax(oracle, query);  // reuses the chart
    CHECK(parser.features.polls() >= with_chart + 4);
    parser.features.ask_to_stop(true);
    CHECK_THROWS_AS(argmax(oracle, query), CallFailed);
    parser.features.ask_to_stop(false);
    CHECK_NOTHROW(argmax(oracle, query));
  }
}

TEST_CASE("grammar: a sentence that needs more than max_edges is refused with a remedy") {
  std::string text = "(S (S a) (S a))\na a a a a a\n";
  for (int k = 0; k < 3000; ++k) text += "a ";
  const Parser parser(text, word_parameters(), {{"max_edges", 20}});
  OracleQuery query = unlabelled(parser, 1);
  CHECK_THROWS_WITH(
      argmax(parser.oracle(), query),
      "data.txt:2: the trees of a sentence of 6 words have more than max_edges = 20 edges "
      "together; raise features.max_edges, or remove the sentence");
  query.example = 2;
  CHECK_THROWS_WITH(
      argmax(parser.oracle(), query),
      "data.txt:3: a sentence of 3000 words needs 494 MB for its chart; max_edges = 20 allows 67 "
      "MB; raise features.max_edges, or remove the sentence");
}

TEST_CASE("grammar restored from a model answers like the trained one") {
  Random random(61);
  for (const json& parameters : {json{{"anchors", every_anchor}},
                                 json{{"rows", {"ROOT -> S", "S -> A S", "S -> b", "A -> a"}}}}) {
    const Parser parser("(S (A a) (S b))\n(S (A a) (S (A a) (S b)))\na a a b\n", word_parameters(),
                        parameters);
    LiveComponent dataset("grammar#trees", word_parameters());
    dataset.restore(parser.dataset.save());
    dataset.load("predict", "a a a b\n");
    json without_rows = parameters;
    without_rows.erase("rows");
    LiveComponent features("grammar", without_rows, SCULPT_KIND_FEATURES);
    features.restore(parser.features.save());
    features.bind(&dataset);
    REQUIRE(dimension(features) == dimension(parser.features));
    for (std::int64_t k = 0; k < dimension(features); ++k) {
      CHECK(weight_name(features, k) == weight_name(parser.features, k));
    }
    CHECK(features.save() == parser.features.save());
    LiveComponent oracle("grammar", json::object(), SCULPT_KIND_ORACLE);
    oracle.bind(&dataset, &features);
    OracleQuery query{2, normal_vector(random, static_cast<std::size_t>(dimension(features))), {}};
    query.labelled = false;
    const Solution expected = argmax(parser.oracle(), query);
    query.example = 0;
    const Solution found = argmax(oracle, query);
    CHECK(found.value == expected.value);
    CHECK(found.output == expected.output);
  }
  const Parser parser("(S (A a) (S b))\n", word_parameters(), {{"anchors", every_anchor}});
  const std::string state = parser.features.save();
  for (std::size_t size = 0; size < state.size(); ++size) {
    CHECK_THROWS_AS(LiveComponent("grammar", json::object(), SCULPT_KIND_FEATURES)
                        .restore(state.substr(0, size)),
                    CallFailed);
  }
}
