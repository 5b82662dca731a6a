// rule_trie.hpp - the right sides of rules as a trie, so that a chart handles common prefixes once.
// A -> B C D is the path B, B C, B C D.
//
// This makes long rules binary. A node is a prefix of a right side; node 0 is the empty prefix.
// Rules with one symbol on the right are not included (chains.hpp). Made by grammar_features.cpp.
// Used by chart.cpp and derivation.cpp.
#pragma once

#include "rule_set.hpp"

namespace grammar {

class RuleTrie {
 public:
  RuleTrie() = default;
  // `shared`: rules with the same prefix share its nodes. Otherwise they share only the node of the
  // first item, and every other node belongs to one rule.
  RuleTrie(const RuleSet& rules, std::int32_t symbol_count, bool shared);

  std::int32_t size() const { return static_cast<std::int32_t>(nodes_.size()); }
  std::int32_t parent(std::int32_t node) const { return at(node).parent; }
  Item last(std::int32_t node) const { return at(node).last; }  // the last item of its prefix
  std::int32_t depth(std::int32_t node) const { return at(node).depth; }
  // Returns the rules whose right side ends here.
  const std::vector<std::int32_t>& rules(std::int32_t node) const { return at(node).rules; }
  bool has_children(std::int32_t node) const { return !at(node).children.empty(); }

  // Returns the children of a node that a terminal leads to.
  std::span<const std::int32_t> by_terminal(std::int32_t node, std::int32_t terminal) const;
  // Calls visit(child) for each child that a symbol of the set leads to. Sets have words() words of
  // 64 bits.
  template <class Visit>
  void each_by_symbol(std::int32_t node, const std::uint64_t* symbols, Visit visit) const {
    const Node& parent = at(node);
    const std::uint64_t* own_symbols = symbols_.data() + static_cast<std::size_t>(node) * words_;
    std::size_t earlier = 0;  // number of symbols with children in earlier words
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t own = own_symbols[w];
      for (std::uint64_t rest = own & symbols[w]; rest != 0; rest &= rest - 1) {
        const std::uint64_t below = (rest & (~rest + 1)) - 1;  // bits of the smaller symbols
        const std::size_t rank = earlier + count_bits(own & below);
        for (std::int32_t k = parent.child_begin[rank]; k < parent.child_begin[rank + 1]; ++k) {
          visit(parent.children[static_cast<std::size_t>(k)]);
        }
      }
      earlier += count_bits(own);
    }
  }
  std::size_t words() const { return words_; }

 private:
  struct Node {
    std::int32_t parent;
    Item last;
    std::int32_t depth;
    std::vector<std::int32_t> rules;
    std::vector<std::int32_t> children;     // sorted by their last items: terminals, then symbols
    std::vector<std::int32_t> child_begin;  // [symbols with children + 1] offsets into children
  };
  static std::size_t count_bits(std::uint64_t word) {
    return static_cast<std::size_t>(__builtin_popcountll(word));
  }
  const Node& at(std::int32_t node) const { return nodes_[static_cast<std::size_t>(node)]; }
  std::int32_t add(std::int32_t parent, Item item);
  // Sorts the children of a node, and sets its child_begin and its bits of symbols_.
  void index_children(std::int32_t node);

  std::vector<Node> nodes_;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> symbols_;  // the sets of symbols with children, [nodes][words]
};

}  // namespace grammar
