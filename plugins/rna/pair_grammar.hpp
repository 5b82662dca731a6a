// pair_grammar.hpp - grammars whose sentences are secondary structures: `S -> L S | L`,
// `L -> ( F ) | .`, `F -> ( F ) | L S`.
//
// A dot is a single base, brackets are a pair around what stands between them. Each derivation is
// a structure; each structure must have one derivation at most (structures.hpp checks that). Read
// by the features rna, and walked by Structures.
#pragma once

#include <cstdint>
#include <map>
#include <sculpt/cpp/reading.hpp>
#include <string>
#include <vector>

namespace rna {

// A rule at work: it derives the bases begin .. end - 1, its first symbol those before `split`.
// Handed on by value: an edge whose address nobody takes stays in registers.
struct Span {
  std::int32_t rule = 0;
  std::int32_t begin = 0;
  std::int32_t split = 0;  // of rules with two symbols
  std::int32_t end = 0;
};

// Where a base of a rule lies: so far behind the begin of what the rule spans, the end of its first
// symbol (`split`, in rules with two symbols), or the end of all (then the offset is negative).
struct Place {
  enum class Anchor : std::uint8_t { begin, split, end };
  Anchor anchor = Anchor::begin;
  std::int32_t offset = 0;

  bool operator==(const Place&) const = default;
  std::int32_t at(Span span) const {
    return offset + (anchor == Anchor::begin   ? span.begin
                     : anchor == Anchor::split ? span.split
                                               : span.end);
  }
};

struct Pair {
  Place open;
  Place close;
  // Whether a pair is known to lie directly around this one: one of the same rule, or of the rule
  // that the symbol stands in between brackets. Then it is one place further out on both sides.
  bool enclosed = false;
  // The symbol that stands directly inside, -1: none.
  std::int32_t inside = -1;
};

// A symbol's number is its rank: of two that can derive the same span, one by way of the other, the
// one below is smaller.
struct Rule {
  std::string text;  // "S -> L S"
  std::int64_t line = 0;
  std::size_t column = 0;
  std::int32_t head = 0;
  std::vector<std::int32_t> symbols;  // at most two
  std::vector<Place> singles;
  std::vector<Pair> pairs;
  std::int32_t lead = 0;    // bases before the first symbol; of a rule without symbols, all
  std::int32_t middle = 0;  // between two symbols
  std::int32_t trail = 0;   // behind the last symbol
  bool at_split = false;    // whether a base has that anchor
  // Whether all pairs lie directly around symbols that are derived only there, so that where these
  // are derived the pairs are allowed.
  bool pairs_implied = true;

  std::int32_t bases() const { return lead + middle + trail; }
  // Where what the rule spans ends.
  Place last_base() const {
    return symbols.empty() ? Place{Place::Anchor::begin, lead - 1} : Place{Place::Anchor::end, -1};
  }
};

class PairGrammar {
 public:
  PairGrammar() = default;
  // Refuses, each at its place: rows that are none, unbalanced brackets, rules with three symbols,
  // symbols without a rule, unused ones, those that derive nothing or themselves.
  explicit PairGrammar(const sculpt::Source& source);

  const std::vector<Rule>& rules() const { return rules_; }
  std::int32_t symbol_count() const { return static_cast<std::int32_t>(symbols_.size()); }
  std::int32_t start() const { return start_; }
  const std::vector<std::int32_t>& rules_of(std::int32_t symbol) const {
    return symbols_[static_cast<std::size_t>(symbol)].rules;
  }
  // Whether the symbol stands only directly between brackets.
  bool is_enclosed(std::int32_t symbol) const {
    return symbols_[static_cast<std::size_t>(symbol)].enclosed;
  }
  // Whether what the symbol derives always begins with the first base of the sequence, or always
  // ends with the last one.
  bool is_at_begin(std::int32_t symbol) const {
    return symbols_[static_cast<std::size_t>(symbol)].at_begin;
  }
  bool is_at_end(std::int32_t symbol) const {
    return symbols_[static_cast<std::size_t>(symbol)].at_end;
  }

 private:
  struct Symbol {
    std::string name;
    std::int64_t line = 0;  // where it is named first
    std::size_t column = 0;
    std::vector<std::int32_t> rules;
    bool enclosed = true;
    bool at_begin = true;
    bool at_end = true;
    std::int64_t least = -1;  // bases, of all it derives; -1: it derives nothing
  };
  // What stands on the right of a rule: a dot, a bracket or a symbol.
  struct Item {
    char sign;                // . ( ) or 0
    std::int32_t number = 0;  // of the symbol, or of the pair in its rule
    std::size_t column = 0;
  };

  void read_row(const sculpt::LineReader& reader);
  void read_side(const sculpt::LineReader& reader, std::int32_t head, std::size_t from,
                 std::size_t end);
  void read_items(const sculpt::LineReader& reader, std::size_t from, std::size_t end,
                  std::vector<Item>& items);
  std::int32_t find_or_add(const std::string& name, std::int64_t line, std::size_t column);
  void add_rule(const sculpt::LineReader& reader, std::int32_t head, std::vector<Item>& items,
                std::size_t column);
  static void place_bases(const std::vector<Item>& items, Rule& rule);
  static void match_brackets(const sculpt::LineReader& reader, std::vector<Item>& items);
  void note_enclosure(const std::vector<Item>& items);

  // pair_grammar_analysis.cpp, behind the last row.
  void analyse(const sculpt::LineReader& reader);
  void find_enclosed_pairs();
  void find_ends();
  void find_least(const sculpt::LineReader& reader);
  void rank(const sculpt::LineReader& reader);
  // A rule by which `head` can become a symbol that has no rank yet, without a base more.
  struct Becoming {
    const Rule* rule = nullptr;  // none
    std::int32_t symbol = 0;
  };
  Becoming becomes_unranked(std::int32_t head, const std::vector<std::int32_t>& rank_of) const;
  sculpt::Error cycle(const sculpt::LineReader& reader,
                      const std::vector<std::int32_t>& rank_of) const;
  void check_use(const sculpt::LineReader& reader) const;
  void renumber(const std::vector<std::int32_t>& rank_of);
  // The bases that a rule needs beside its symbol k, -1 when it derives nothing.
  std::int64_t least_beside(const Rule& rule, std::size_t k) const;

  Symbol& symbol(std::int32_t number) { return symbols_[static_cast<std::size_t>(number)]; }
  const Symbol& symbol(std::int32_t number) const {
    return symbols_[static_cast<std::size_t>(number)];
  }

  std::vector<Symbol> symbols_;
  std::vector<Rule> rules_;
  std::map<std::string, std::int32_t, std::less<>> number_;
  std::int32_t start_ = 0;
};

}  // namespace rna
