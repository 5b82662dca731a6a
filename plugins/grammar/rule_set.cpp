#include "rule_set.hpp"

#include <algorithm>

namespace grammar {

namespace {

constexpr std::int32_t max_rules = 1 << 21;        // edge names have 22 bits for a rule
constexpr std::int64_t max_items = (1 << 22) - 1;  // on all right sides; as for trie nodes

constexpr std::string_view comment = "#";

bool is_quoted(std::string_view text) {
  return text.size() > 2 && text.front() == '\'' && text.back() == '\'';
}

std::int32_t find_symbol(const Trees& trees, const sculpt::Field& field) {
  return is_quoted(field.text) ? -1 : trees.find_symbol(field.text);
}
std::int32_t find_terminal(const Trees& trees, const sculpt::Field& field) {
  return trees.find_terminal(is_quoted(field.text) ? field.text.substr(1, field.text.size() - 2)
                                                   : field.text);
}

// A row that begins with # is a comment, unless it is a rule of the symbol #. After the first item,
// only a # alone begins a comment. Treebanks have tags such as #, so a stricter rule is not
// possible.
std::span<const sculpt::Field> without_comment(const std::vector<sculpt::Field>& fields) {
  const bool is_rule = fields.size() > 1 && fields[0].text == comment && fields[1].text == "->";
  if (!fields.empty() && fields[0].text.starts_with(comment) && !is_rule) return {};
  const std::span<const sculpt::Field> items(fields);
  const auto end = std::find_if(items.begin() + (fields.empty() ? 0 : 1), items.end(),
                                [](const sculpt::Field& field) { return field.text == comment; });
  return items.first(static_cast<std::size_t>(end - items.begin()));
}

}  // namespace

std::int32_t RuleSet::add(const std::vector<Item>& rule) {
  const auto [entry, is_new] = numbers_.try_emplace(rule, size());
  if (!is_new) return entry->second;
  if (size() == max_rules) {
    throw sculpt::data_error("the trees have more than " + std::to_string(max_rules) +
                             " rules; train on fewer trees, or give the rules in `file`");
  }
  rules_.push_back(rule);
  return entry->second;
}

bool RuleSet::write_rule_of(const std::vector<Node>& nodes, const Node& node,
                            const std::vector<std::int32_t>& terminals, std::vector<Item>& rule) {
  rule.assign(1, node.symbol);
  std::int32_t position = node.start;
  for (const std::int32_t child : node.children) {
    if (child >= 0) {
      rule.push_back(nodes[at(child)].symbol);
      position = nodes[at(child)].end;
      continue;
    }
    const std::int32_t terminal = terminals[at(position++)];
    if (terminal < 0) return false;
    rule.push_back(item_of_terminal(terminal));
  }
  return true;
}

bool RuleSet::read_row(const sculpt::LineReader& reader, std::span<const sculpt::Field> fields,
                       const Trees& trees, std::vector<Item>& rule, SkippedRules& skipped) {
  rule.assign(1, find_symbol(trees, fields[0]));
  if (rule[0] < 0) {
    throw reader.error(fields[0].column, sculpt::shown(fields[0].text) +
                                             " is not a symbol of the training trees; list it in "
                                             "dataset.symbols, or remove the rule");
  }
  std::string unknown;
  for (const sculpt::Field& field : fields.subspan(2)) {
    const std::int32_t symbol = find_symbol(trees, field);
    if (symbol == root_symbol) {
      throw reader.error(field.column,
                         "the root symbol is on the right of a rule; use it only on the left");
    }
    const std::int32_t terminal = symbol < 0 ? find_terminal(trees, field) : -1;
    if (symbol < 0 && terminal < 0 && unknown.empty()) {
      unknown = reader
                    .error(field.column, sculpt::shown(field.text) +
                                             " is neither a symbol nor a terminal of the "
                                             "training trees")
                    .what();
      if (field.text == "|") {
        throw sculpt::data_error(unknown + "; write each alternative as a separate rule");
      }
    }
    rule.push_back(symbol >= 0 ? symbol : item_of_terminal(terminal));
  }
  if (unknown.empty()) return true;
  if (skipped.rules++ == 0) skipped.first = unknown;
  return false;
}

RuleSet::SkippedRules RuleSet::read(const sculpt::Source& source, const Trees& trees) {
  SkippedRules skipped;
  std::int64_t items = 0;
  std::vector<Item> rule;
  sculpt::LineReader reader(source);
  while (reader.next()) {
    const std::span<const sculpt::Field> fields = without_comment(reader.fields());
    if (fields.empty()) continue;
    if (fields.size() < 2 || fields[1].text != "->") {
      throw reader.error(fields[fields.size() > 1 ? 1 : 0].column,
                         "this row is not a rule; write `A -> B C`");
    }
    if (fields.size() == 2) {
      throw reader.error(fields[1].column + 2,
                         "this rule has no right side; write symbols or terminals after ->");
    }
    const std::int64_t remaining = max_items - items;
    items += static_cast<std::int64_t>(fields.size()) - 2;
    if (items > max_items) {
      throw reader.error(fields[static_cast<std::size_t>(remaining) + 2].column,
                         "the rules have more than " + std::to_string(max_items) +
                             " symbols on their right sides; remove some rules");
    }
    if (!read_row(reader, fields, trees, rule, skipped)) continue;
    if (find(rule) >= 0) {
      throw reader.error(fields[0].column, "this rule occurs twice; remove one of them");
    }
    if (size() == max_rules) {
      throw reader.error(fields[0].column, "the grammar has more than " +
                                               std::to_string(max_rules) + " rules; remove some");
    }
    add(rule);
  }
  if (size() == 0) {
    throw reader.error_at(
        1, 0,
        "no rule has only symbols and terminals of the training trees; write rows "
        "`A -> B C` with them");
  }
  const bool derives_root =
      std::any_of(rules_.begin(), rules_.end(),
                  [](const std::vector<Item>& rule) { return rule[0] == root_symbol; });
  if (!derives_root) {
    throw reader.error_at(1, 0,
                          "no rule derives the root; write one such as `" +
                              trees.symbol_name(root_symbol) + " -> S`");
  }
  return skipped;
}

void RuleSet::write(std::int32_t rule, const Trees& trees, sculpt::ByteOutput& out) const {
  out << trees.symbol_name(left(rule)) << " ->";
  for (const Item item : right(rule)) {
    const bool terminal = is_terminal(item);
    const std::string& name =
        terminal ? trees.terminal_name(terminal_of(item)) : trees.symbol_name(item);
    const bool quoted =
        terminal && (trees.find_symbol(name) >= 0 || name == comment || is_quoted(name));
    out << " " << (quoted ? "'" + name + "'" : name);
  }
}

void RuleSet::save(sculpt::StateWriter& writer) const {
  writer.integer(size());
  for (const std::vector<Item>& rule : rules_) {
    writer.integer(static_cast<std::int64_t>(rule.size()));
    for (const Item item : rule) writer.integer(item);
  }
}

void RuleSet::restore(sculpt::StateReader& reader) {
  const std::int64_t count = reader.count(3 * sizeof(std::int64_t));
  for (std::int64_t k = 0; k < count; ++k) {
    std::vector<Item> rule(static_cast<std::size_t>(reader.count(sizeof(std::int64_t))));
    for (Item& item : rule) {
      const std::int64_t value = reader.integer();
      item = static_cast<Item>(value);
      if (item != value) reader.damaged();
    }
    if (rule.size() < 2 || rule[0] < 0 || add(rule) != k) reader.damaged();
  }
}

bool RuleSet::has_valid_ids(const Trees& trees) const {
  return std::all_of(rules_.begin(), rules_.end(), [&](const std::vector<Item>& rule) {
    return std::all_of(rule.begin(), rule.end(), [&](Item item) {
      return is_terminal(item) ? terminal_of(item) < trees.terminal_count()
                               : item < trees.symbol_count();
    });
  });
}

}  // namespace grammar
