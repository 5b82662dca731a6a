#include "pair_grammar.hpp"

#include <algorithm>

#include "trimmed.hpp"

namespace rna {

namespace {

// A limit for the work of reading a grammar, O(rules * symbols).
constexpr std::size_t max_rules = 10000;

// The right side of a rule that derives no base.
constexpr std::string_view empty_side = "empty";

bool is_name(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

PairGrammar::PairGrammar(const sculpt::Source& source) {
  sculpt::LineReader reader(source);
  while (reader.next()) {
    reader.cut_comment('#');
    if (!trimmed(reader.line()).empty()) read_row(reader);
  }
  if (rules_.empty()) {
    throw sculpt::data_error(source.path() + ":1:1: no rules; write rules such as `S -> ( S ) S`");
  }
  analyse(reader);
}

// Reads HEAD -> alternative | alternative ...
void PairGrammar::read_row(const sculpt::LineReader& reader) {
  const std::string_view line = reader.line();
  const std::size_t begin = line.find_first_not_of(" \t");
  std::size_t name_end = begin;
  while (name_end < line.size() && is_name(line[name_end])) ++name_end;
  const std::string name(line.substr(begin, name_end - begin));
  const std::size_t arrow = std::min(line.find_first_not_of(" \t", name_end), line.size());
  if (name.empty() || line.substr(arrow, 2) != "->") {
    throw reader.error(name.empty() ? begin : arrow,
                       "this is not a rule; write `SYMBOL -> right side`, as in `S -> L S | L`");
  }
  if (name == empty_side) {
    throw reader.error(
        begin,
        "`empty` cannot be a symbol, because it is the right side of rules without bases; use "
        "another name");
  }
  const std::int32_t head = find_or_add(name, reader.number(), begin);
  for (std::size_t side = arrow + 2; side <= line.size();) {
    const std::size_t end = std::min(line.find('|', side), line.size());
    read_side(reader, head, side, end);
    side = end + 1;
  }
}

// Reads one of the alternatives of `head`, in the columns begin .. end - 1.
void PairGrammar::read_side(const sculpt::LineReader& reader, std::int32_t head, std::size_t begin,
                            std::size_t end) {
  const std::string_view text = trimmed(reader.line().substr(begin, end - begin));
  if (text.empty()) {
    throw reader.error(begin, "this side is empty; write `empty` for a rule that derives no base");
  }
  if (rules_.size() == max_rules) {
    throw reader.error(begin, "there are more than " + std::to_string(max_rules) +
                                  " rules; write a smaller grammar");
  }
  std::vector<Item> items;
  if (text != empty_side) read_items(reader, begin, end, items);
  Rule& rule = rules_.emplace_back();
  rule.text = symbol(head).name + " -> " + std::string(text);
  rule.line = reader.number();
  rule.column = reader.line().find_first_not_of(" \t");
  add_rule(reader, head, items, begin);
}

void PairGrammar::read_items(const sculpt::LineReader& reader, std::size_t begin, std::size_t end,
                             std::vector<Item>& items) {
  const std::string_view line = reader.line().substr(0, end);
  for (std::size_t index = begin; index < end;) {
    const char c = line[index];
    const std::size_t column = index++;
    if (c == '.' || c == '(' || c == ')') {
      items.push_back({c, 0, column});
    } else if (is_name(c)) {
      while (index < end && is_name(line[index])) ++index;
      const std::string name(line.substr(column, index - column));
      if (name == empty_side) {
        throw reader.error(column,
                           "`empty` must be alone on its side, for a rule that derives no base; "
                           "remove it, or write | between");
      }
      items.push_back({0, find_or_add(name, reader.number(), column), column});
    } else if (c != ' ' && c != '\t') {
      throw reader.error(
          column, sculpt::shown(line.substr(column, sculpt::character_size(line.substr(column)))) +
                      " cannot be part of a rule; write symbols, dots, brackets and |");
    }
  }
}

std::int32_t PairGrammar::find_or_add(const std::string& name, std::int64_t line,
                                      std::size_t column) {
  const auto [entry, is_new] = numbers_.try_emplace(name, symbol_count());
  if (is_new) symbols_.push_back({name, line, column, {}});
  return entry->second;
}

// Reads the right side of the last rule.
void PairGrammar::add_rule(const sculpt::LineReader& reader, std::int32_t head,
                           std::vector<Item>& items, std::size_t column) {
  Rule& rule = rules_.back();
  rule.head = head;
  symbol(head).rules.push_back(static_cast<std::int32_t>(rules_.size() - 1));
  match_brackets(reader, items);
  update_enclosed(items);
  for (const Item& item : items) {
    if (item.sign == 0) rule.symbols.push_back(item.number);
  }
  if (rule.symbols.size() > 2) {
    throw reader.error(column, "this rule has " + std::to_string(rule.symbols.size()) +
                                   " symbols on its right, but at most two are allowed; move some "
                                   "of them into another rule");
  }
  set_positions(items, rule);
}

// Sets the positions of the bases of a rule, and which pairs are directly inside another.
void PairGrammar::set_positions(const std::vector<Item>& items, Rule& rule) {
  std::size_t symbols_before = 0;
  for (const Item& item : items) {
    if (item.sign == 0) {
      ++symbols_before;
    } else {
      ++(symbols_before == 0                     ? rule.bases_before
         : symbols_before == rule.symbols.size() ? rule.bases_after
                                                 : rule.bases_between);
    }
  }
  Position position;
  symbols_before = 0;
  std::vector<std::size_t> opens;   // [pair], in order of opening
  std::vector<std::size_t> closes;  // [pair]
  for (std::size_t k = 0; k < items.size(); ++k) {
    const Item& item = items[k];
    if (item.sign == 0) {
      const bool last = ++symbols_before == rule.symbols.size();
      position = last ? Position{Position::Anchor::end, -rule.bases_after}
                      : Position{Position::Anchor::split, 0};
      continue;
    }
    const auto number = static_cast<std::size_t>(item.number);
    if (item.sign == '.') rule.singles.push_back(position);
    if (item.sign == '(') {
      rule.pairs.emplace_back().open = position;
      opens.push_back(k);
      closes.push_back(k);
    }
    if (item.sign == ')') {
      rule.pairs[number].close = position;
      closes[number] = k;
    }
    rule.has_base_at_split = rule.has_base_at_split || position.anchor == Position::Anchor::split;
    ++position.offset;
  }
  for (std::size_t k = 0; k < rule.pairs.size(); ++k) {
    Pair& pair = rule.pairs[k];
    pair.is_enclosed = k > 0 && opens[k - 1] + 1 == opens[k] && closes[k] + 1 == closes[k - 1];
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
      if (open.empty()) {
        throw reader.error(items[k].column,
                           "this bracket has no opening bracket; write ( before it");
      }
      items[k].number = items[open.back()].number;
      open.pop_back();
    }
  }
  if (!open.empty()) {
    throw reader.error(items[open.back()].column,
                       "this bracket has no closing bracket; write ) after it");
  }
}

// Symbols that occur elsewhere than directly between brackets are not enclosed.
void PairGrammar::update_enclosed(const std::vector<Item>& items) {
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (items[k].sign != 0) continue;
    const bool between =
        k > 0 && items[k - 1].sign == '(' && k + 1 < items.size() && items[k + 1].sign == ')';
    if (!between) symbol(items[k].number).is_enclosed = false;
  }
}

}  // namespace rna
