// pair_grammar.hpp - grammars whose sentences are secondary structures.
//
//   S -> L S | L,   L -> ( F ) | .,   F -> ( F ) | L S
//
// A dot is a single base. Brackets are a pair around the items between them. Each derivation is a
// structure. A structure must have at most one derivation (rna_features.cpp checks that). Dowell
// and Eddy, BMC Bioinformatics 5:71, 2004. Used by the features rna and by Structures.
#pragma once

#include <cstdint>
#include <map>
#include <sculpt/cpp/reading.hpp>
#include <string>
#include <vector>

namespace rna {

// An application of a rule: it derives the bases begin .. end - 1, its first symbol the bases
// before `split`. Passed by value, so that it stays in registers.
struct RuleApplication {
  std::int32_t rule = 0;
  std::int32_t begin = 0;
  std::int32_t split = 0;  // for rules with two symbols
  std::int32_t end = 0;
};

// The position of a base of a rule: an offset from an anchor. The anchor is the begin of the span,
// the end of its first symbol (`split`, in rules with two symbols), or the end of the span. Offsets
// from the end are negative.
struct Position {
  enum class Anchor : std::uint8_t { begin, split, end };
  Anchor anchor = Anchor::begin;
  std::int32_t offset = 0;

  bool operator==(const Position&) const = default;
  std::int32_t at(RuleApplication span) const {
    return offset + (anchor == Anchor::begin   ? span.begin
                     : anchor == Anchor::split ? span.split
                                               : span.end);
  }
};

struct Pair {
  Position open;
  Position close;
  // True if there is always a pair directly around this one, in the same rule or in the rule that
  // has the symbol between brackets. That pair is one base further out on both sides.
  bool is_enclosed = false;
  // The symbol directly inside, or -1.
  std::int32_t inside = -1;
};

// The number of a symbol is its rank. If A can derive the same span as B by way of B, then B has
// the smaller number.
struct Rule {
  std::string text;  // "S -> L S"
  std::int64_t line = 0;
  std::size_t column = 0;
  std::int32_t head = 0;
  std::vector<std::int32_t> symbols;  // at most two
  std::vector<Position> singles;
  std::vector<Pair> pairs;
  std::int32_t bases_before = 0;   // Before the first symbol; all bases if there is no symbol.
  std::int32_t bases_between = 0;  // Between two symbols.
  std::int32_t bases_after = 0;    // After the last symbol.
  bool has_base_at_split = false;  // True if the anchor of a base is `split`.
  // True if all pairs are directly around symbols that are derived only between brackets. The pairs
  // are then allowed wherever these symbols are derived.
  bool has_implied_pairs = true;

  std::int32_t bases() const { return bases_before + bases_between + bases_after; }
  // Returns the position of the last base of the span.
  Position last_base() const {
    return symbols.empty() ? Position{Position::Anchor::begin, bases_before - 1}
                           : Position{Position::Anchor::end, -1};
  }
};

class PairGrammar {
 public:
  PairGrammar() = default;
  // Throws an error with the place for malformed rows, unbalanced brackets, rules with three
  // symbols, symbols without a rule, and unused symbols. Also for symbols that derive nothing, or
  // themselves.
  explicit PairGrammar(const sculpt::Source& source);

  const std::vector<Rule>& rules() const { return rules_; }
  std::int32_t symbol_count() const { return static_cast<std::int32_t>(symbols_.size()); }
  std::int32_t start() const { return start_; }
  const std::vector<std::int32_t>& rules_of(std::int32_t symbol) const {
    return symbols_[static_cast<std::size_t>(symbol)].rules;
  }
  // True if the symbol occurs only directly between brackets.
  bool is_enclosed(std::int32_t symbol) const {
    return symbols_[static_cast<std::size_t>(symbol)].is_enclosed;
  }
  // True if every span of the symbol begins with the first base of the sequence, or ends with the
  // last base.
  bool is_at_begin(std::int32_t symbol) const {
    return symbols_[static_cast<std::size_t>(symbol)].is_at_begin;
  }
  bool is_at_end(std::int32_t symbol) const {
    return symbols_[static_cast<std::size_t>(symbol)].is_at_end;
  }

 private:
  struct Symbol {
    std::string name;
    std::int64_t line = 0;  // of its first occurrence
    std::size_t column = 0;
    std::vector<std::int32_t> rules;
    bool is_enclosed = true;
    bool is_at_begin = true;
    bool is_at_end = true;
    std::int64_t min_bases = -1;  // smallest number of bases it derives; -1: it derives nothing
  };
  // An item on the right side of a rule: a dot, a bracket or a symbol.
  struct Item {
    char sign;                // . ( ) or 0
    std::int32_t number = 0;  // of the symbol, or of the pair in its rule
    std::size_t column = 0;
  };

  void read_row(const sculpt::LineReader& reader);
  void read_side(const sculpt::LineReader& reader, std::int32_t head, std::size_t begin,
                 std::size_t end);
  void read_items(const sculpt::LineReader& reader, std::size_t begin, std::size_t end,
                  std::vector<Item>& items);
  std::int32_t find_or_add(const std::string& name, std::int64_t line, std::size_t column);
  void add_rule(const sculpt::LineReader& reader, std::int32_t head, std::vector<Item>& items,
                std::size_t column);
  static void set_positions(const std::vector<Item>& items, Rule& rule);
  static void match_brackets(const sculpt::LineReader& reader, std::vector<Item>& items);
  void update_enclosed(const std::vector<Item>& items);

  // In pair_grammar_analysis.cpp, called after the last row.
  void analyse(const sculpt::LineReader& reader);
  void find_enclosed_pairs();
  void find_ends();
  void find_min_bases(const sculpt::LineReader& reader);
  void rank_symbols(const sculpt::LineReader& reader);
  // A rule by which `head` can become a symbol without rank, without further bases.
  struct UnitRule {
    const Rule* rule = nullptr;  // nullptr: there is none
    std::int32_t symbol = 0;
  };
  UnitRule find_unit_rule(std::int32_t head, const std::vector<std::int32_t>& rank_of) const;
  sculpt::Error cycle_error(const sculpt::LineReader& reader,
                            const std::vector<std::int32_t>& rank_of) const;
  void check_use(const sculpt::LineReader& reader) const;
  void renumber(const std::vector<std::int32_t>& rank_of);
  // Returns the bases that a rule needs in addition to its symbol k, -1 if it derives nothing.
  std::int64_t min_length_beside(const Rule& rule, std::size_t k) const;

  Symbol& symbol(std::int32_t number) { return symbols_[static_cast<std::size_t>(number)]; }
  const Symbol& symbol(std::int32_t number) const {
    return symbols_[static_cast<std::size_t>(number)];
  }

  std::vector<Symbol> symbols_;
  std::vector<Rule> rules_;
  std::map<std::string, std::int32_t, std::less<>> numbers_;
  std::int32_t start_ = 0;
};

}  // namespace rna
