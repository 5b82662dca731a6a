// random_grammars.hpp - small random grammars as text, and all trees of a sentence by plain
// recursion over their rules.
//
// It shares with the plugin only the text of trees and the names of weights.
#pragma once

#include "random_graphs.hpp"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace plugin_test {

struct TextRule {
  std::string left;
  std::vector<std::string> right;  // capitals are symbols, small letters are words
  std::string text() const;        // "A -> B c"
};

struct TextTree {
  std::string text;                        // "(ROOT (A a (B b)))"
  std::map<std::string, double> features;  // by the names of their weights, also anchored ones
  // All nodes but the root and those above a single word.
  std::vector<std::tuple<std::string, int, int>> brackets;
};

struct RandomGrammar {
  std::vector<TextRule> rules;
  int unary_depth = 2;
  std::vector<std::string> rows() const;
};

// Symbols ROOT, A, B, C; words a, b, c; one to four items on the right of a rule.
RandomGrammar random_grammar(Random& random);

// All trees of a sentence, or none if there are more than `most`.
std::vector<TextTree> all_trees(const RandomGrammar& grammar, const std::vector<std::string>& words,
                                std::size_t most);

// The number of brackets that both trees have. `guess` has no bracket twice.
double matched(const TextTree& truth, const TextTree& guess);

}  // namespace plugin_test
