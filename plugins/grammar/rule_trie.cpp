#include "rule_trie.hpp"

#include <algorithm>
#include <utility>

namespace grammar {

namespace {
constexpr std::int32_t max_nodes = 1 << 22;              // edge names have 22 bits for a node
constexpr std::size_t max_bytes = std::size_t{1} << 30;  // of the bit sets of child symbols
}  // namespace

RuleTrie::RuleTrie(const RuleSet& rules, std::int32_t symbol_count, bool shared)
    : words_(static_cast<std::size_t>(symbol_count + 63) / 64) {
  nodes_.push_back({-1, 0, 0, {}, {}, {}});
  std::map<std::pair<std::int32_t, Item>, std::int32_t> node_of;
  for (std::int32_t rule = 0; rule < rules.size(); ++rule) {
    if (rules.right(rule).size() == 1) continue;
    std::int32_t node = 0;
    for (const Item item : rules.right(rule)) {
      if (!shared && node != 0) {
        node = add(node, item);
        continue;
      }
      const auto [entry, is_new] = node_of.try_emplace({node, item}, size());
      if (is_new) add(node, item);
      node = entry->second;
    }
    nodes_[static_cast<std::size_t>(node)].rules.push_back(rule);
  }
  if (nodes_.size() * words_ > max_bytes / sizeof(std::uint64_t)) {
    throw sculpt::data_error("the table of how right sides continue has " +
                             std::to_string(symbol_count) + " symbols times " +
                             std::to_string(nodes_.size()) +
                             " beginnings, more than 1 GB; remove rare symbols or rules");
  }
  symbols_.assign(nodes_.size() * words_, 0);
  for (std::int32_t node = 0; node < size(); ++node) index_children(node);
}

std::int32_t RuleTrie::add(std::int32_t parent, Item item) {
  if (size() == max_nodes) {
    throw sculpt::data_error("the rules have more than " + std::to_string(max_nodes - 1) +
                             " symbols on their right sides; remove some rules");
  }
  nodes_[static_cast<std::size_t>(parent)].children.push_back(size());
  nodes_.push_back({parent, item, depth(parent) + 1, {}, {}, {}});
  return size() - 1;
}

void RuleTrie::index_children(std::int32_t number) {
  Node& node = nodes_[static_cast<std::size_t>(number)];
  std::uint64_t* symbols = symbols_.data() + static_cast<std::size_t>(number) * words_;
  std::stable_sort(node.children.begin(), node.children.end(),
                   [&](std::int32_t a, std::int32_t b) { return last(a) < last(b); });
  for (std::size_t k = 0; k < node.children.size(); ++k) {
    const Item item = last(node.children[k]);
    if (is_terminal(item)) continue;
    const auto symbol = static_cast<std::size_t>(item);
    const std::uint64_t bit = std::uint64_t{1} << (symbol % 64);
    if ((symbols[symbol / 64] & bit) == 0) node.child_begin.push_back(static_cast<std::int32_t>(k));
    symbols[symbol / 64] |= bit;
  }
  node.child_begin.push_back(static_cast<std::int32_t>(node.children.size()));
}

std::span<const std::int32_t> RuleTrie::by_terminal(std::int32_t node,
                                                    std::int32_t terminal) const {
  const std::vector<std::int32_t>& children = at(node).children;
  const auto range =
      std::equal_range(children.begin(), children.end(), -1, [&](std::int32_t a, std::int32_t b) {
        const Item item = item_of_terminal(terminal);
        return (a < 0 ? item : last(a)) < (b < 0 ? item : last(b));
      });
  return std::span<const std::int32_t>(children).subspan(
      static_cast<std::size_t>(range.first - children.begin()),
      static_cast<std::size_t>(range.second - range.first));
}

}  // namespace grammar
