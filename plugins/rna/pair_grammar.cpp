#include "pair_grammar.hpp"

#include <algorithm>

namespace rna {

namespace {

// What keeps the work of reading a grammar bounded, O(rules * symbols).
constexpr std::size_t most_rules = 10000;

bool is_name(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

}  // namespace

PairGrammar::PairGrammar(const sculpt::Source& source) {
  sculpt::LineReader reader(source);
  while (reader.next()) {
    reader.cut_comment('#');
    if (!trimmed(reader.line()).empty()) read_row(reader);
  }
  if (rules_.empty()) {
    throw sculpt::data_error(source.path() + ":1:1: no rules; write some, such as `S -> ( S ) S`");
  }
  find_least(reader);
  check_use(reader);
  find_enclosed_pairs();
  find_ends();
  rank(reader);
}

// HEAD -> alternative | alternative ...
void PairGrammar::read_row(sculpt::LineReader& reader) {
  const std::string_view line = reader.line();
  const std::size_t begin = line.find_first_not_of(" \t");
  std::size_t at = begin;
  while (at < line.size() && is_name(line[at])) ++at;
  const std::string name(line.substr(begin, at - begin));
  const std::size_t arrow = std::min(line.find_first_not_of(" \t", at), line.size());
  if (name.empty() || line.substr(arrow, 2) != "->") {
    throw reader.error(name.empty() ? begin : arrow,
                       "a rule is `SYMBOL -> what it becomes`, as in `S -> L S | L`");
  }
  const std::int32_t head = find_or_add(name, reader.number(), begin);
  std::vector<Item> items;
  std::size_t from = at = arrow + 2;
  while (at <= line.size()) {
    const char c = at < line.size() ? line[at] : '|';
    const std::size_t column = at++;
    if (c == '|') {
      const std::string_view text = trimmed(line.substr(from, column - from));
      if (text.empty()) {
        throw reader.error(from,
                           "nothing stands here; write `empty` for a rule that derives no "
                           "base");
      }
      if (rules_.size() == most_rules) {
        throw reader.error(from, "there are more than " + std::to_string(most_rules) +
                                     " rules; write a smaller grammar");
      }
      Rule& rule = rules_.emplace_back();
      rule.text = name + " -> " + std::string(text);
      rule.line = reader.number();
      rule.column = begin;
      add_rule(reader, head, items, from);
      items.clear();
      from = at;
    } else if (c == '.' || c == '(' || c == ')') {
      items.push_back({c, 0, column});
    } else if (is_name(c)) {
      while (at < line.size() && is_name(line[at])) ++at;
      const std::string symbol(line.substr(column, at - column));
      if (symbol == "empty") continue;
      items.push_back({0, find_or_add(symbol, reader.number(), column), column});
    } else if (c != ' ' && c != '\t') {
      throw reader.error(
          column, sculpt::shown(line.substr(column, sculpt::character_size(line.substr(column)))) +
                      " is no part of a rule; write symbols, dots, brackets and |");
    }
  }
}

std::int32_t PairGrammar::find_or_add(const std::string& name, std::int64_t line,
                                      std::size_t column) {
  const auto [place, is_new] = number_.try_emplace(name, symbol_count());
  if (is_new) symbols_.push_back({name, line, column, {}});
  return place->second;
}

// Of the rule that was put last: what stands on its right.
void PairGrammar::add_rule(const sculpt::LineReader& reader, std::int32_t head,
                           std::vector<Item>& items, std::size_t column) {
  Rule& rule = rules_.back();
  rule.head = head;
  symbol(head).rules.push_back(static_cast<std::int32_t>(rules_.size() - 1));
  match_brackets(reader, items);
  note_enclosure(items);
  for (const Item& item : items) {
    if (item.sign == 0) rule.symbols.push_back(item.number);
  }
  if (rule.symbols.size() > 2) {
    throw reader.error(column, "this rule has " + std::to_string(rule.symbols.size()) +
                                   " symbols on its right and may have two; give some of them a "
                                   "rule of their own");
  }
  place_bases(items, rule);
}

void PairGrammar::place_bases(const std::vector<Item>& items, Rule& rule) {
  std::size_t symbols_before = 0;
  for (const Item& item : items) {
    if (item.sign == 0) {
      ++symbols_before;
    } else {
      ++(symbols_before == 0                     ? rule.lead
         : symbols_before == rule.symbols.size() ? rule.trail
                                                 : rule.middle);
    }
  }
  Place place;
  symbols_before = 0;
  std::vector<std::size_t> opens;   // [pair], in the order in which they open
  std::vector<std::size_t> closes;  // [pair]
  for (std::size_t k = 0; k < items.size(); ++k) {
    const Item& item = items[k];
    if (item.sign == 0) {
      const bool last = ++symbols_before == rule.symbols.size();
      place = last ? Place{Place::Anchor::end, -rule.trail} : Place{Place::Anchor::split, 0};
      continue;
    }
    const auto number = static_cast<std::size_t>(item.number);
    if (item.sign == '.') rule.singles.push_back(place);
    if (item.sign == '(') {
      rule.pairs.emplace_back().open = place;
      opens.push_back(k);
      closes.push_back(k);
    }
    if (item.sign == ')') {
      rule.pairs[number].close = place;
      closes[number] = k;
    }
    rule.at_split = rule.at_split || place.anchor == Place::Anchor::split;
    ++place.offset;
  }
  for (std::size_t k = 0; k < rule.pairs.size(); ++k) {
    Pair& pair = rule.pairs[k];
    pair.enclosed = k > 0 && opens[k - 1] + 1 == opens[k] && closes[k] + 1 == closes[k - 1];
    const Item& next = items[opens[k] + 1];
    if (opens[k] + 2 == closes[k] && next.sign == 0) pair.inside = next.number;
  }
}

void PairGrammar::match_brackets(const sculpt::LineReader& reader, std::vector<Item>& items) {
  std::vector<std::size_t> open;
  std::int32_t pairs = 0;
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (items[k].sign == '(') {
      items[k].number = pairs++;
      open.push_back(k);
    } else if (items[k].sign == ')') {
      if (open.empty()) throw reader.error(items[k].column, "this bracket closes nothing");
      items[k].number = items[open.back()].number;
      open.pop_back();
    }
  }
  if (!open.empty()) throw reader.error(items[open.back()].column, "this bracket stays open");
}

void PairGrammar::note_enclosure(const std::vector<Item>& items) {
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (items[k].sign != 0) continue;
    const bool between =
        k > 0 && items[k - 1].sign == '(' && k + 1 < items.size() && items[k + 1].sign == ')';
    if (!between) symbol(items[k].number).enclosed = false;
  }
}

// Pairs that span a rule whose head stands only between brackets; nothing stands around the start.
void PairGrammar::find_enclosed_pairs() {
  symbol(start_).enclosed = false;
  for (Rule& rule : rules_) {
    const Place last = rule.last_base();
    for (Pair& pair : rule.pairs) {
      const bool spans = pair.open == Place() && pair.close == last;
      if (spans && symbol(rule.head).enclosed) pair.enclosed = true;
      const bool implied = pair.inside >= 0 && symbol(pair.inside).enclosed;
      rule.pairs_implied = rule.pairs_implied && implied;
    }
  }
}

// Until nothing changes: at most twice as often as there are symbols.
void PairGrammar::find_ends() {
  for (bool changed = true; changed;) {
    changed = false;
    const auto keep = [&](bool& mark, bool still) {
      changed = changed || (mark && !still);
      mark = mark && still;
    };
    for (const Rule& rule : rules_) {
      for (std::size_t k = 0; k < rule.symbols.size(); ++k) {
        const bool first = k == 0 && rule.lead == 0;
        const bool last = k + 1 == rule.symbols.size() && rule.trail == 0;
        Symbol& below = symbol(rule.symbols[k]);
        keep(below.at_begin, first && symbol(rule.head).at_begin);
        keep(below.at_end, last && symbol(rule.head).at_end);
      }
    }
  }
}

std::int32_t PairGrammar::least_beside(const Rule& rule, std::size_t k) const {
  std::int32_t least = rule.bases();
  for (std::size_t other = 0; other < rule.symbols.size(); ++other) {
    if (other == k) continue;
    const std::int32_t below = symbol(rule.symbols[other]).least;
    if (below < 0) return -1;
    least += below;
  }
  return least;
}

// Until nothing gets shorter: at most as often as there are symbols.
void PairGrammar::find_least(const sculpt::LineReader& reader) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Rule& rule : rules_) {
      const std::int32_t least = least_beside(rule, rule.symbols.size());
      Symbol& head = symbol(rule.head);
      if (least < 0 || (head.least >= 0 && head.least <= least)) continue;
      head.least = least;
      changed = true;
    }
  }
  for (const Symbol& one : symbols_) {
    if (one.rules.empty()) {
      throw reader.error_at(one.line, one.column,
                            "symbol " + sculpt::shown(one.name) + " has no rule; add one for it");
    }
  }
  for (const Symbol& one : symbols_) {
    if (one.least >= 0) continue;
    throw reader.error_at(one.line, one.column,
                          "symbol " + sculpt::shown(one.name) +
                              " never comes to an end; add a rule of bases alone for it");
  }
}

// Every symbol must occur below the start.
void PairGrammar::check_use(const sculpt::LineReader& reader) const {
  std::vector<bool> used(symbols_.size(), false);
  std::vector<std::int32_t> open{start_};
  used[static_cast<std::size_t>(start_)] = true;
  while (!open.empty()) {
    const std::int32_t head = open.back();
    open.pop_back();
    for (const std::int32_t rule : rules_of(head)) {
      for (const std::int32_t below : rules_[static_cast<std::size_t>(rule)].symbols) {
        if (!used[static_cast<std::size_t>(below)]) open.push_back(below);
        used[static_cast<std::size_t>(below)] = true;
      }
    }
  }
  for (std::size_t k = 0; k < used.size(); ++k) {
    if (used[k]) continue;
    throw reader.error_at(symbols_[k].line, symbols_[k].column,
                          "symbol " + sculpt::shown(symbols_[k].name) + " is not used below " +
                              sculpt::shown(symbol(start_).name) + ", the first one; take it out");
  }
}

// A symbol comes behind those that it can become without a base more.
void PairGrammar::rank(const sculpt::LineReader& reader) {
  std::vector<std::int32_t> rank_of(symbols_.size(), -1);
  for (std::int32_t next = 0; next < symbol_count();) {
    const std::int32_t before = next;
    for (std::int32_t head = 0; head < symbol_count(); ++head) {
      std::int32_t& rank = rank_of[static_cast<std::size_t>(head)];
      if (rank < 0 && becomes_unranked(head, rank_of).rule == nullptr) rank = next++;
    }
    if (next == before) throw cycle(reader, rank_of);
  }
  renumber(rank_of);
}

PairGrammar::Becoming PairGrammar::becomes_unranked(
    std::int32_t head, const std::vector<std::int32_t>& rank_of) const {
  for (const std::int32_t number : rules_of(head)) {
    const Rule& rule = rules_[static_cast<std::size_t>(number)];
    for (std::size_t k = 0; k < rule.symbols.size(); ++k) {
      const bool ranked = rank_of[static_cast<std::size_t>(rule.symbols[k])] >= 0;
      if (!ranked && least_beside(rule, k) == 0) return {&rule, rule.symbols[k]};
    }
  }
  return {};
}

// Each symbol without a rank can become another one without, so going on never ends.
sculpt::Error PairGrammar::cycle(const sculpt::LineReader& reader,
                                 const std::vector<std::int32_t>& rank_of) const {
  auto here =
      static_cast<std::int32_t>(std::find(rank_of.begin(), rank_of.end(), -1) - rank_of.begin());
  std::vector<bool> seen(symbols_.size(), false);
  Becoming next = becomes_unranked(here, rank_of);
  while (!seen[static_cast<std::size_t>(here)]) {
    seen[static_cast<std::size_t>(here)] = true;
    here = next.symbol;
    next = becomes_unranked(here, rank_of);
  }
  return reader.error_at(next.rule->line, next.rule->column,
                         "by way of `" + next.rule->text +
                             "` a symbol can become itself, and a structure has derivations "
                             "without end; take a rule out");
}

void PairGrammar::renumber(const std::vector<std::int32_t>& rank_of) {
  const auto to = [&](std::int32_t& number) { number = rank_of[static_cast<std::size_t>(number)]; };
  std::vector<Symbol> ranked(symbols_.size());
  for (std::size_t k = 0; k < symbols_.size(); ++k) {
    ranked[static_cast<std::size_t>(rank_of[k])] = std::move(symbols_[k]);
  }
  symbols_ = std::move(ranked);
  for (Rule& rule : rules_) {
    to(rule.head);
    for (std::int32_t& below : rule.symbols) to(below);
    for (Pair& pair : rule.pairs) {
      if (pair.inside >= 0) to(pair.inside);
    }
  }
  to(start_);
  number_.clear();
}

}  // namespace rna
