// grammar.hpp - a grammar in the form that a chart needs, and the names of the edges of a chart.
//
//   node (i, j, A)     the words i .. j - 1 under the symbol A, made by a rule with several
//                      items or with one terminal: a base
//   node (i, j, A)'    the same, with at most one chain above it: a top
//   node (i, j, p)     a prefix p of right sides, two items or more (rule_trie.hpp)
//
//   complete  (i, j, A)  <- (i, j, p)            by the rule A -> p; without tails for A -> word
//   chain     (i, j, A)' <- (i, j, B)            by the rules of the chain from A to B
//   no_chain  (i, j, A)' <- (i, j, A)
//   step      (i, j, p)  <- (i, k, q) (k, j, X)'   p = q X. Words have no nodes, one item q is X'
//
// So every tree of these rules has one derivation. Shared by chart.hpp, derivation.hpp and
// grammar_features.hpp.
#pragma once

#include "anchors.hpp"
#include "chains.hpp"
#include "rule_trie.hpp"

namespace grammar {

struct Grammar {
  RuleSet rules;
  Chains chains;
  RuleTrie trie;
  std::vector<std::vector<std::int32_t>> terminal_rules;  // the rules A -> word, [terminals]
  std::vector<std::int32_t> trie_end;  // where the right side ends in the trie, or -1, [rules].
  // If the trie is not shared: the rule of each node after the first items, [nodes of the trie].
  // Else empty.
  std::vector<std::int32_t> rule_of_node;
  std::int32_t symbol_count = 0;
};

struct EdgeName {
  enum Kind { complete, chain, no_chain, step };
  Kind kind;
  std::int32_t id;     // of the rule, the chain, the symbol, or the node p of the trie
  std::int32_t start;  // i
  std::int32_t split;  // k of a step, else 0
  std::int32_t end;    // j

  // Packs the name into one number. The order of these numbers has no meaning.
  std::int64_t packed() const {
    return (std::int64_t{kind} << 61) | (std::int64_t{id} << 39) | (std::int64_t{start} << 26) |
           (std::int64_t{split} << 13) | end;
  }
  static EdgeName unpacked(std::int64_t name) {
    const auto position = [&](int shift) {
      return static_cast<std::int32_t>((name >> shift) & 0x1FFF);
    };
    return {static_cast<Kind>((name >> 61) & 3), static_cast<std::int32_t>((name >> 39) & 0x3FFFFF),
            position(26), position(13), position(0)};
  }
};

}  // namespace grammar
