// rule_set.hpp - the rules of a context-free grammar, each with a number.
//
//   A -> B c D    a symbol, and one or more symbols and terminals
//
// Read off trees, or from rows; kept in the state. Part of the features grammar.
#pragma once

#include <cstdint>
#include <map>
#include <sculpt/cpp/reading.hpp>
#include <sculpt/cpp/state.hpp>
#include <span>
#include <string>
#include <vector>

#include "trees.hpp"

namespace grammar {

// What stands on the right: a symbol k as k, terminal t as -1 - t.
using Item = std::int32_t;
inline Item item_of_terminal(std::int32_t terminal) {
  return -1 - terminal;
}
inline bool is_terminal(Item item) {
  return item < 0;
}
inline std::int32_t terminal_of(Item item) {
  return -1 - item;
}

class RuleSet {
 public:
  std::int32_t size() const { return static_cast<std::int32_t>(rules_.size()); }
  std::int32_t left(std::int32_t rule) const { return rules_[at(rule)].front(); }
  std::span<const Item> right(std::int32_t rule) const {
    return std::span<const Item>(rules_[at(rule)]).subspan(1);
  }
  // One symbol on the right.
  bool is_unary(std::int32_t rule) const {
    return right(rule).size() == 1 && !is_terminal(right(rule)[0]);
  }

  // rule: the symbol on the left, then the right side. -1: there is none such.
  std::int32_t find(const std::vector<Item>& rule) const {
    const auto found = number_.find(rule);
    return found == number_.end() ? -1 : found->second;
  }
  // The same; adds it where it is new.
  std::int32_t add(const std::vector<Item>& rule);

  // The rule of a node, for find() and add(): its symbol and its children. False when a terminal
  // below is one that training has not.
  static bool rule_of(const std::vector<Node>& nodes, const Node& node,
                      const std::vector<std::int32_t>& terminals, std::vector<Item>& rule);

  // Rows `A -> B C  # comment`. What is no symbol of `trees` is a terminal, and so is what stands
  // 'in quotes', as '#' has to; a rule with a terminal that training has not is passed over.
  // Throws, at its place, for anything else, and where no rule derives the root.
  struct PassedOver {
    std::int64_t rules = 0;
    std::string first;  // where, and what of the first is not known
  };
  PassedOver read(const sculpt::Source& source, const Trees& trees);

  // "A -> B c"
  void write(std::int32_t rule, const Trees& trees, sculpt::ByteOutput& out) const;

  void save(sculpt::StateWriter& writer) const;
  void restore(sculpt::StateReader& reader);
  // Whether all of it exists in `trees`; a restored state may be another's.
  bool fits(const Trees& trees) const;

 private:
  static std::size_t at(std::int32_t rule) { return static_cast<std::size_t>(rule); }

  // The rule of a row `A -> B ...`; false when it is passed over.
  static bool read_row(const sculpt::LineReader& reader, std::span<const sculpt::Field> fields,
                       const Trees& trees, std::vector<Item>& rule, PassedOver& passed_over);

  std::vector<std::vector<Item>> rules_;  // the left, then the right side
  std::map<std::vector<Item>, std::int32_t> number_;
};

}  // namespace grammar
