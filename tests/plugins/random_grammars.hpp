// random_grammars.hpp - small random grammars, and all trees of a sentence by plain recursion over
// their rules, as text.
//
// Shares nothing with the plugin but the text of trees and the names of weights.
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
  std::map<std::string, double> features;  // by the names of their weights, anchored ones too
  // Without the root and what stands right above a word alone.
  std::vector<std::tuple<std::string, int, int>> brackets;
};

struct RandomGrammar {
  std::vector<TextRule> rules;
  int unary_depth = 2;
  std::vector<std::string> rows() const;
};

// Of the symbols ROOT, A, B, C and the words a, b, c; right sides of one to four.
RandomGrammar random_grammar(Random& random);

// All trees of a sentence; none as well where there are more than `most`.
std::vector<TextTree> all_trees(const RandomGrammar& grammar, const std::vector<std::string>& words,
                                std::size_t most);

// Parts that two trees have in common; none of them twice in `guess`.
double matched(const TextTree& truth, const TextTree& guess);

}  // namespace plugin_test
