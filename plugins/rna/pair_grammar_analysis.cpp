// pair_grammar_analysis.cpp - conclusions from the rules of a grammar: which symbols are used, what
// is always around them, and the order of symbols in a program.
#include <algorithm>
#include <limits>
#include <sculpt/program/limited.hpp>

#include "pair_grammar.hpp"

namespace rna {

namespace {

// The limit for the length of shortest sentences, because rules that double each other's length
// reach 2^n.
constexpr std::int64_t max_bases = std::numeric_limits<std::int64_t>::max();

}  // namespace

void PairGrammar::analyse(const sculpt::LineReader& reader) {
  find_min_bases(reader);
  check_use(reader);
  find_enclosed_pairs();
  find_ends();
  rank_symbols(reader);
}

// Finds the pairs that span a rule whose head occurs only between brackets. Nothing is around the
// start symbol.
void PairGrammar::find_enclosed_pairs() {
  symbol(start_).is_enclosed = false;
  for (Rule& rule : rules_) {
    const Position last = rule.last_base();
    for (Pair& pair : rule.pairs) {
      const bool spans = pair.open == Position() && pair.close == last;
      if (spans && symbol(rule.head).is_enclosed) pair.is_enclosed = true;
      const bool implied = pair.inside >= 0 && symbol(pair.inside).is_enclosed;
      rule.has_implied_pairs = rule.has_implied_pairs && implied;
    }
  }
}

// Repeats until nothing changes: at most twice the number of symbols.
void PairGrammar::find_ends() {
  for (bool changed = true; changed;) {
    changed = false;
    const auto keep_only_if = [&](bool& flag, bool condition) {
      changed = changed || (flag && !condition);
      flag = flag && condition;
    };
    for (const Rule& rule : rules_) {
      for (std::size_t k = 0; k < rule.symbols.size(); ++k) {
        const bool first = k == 0 && rule.bases_before == 0;
        const bool last = k + 1 == rule.symbols.size() && rule.bases_after == 0;
        Symbol& child = symbol(rule.symbols[k]);
        keep_only_if(child.is_at_begin, first && symbol(rule.head).is_at_begin);
        keep_only_if(child.is_at_end, last && symbol(rule.head).is_at_end);
      }
    }
  }
}

std::int64_t PairGrammar::min_length_beside(const Rule& rule, std::size_t k) const {
  std::int64_t min_bases = rule.bases();
  for (std::size_t other = 0; other < rule.symbols.size(); ++other) {
    if (other == k) continue;
    const std::int64_t child_bases = symbol(rule.symbols[other]).min_bases;
    if (child_bases < 0) return -1;
    min_bases = sculpt::program::limited_sum(min_bases, child_bases, max_bases);
  }
  return min_bases;
}

// Repeats until nothing gets shorter: at most the number of symbols.
void PairGrammar::find_min_bases(const sculpt::LineReader& reader) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Rule& rule : rules_) {
      const std::int64_t min_bases = min_length_beside(rule, rule.symbols.size());
      Symbol& head = symbol(rule.head);
      if (min_bases < 0 || (head.min_bases >= 0 && head.min_bases <= min_bases)) continue;
      head.min_bases = min_bases;
      changed = true;
    }
  }
  for (const Symbol& checked : symbols_) {
    if (checked.rules.empty()) {
      throw reader.error_at(
          checked.line, checked.column,
          "symbol " + sculpt::shown(checked.name) + " has no rule; add one for it");
    }
  }
  for (const Symbol& checked : symbols_) {
    if (checked.min_bases >= 0) continue;
    throw reader.error_at(checked.line, checked.column,
                          "symbol " + sculpt::shown(checked.name) +
                              " derives no finite structure; add a rule of only bases for it");
  }
}

// Throws unless every symbol occurs below the start symbol.
void PairGrammar::check_use(const sculpt::LineReader& reader) const {
  std::vector<bool> used(symbols_.size(), false);
  std::vector<std::int32_t> open{start_};
  used[static_cast<std::size_t>(start_)] = true;
  while (!open.empty()) {
    const std::int32_t head = open.back();
    open.pop_back();
    for (const std::int32_t rule : rules_of(head)) {
      for (const std::int32_t child : rules_[static_cast<std::size_t>(rule)].symbols) {
        if (!used[static_cast<std::size_t>(child)]) open.push_back(child);
        used[static_cast<std::size_t>(child)] = true;
      }
    }
  }
  for (std::size_t k = 0; k < used.size(); ++k) {
    if (used[k]) continue;
    throw reader.error_at(symbols_[k].line, symbols_[k].column,
                          "symbol " + sculpt::shown(symbols_[k].name) + " cannot be reached from " +
                              sculpt::shown(symbol(start_).name) + ", the first symbol; remove it");
  }
}

// A symbol has a higher rank than the symbols it can become without further bases.
void PairGrammar::rank_symbols(const sculpt::LineReader& reader) {
  std::vector<std::int32_t> rank_of(symbols_.size(), -1);
  for (std::int32_t next = 0; next < symbol_count();) {
    const std::int32_t previous = next;
    for (std::int32_t head = 0; head < symbol_count(); ++head) {
      std::int32_t& rank = rank_of[static_cast<std::size_t>(head)];
      if (rank < 0 && find_unit_rule(head, rank_of).rule == nullptr) rank = next++;
    }
    if (next == previous) throw cycle_error(reader, rank_of);
  }
  renumber(rank_of);
}

PairGrammar::UnitRule PairGrammar::find_unit_rule(std::int32_t head,
                                                  const std::vector<std::int32_t>& rank_of) const {
  for (const std::int32_t number : rules_of(head)) {
    const Rule& rule = rules_[static_cast<std::size_t>(number)];
    for (std::size_t k = 0; k < rule.symbols.size(); ++k) {
      const bool ranked = rank_of[static_cast<std::size_t>(rule.symbols[k])] >= 0;
      if (!ranked && min_length_beside(rule, k) == 0) return {&rule, rule.symbols[k]};
    }
  }
  return {};
}

// Each symbol without rank can become another one without rank, so following them finds a cycle.
sculpt::Error PairGrammar::cycle_error(const sculpt::LineReader& reader,
                                       const std::vector<std::int32_t>& rank_of) const {
  auto current =
      static_cast<std::int32_t>(std::find(rank_of.begin(), rank_of.end(), -1) - rank_of.begin());
  std::vector<bool> seen(symbols_.size(), false);
  UnitRule next = find_unit_rule(current, rank_of);
  while (!seen[static_cast<std::size_t>(current)]) {
    seen[static_cast<std::size_t>(current)] = true;
    current = next.symbol;
    next = find_unit_rule(current, rank_of);
  }
  return reader.error_at(next.rule->line, next.rule->column,
                         "through `" + next.rule->text +
                             "` a symbol can derive itself, so a structure has infinitely many "
                             "derivations; remove a rule");
}

void PairGrammar::renumber(const std::vector<std::int32_t>& rank_of) {
  const auto set_rank = [&](std::int32_t& number) {
    number = rank_of[static_cast<std::size_t>(number)];
  };
  std::vector<Symbol> ranked(symbols_.size());
  for (std::size_t k = 0; k < symbols_.size(); ++k) {
    ranked[static_cast<std::size_t>(rank_of[k])] = std::move(symbols_[k]);
  }
  symbols_ = std::move(ranked);
  for (Rule& rule : rules_) {
    set_rank(rule.head);
    for (std::int32_t& child : rule.symbols) set_rank(child);
    for (Pair& pair : rule.pairs) {
      if (pair.inside >= 0) set_rank(pair.inside);
    }
  }
  set_rank(start_);
  numbers_.clear();
}

}  // namespace rna
