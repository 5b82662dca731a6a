// grammar.hpp - a grammar as a chart needs it, and what the edges of a chart are called.
//
//   node (i, j, A)     the words i .. j - 1 under the symbol A, which a rule with several items or
//                      one terminal made: a base
//   node (i, j, A)'    the same with no chain above it, or with one
//   node (i, j, p)     the beginning p of right sides, two items or more (rule_trie.hpp)
//
//   complete  (i, j, A)  <- (i, j, p)            by the rule A -> p; without tails for A -> word
//   chain     (i, j, A)' <- (i, j, B)            by the rules of the chain from A to B
//   pass      (i, j, A)' <- (i, j, A)
//   step      (i, j, p)  <- (i, k, q) (k, j, X)'   p = q X. Words have no nodes, one item q is X'
//
// So every tree that these rules make has one derivation. Shared by chart.hpp, derivation.hpp and
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
  std::vector<std::vector<std::int32_t>> of_terminal;  // [terminals] the rules A -> word
  std::vector<std::int32_t> trie_end;  // [rules] where its right side ends in the trie; or -1
  // [nodes of the trie] of a trie that is not shared, behind the first items; else empty
  std::vector<std::int32_t> rule_of_node;
  std::int32_t symbol_count = 0;
};

struct EdgeName {
  enum Kind { complete, chain, pass, step };
  Kind kind;
  std::int32_t id;     // of the rule, the chain, the symbol, the node p of the trie
  std::int32_t start;  // i
  std::int32_t split;  // k of a step, else 0
  std::int32_t end;    // j

  // As one number, the order of which means nothing.
  std::int64_t packed() const {
    return (std::int64_t{kind} << 61) | (std::int64_t{id} << 39) | (std::int64_t{start} << 26) |
           (std::int64_t{split} << 13) | end;
  }
  static EdgeName unpacked(std::int64_t name) {
    const auto place = [&](int shift) {
      return static_cast<std::int32_t>((name >> shift) & 0x1FFF);
    };
    return {static_cast<Kind>((name >> 61) & 3), static_cast<std::int32_t>((name >> 39) & 0x3FFFFF),
            place(26), place(13), place(0)};
  }
};

}  // namespace grammar
