// rna: bad sequences, structures and grammars are refused with their place. Also the text of
// structures and the state in a model.
#include <doctest/doctest.h>

#include "bound_features.hpp"
#include "refusals.hpp"
#include "rna_structures.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

std::string refused_structures(const std::string& text, const json& parameters = json::object()) {
  LiveComponent dataset("rna#dot_bracket", parameters);
  return refusal_of([&] { dataset.load("train", text); });
}

std::string refused_grammar(const json& rules, const json& more = json::object()) {
  json parameters = more;
  parameters["rules"] = rules;
  return refusal_of([&] {
    BoundFeatures("rna#dot_bracket", json::object(), ">x\nACGU\n....\n", "rna", parameters);
  });
}

LiveComponent& loaded(LiveComponent& dataset, const std::string& text) {
  dataset.load("train", text);
  return dataset;
}

}  // namespace

TEST_CASE(
    "dot_bracket reads wrapped lines, small letters, T for U, and sequences without a structure") {
  LiveComponent dataset("rna#dot_bracket");
  loaded(dataset, ">one of two\r\n  acg\r\nTT\r\n\r\n((.\r\n)) \r\n>two\nACG");
  REQUIRE(example_count(dataset) == 2);
  CHECK(split_of(dataset, "train") == std::pair<std::int64_t, std::int64_t>(0, 2));
  CHECK(truth_of(dataset, 0) == partners("((.))"));
  CHECK(format(dataset, 0, truth_of(dataset, 0)) == "((.))");
  CHECK_FALSE(is_labelled(dataset, 1));
}

TEST_CASE("dot_bracket: letters outside the alphabet are refused with their place") {
  CHECK(refused_structures(">a\nAC\nGXU\n.....\n") ==
        "data.txt:3:2: 'X' is not a letter of RNA; write A, C, G or U (T counts as U)");
  CHECK(refused_structures(">a\nAC-GU\n.....\n") ==
        "data.txt:2:3: '-' is a gap of an alignment; remove the gaps from the sequence, and the "
        "same columns from its structure");
  CHECK(refused_structures(">a\nACnGU\n.....\n") ==
        "data.txt:2:3: 'n' stands for several letters; remove the sequence, or set ambiguous to "
        "single, so that it pairs with none");
  CHECK(refused_structures(">a\nACnGY\n.....\n", {{"ambiguous", "single"}}) == "accepted");
}

TEST_CASE("dot_bracket: unbalanced brackets are refused with their place") {
  CHECK(refused_structures(">a\nACGUA\n(..))\n") ==
        "data.txt:3:5: this bracket has no opening bracket; write ( where its partner is, or a dot "
        "here");
  CHECK(refused_structures(">a\nACGUA\n(.\n(.)\n") ==
        "data.txt:3:1: this bracket has no closing bracket; write ) where its partner is, or a dot "
        "here");
  CHECK(refused_structures(">a\nACGUA\n..:..\n") ==
        "data.txt:3:3: ':' is neither a dot nor a bracket; write . for a single base, ( and ) for "
        "a pair");
}

TEST_CASE("dot_bracket: pseudoknots are refused with their place") {
  for (const std::string sign : {"[", "{", "<", "A"}) {
    CHECK(refused_structures(">a\nACGUACGU\n((..\n" + std::string("." + sign + "))\n")) ==
          "data.txt:4:2: '" + sign +
              "' marks a pseudoknot, which grammars of nested pairs cannot have; write a dot "
              "instead, set pseudoknots to remove, or remove the structure");
  }
  CHECK(refused_structures(">a\nACGUACGU\n[(..]..)\n")
            .starts_with("data.txt:3:1: '[' marks a pseudo"));
}

TEST_CASE("dot_bracket: a line of brackets that begins with a letter is refused as a pseudoknot") {
  CHECK(refused_structures(">a\nGGAACC\nA(..)a\n") ==
        "data.txt:3:1: 'A' begins a line that also has '(': letters there mark a pseudoknot, which "
        "grammars of nested pairs cannot have; write dots instead, set pseudoknots to remove, or "
        "remove the structure; "
        "in a sequence write only letters");
  CHECK(
      refused_structures(">a\nGGAACC\n  Aa....\n").starts_with("data.txt:3:3: 'A' begins a line"));
  CHECK(refused_structures(">a\nGG.ACC\n......\n") ==
        "data.txt:2:3: '.' is a gap of an alignment; remove the gaps from the sequence, and the "
        "same columns from its structure");
}

TEST_CASE("dot_bracket: a structure of another length than its sequence is refused") {
  CHECK(refused_structures(">a\nACGU\n....\n>b\nACGU\n.....\n") ==
        "data.txt:6:5: there are 5 dots and brackets for 4 letters; write one for each");
  CHECK(refused_structures(">a\nACGU\n()\n") ==
        "data.txt:3:3: there are 2 dots and brackets for 4 letters; write one for each");
}

TEST_CASE("dot_bracket: a file without sequences is refused") {
  CHECK(refused_structures("") ==
        "data.txt:1:1: no sequences; write `>name`, a line of letters and a line of dots and "
        "brackets for each");
  CHECK(refused_structures("....\n") ==
        "data.txt:1:1: this structure has no sequence; write its letters in the line before it "
        "(sculpt predict prints both, unless dataset.output is structure)");
  CHECK(refused_structures(">a\n>b\nACGU\n") ==
        "data.txt:1:1: this name has no sequence; write its letters below it");
}

TEST_CASE("dot_bracket: the text of every structure reads back, and other text is refused") {
  LiveComponent dataset("rna#dot_bracket");
  loaded(dataset, ">a\nACGUACGU\n");
  for (const Outputs& y : all_structures("ACGUACGU", 0, false)) {
    REQUIRE(format(dataset, 0, y) == brackets(y));
    REQUIRE(parse(dataset, 0, brackets(y)) == y);
  }
  CHECK_THROWS_WITH(parse(dataset, 0, "((....)"),
                    "column 1: this bracket has no closing bracket; write ) where its partner is, "
                    "or a dot here");
  CHECK_THROWS_WITH(parse(dataset, 0, "(....)"),
                    "column 7: there are 6 dots and brackets for 8 letters; write one for each");
  for (const Outputs& y : {Outputs{0, 1, 2}, Outputs{2, 3, 0, 1, 4, 5, 6, 7},
                           Outputs{1, 1, 2, 3, 4, 5, 6, 7}, Outputs{8, 1, 2, 3, 4, 5, 6, 7}}) {
    CHECK_THROWS_AS(format(dataset, 0, y), CallFailed);
  }
}

TEST_CASE(
    "rna: a grammar with a symbol without a rule, without an end or without a use is refused") {
  CHECK(refused_grammar({"S -> L S | L", "L -> ( F ) | ."}) ==
        "rules:2:8: symbol 'F' has no rule; add one for it");
  CHECK(refused_grammar({"S -> . S | ( S ) S"}) ==
        "rules:1:1: symbol 'S' derives no finite structure; add a rule of only bases for it");
  CHECK(refused_grammar({"S -> . S | .", "T -> ( S )"}) ==
        "rules:2:1: symbol 'T' cannot be reached from 'S', the first symbol; remove it");
  CHECK(refused_grammar({"S -> T | .", "T -> S | ( S )"}) ==
        "rules:1:1: through `S -> T` a symbol can derive itself, so a structure has infinitely "
        "many derivations; remove a rule");
  CHECK(refused_grammar({"S -> T", "T -> U | ( S )", "U -> T | ."})
            .starts_with("rules:2:1: through `T -> U` a symbol can"));
  CHECK(refused_grammar({"S -> S S | . | empty"}).find("can derive itself") != std::string::npos);
}

TEST_CASE("rna: bad rules are refused with their place") {
  CHECK(refused_grammar({"# nothing"}) ==
        "rules:1:1: no rules; write rules such as `S -> ( S ) S`");
  CHECK(refused_grammar({"S = . S"}) ==
        "rules:1:3: this is not a rule; write `SYMBOL -> right side`, as in `S -> L S | L`");
  CHECK(refused_grammar({"S -> . S | "}) ==
        "rules:1:11: this side is empty; write `empty` for a rule that derives no base");
  CHECK(refused_grammar({"S -> . S | ( S"}) ==
        "rules:1:12: this bracket has no closing bracket; write ) after it");
  CHECK(refused_grammar({"S -> . S ) | ."}) ==
        "rules:1:10: this bracket has no opening bracket; write ( before it");
  CHECK(refused_grammar({"S -> . | [ S ]"}) ==
        "rules:1:10: '[' cannot be part of a rule; write symbols, dots, brackets and |");
  CHECK(refused_grammar({"S -> . | ( S ) S S"}) ==
        "rules:1:9: this rule has 3 symbols on its right, but at most two are allowed; move some "
        "of them into another rule");
}

TEST_CASE("rna: `empty` next to other items or as a symbol is refused with its place") {
  CHECK(refused_grammar({"S -> empty . S | ."}) ==
        "rules:1:6: `empty` must be alone on its side, for a rule that derives no base; remove it, "
        "or write | "
        "between");
  CHECK(refused_grammar({"S -> . S | . empty"}).starts_with("rules:1:14: `empty` must be alone"));
  CHECK(
      refused_grammar({"S -> . S | empty empty"}).starts_with("rules:1:12: `empty` must be alone"));
  CHECK(refused_grammar({" empty -> . empty | ."}) ==
        "rules:1:2: `empty` cannot be a symbol, because it is the right side of rules without "
        "bases; use another name");
  CHECK(refused_grammar({"S -> . S |  empty  "}) == "accepted");
  CHECK(refused_grammar({"S -> empty | . S"}) == "accepted");
}

TEST_CASE("rna: symbols whose shortest structures have lengths that overflow are accepted") {
  for (const int doublings : {29, 31, 32, 64, 200}) {
    json rows = {"S -> . S | . | ( A" + std::to_string(doublings) + " )"};
    for (int k = doublings; k > 0; --k) {
      const std::string below = "A" + std::to_string(k - 1);
      rows.push_back("A" + std::to_string(k) + " -> " + below + " " + below);
    }
    rows.push_back("A0 -> .");
    CHECK(refused_grammar(rows) == "accepted");
  }
}

TEST_CASE("rna: an ambiguous grammar is refused with a structure that has two derivations") {
  CHECK(refused_grammar({"S -> ( S ) | . S | S . | S S | empty"}).find("can derive itself") !=
        std::string::npos);
  CHECK(refused_grammar({"S -> . S | S . | ( S ) | ."}) ==
        "the grammar is ambiguous: it derives .. in several ways; change its rules so that each "
        "structure has one derivation");
  CHECK(refused_grammar({"S -> L S | L", "L -> ( S ) | . | ( . . L )"}).find("derives (...) in") !=
        std::string::npos);
  CHECK(refused_grammar({"S -> . S | ( S ) S | empty"}) == "accepted");
}

TEST_CASE("rna: stacking is refused if no pair always lies directly inside another") {
  CHECK(refused_grammar({"S -> . S | ( S ) S | empty"}, {{"stacking", true}}) ==
        "stacking is set, but no rule has a pair that is always directly inside another; write "
        "one such as F -> ( F ) for a symbol that occurs only between brackets, or set stacking to "
        "false");
  CHECK(refused_grammar({"S -> . S | ( ( S ) ) S | empty"}, {{"stacking", true}}) == "accepted");
}

TEST_CASE("rna: closing is refused if no rule always lies directly inside a pair") {
  CHECK(refused_grammar({"S -> . S | ( S ) S | empty"}, {{"closing", true}}) ==
        "closing is set, but no symbol occurs only directly between brackets, so no rule is known "
        "to be inside a pair; write one such as F in L -> ( F ), or set closing to false");
  CHECK(refused_grammar({"S -> L S | L", "L -> ( F ) | .", "F -> ( F ) | L S"},
                        {{"closing", true}}) == "accepted");
}

TEST_CASE("rna: a grammar of 10000 rules is accepted, a larger one refused") {
  std::string row = "S -> . S | empty";
  for (std::size_t k = 2; k < 10000; ++k) {
    row += " |";
    for (std::size_t bit = 0; bit < 14; ++bit) row += (k >> bit) % 2 == 0 ? " ( . . ) " : " ( ) ";
    row += "S";
  }
  CHECK(refused_grammar({row}) == "accepted");
  CHECK(refused_grammar({row, "S -> ( S ) . S"}) ==
        "rules:2:5: there are more than 10000 rules; write a smaller grammar");
}

TEST_CASE(
    "rna: a sequence whose program has more than max_nodes nodes is refused with its number") {
  // G6 has three symbols: 6 bases make 3 * 7 * 8 / 2 nodes
  const std::string text = ">x\nACGUA\n.....\n>y\nACGUAC\n......\n";
  const auto bound = [&](std::int64_t max_nodes) {
    return BoundFeatures("rna#dot_bracket", json::object(), text, "rna",
                         {{"max_nodes", max_nodes}});
  };
  CHECK_NOTHROW(bound(84));
  CHECK_THROWS_WITH(
      bound(83),
      "data.txt:4: example 1, a sequence of 6 bases: its program needs 84 nodes, max_nodes is "
      "83; remove the example, or raise max_nodes (about 60 bytes a node and "
      "thread)");
}

TEST_CASE("rna: a hundred thousand nested pairs are read and written, and refused as too long") {
  constexpr std::size_t pairs = 100000;
  const std::string structure = std::string(pairs, '(') + ".." + std::string(pairs, ')');
  const std::string text =
      ">x\n" + std::string(pairs, 'G') + "AA" + std::string(pairs, 'C') + "\n" + structure + "\n";
  LiveComponent dataset("rna#dot_bracket");
  loaded(dataset, text);
  CHECK(format(dataset, 0, truth_of(dataset, 0)) == structure);
  CHECK(parse(dataset, 0, structure) == truth_of(dataset, 0));
  LiveComponent features("rna", json::object(), SCULPT_KIND_FEATURES);
  CHECK_THROWS_WITH(features.bind(&dataset),
                    doctest::Contains("example 0, a sequence of 200002 bases: its program needs "));
}

TEST_CASE("rna needs the dataset dot_bracket") {
  LiveComponent dataset("svmlight");
  dataset.load("train", "1 1:1\n");
  LiveComponent features("rna", json::object(), SCULPT_KIND_FEATURES);
  CHECK_THROWS_WITH(
      features.bind(&dataset),
      "needs the dataset dot_bracket, not org.sculpt.svmlight; set dataset.use to dot_bracket");
}

TEST_CASE("rna restored from a model has the saved grammar") {
  const json rules = {"S -> L S | L", "L -> ( S ) | ."};
  const BoundFeatures saved("rna#dot_bracket", json::object(), ">x\nACGU\n(..)\n", "rna",
                            {{"rules", rules}});
  LiveComponent dataset("rna#dot_bracket");
  dataset.load("predict", ">y\nACGUACGU\n");
  LiveComponent restored("rna", json::object(), SCULPT_KIND_FEATURES);
  restored.restore(saved.features.save());
  restored.bind(&dataset);
  REQUIRE(dimension(restored) == dimension(saved.features));
  for (std::int64_t weight = 0; weight < dimension(restored); ++weight) {
    CHECK(weight_name(restored, weight) == weight_name(saved.features, weight));
  }
  LiveComponent damaged("rna", json::object(), SCULPT_KIND_FEATURES);
  const std::string state = saved.features.save();
  CHECK_THROWS_AS(damaged.restore(state.substr(0, state.size() - 1)), CallFailed);
}
