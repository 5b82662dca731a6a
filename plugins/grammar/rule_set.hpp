// rule_set.hpp - the rules of a context-free grammar, numbered.
//
//   A -> B c D    a symbol, and one or more symbols and terminals
//
// They are read from trees or from rows, and kept in the state. Made by grammar_features.cpp.
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

// An item of a right side: k for symbol k, -1 - t for terminal t.
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
  // True for rules with one symbol on the right.
  bool is_unary(std::int32_t rule) const {
    return right(rule).size() == 1 && !is_terminal(right(rule)[0]);
  }

  // `rule`: the left symbol, then the right side. Returns -1 if there is no such rule.
  std::int32_t find(const std::vector<Item>& rule) const {
    const auto found = numbers_.find(rule);
    return found == numbers_.end() ? -1 : found->second;
  }
  // The same, but adds a new rule.
  std::int32_t add(const std::vector<Item>& rule);

  // Writes the rule of a node, for find() and add(): its symbol and its children. Returns false if
  // one of its terminals does not occur in training.
  static bool write_rule_of(const std::vector<Node>& nodes, const Node& node,
                            const std::vector<std::int32_t>& terminals, std::vector<Item>& rule);

  // Reads rows `A -> B C # comment`. Names that are no symbol of `trees` are terminals, and so are
  // names 'in quotes' ('#' needs quotes). A rule with a terminal that does not occur in training is
  // skipped. Throws an error with the place for malformed rows, and if no rule derives the root.
  struct SkippedRules {
    std::int64_t rules = 0;
    std::string first;  // the message for the first one: its place and unknown terminal
  };
  SkippedRules read(const sculpt::Source& source, const Trees& trees);

  // Appends "A -> B c".
  void write(std::int32_t rule, const Trees& trees, sculpt::ByteOutput& out) const;

  void save(sculpt::StateWriter& writer) const;
  void restore(sculpt::StateReader& reader);
  // True if all symbols and terminals exist in `trees`. A restored state may belong to other data.
  bool has_valid_ids(const Trees& trees) const;

 private:
  static std::size_t at(std::int32_t rule) { return static_cast<std::size_t>(rule); }

  // Reads the rule of a row `A -> B ...`. Returns false if it is skipped.
  static bool read_row(const sculpt::LineReader& reader, std::span<const sculpt::Field> fields,
                       const Trees& trees, std::vector<Item>& rule, SkippedRules& skipped);

  std::vector<std::vector<Item>> rules_;  // the left symbol, then the right side
  std::map<std::vector<Item>, std::int32_t> numbers_;
};

}  // namespace grammar
