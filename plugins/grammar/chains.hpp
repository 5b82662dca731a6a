// chains.hpp - combines rules with one symbol on the right (unary rules), so that each tree has one
// derivation.
//
//   A -> B, B -> C above a node C:   one step from C to A, the chain of these two rules
//
// A chain contains no symbol twice, so there are finitely many. It has at most `max_rules` rules.
// Made by grammar_features.cpp. Used by chart.cpp and derivation.cpp.
#pragma once

#include <map>

#include "rule_set.hpp"

namespace grammar {

struct Chain {
  std::int32_t top;
  std::int32_t base;
  std::vector<std::int32_t> rules;  // from top to base
};

class Chains {
 public:
  Chains() = default;
  Chains(const RuleSet& rules, std::int32_t symbol_count, std::int64_t max_rules);

  std::int32_t size() const { return static_cast<std::int32_t>(chains_.size()); }
  const Chain& operator[](std::int32_t chain) const {
    return chains_[static_cast<std::size_t>(chain)];
  }
  // Returns the chains with this top, in order.
  const std::vector<std::int32_t>& with_top(std::int32_t top) const {
    return chains_to_[static_cast<std::size_t>(top)];
  }
  // Returns the tops of the chains with this base.
  const std::vector<std::int32_t>& tops(std::int32_t base) const {
    return tops_[static_cast<std::size_t>(base)];
  }
  // Returns the chain of these rules, or -1 if there is none.
  std::int32_t find(const std::vector<std::int32_t>& rules) const {
    const auto found = numbers_.find(rules);
    return found == numbers_.end() ? -1 : found->second;
  }

 private:
  void add(const Chain& chain);

  std::vector<Chain> chains_;
  std::vector<std::vector<std::int32_t>> chains_to_;  // [symbols]
  std::vector<std::vector<std::int32_t>> tops_;       // [symbols]
  std::map<std::vector<std::int32_t>, std::int32_t> numbers_;
};

}  // namespace grammar
