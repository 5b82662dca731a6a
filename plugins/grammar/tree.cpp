#include "tree.hpp"

#include <string>

namespace grammar {

std::vector<Node> nodes_of(sculpt::Labels y, std::int64_t words, std::int64_t symbols) {
  const auto refuse = [&](const std::string& what) {
    return sculpt::Error(SCULPT_E_INVALID, "an output is a tree over " + std::to_string(words) +
                                               " words; this one " + what);
  };
  std::vector<Node> nodes;
  std::vector<std::int32_t> open;
  std::int32_t position = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const std::int32_t mark = y[k];
    if (open.empty() && (k > 0 || mark != first_open_mark + root_symbol)) {
      throw refuse("does not have one root");
    }
    if (mark == close_token) {
      Node& node = nodes[static_cast<std::size_t>(open.back())];
      if (node.children.empty()) throw refuse("has a node with nothing below");
      node.end = position;
      open.pop_back();
      continue;
    }
    const auto number = static_cast<std::int32_t>(nodes.size());
    if (!open.empty()) {
      nodes[static_cast<std::size_t>(open.back())].children.push_back(mark == word_mark ? -1
                                                                                        : number);
    }
    if (mark == word_mark) {
      ++position;
      continue;
    }
    const std::int64_t symbol = std::int64_t{mark} - first_open_mark;
    if (symbol < 0 || symbol >= symbols) throw refuse("has a symbol that does not exist");
    if (symbol == root_symbol && k > 0) throw refuse("has the root symbol below its root");
    nodes.push_back({static_cast<std::int32_t>(symbol), position, position, {}});
    open.push_back(number);
  }
  if (nodes.empty() || !open.empty()) throw refuse("is not closed");
  if (position != words) throw refuse("has " + std::to_string(position));
  return nodes;
}

}  // namespace grammar
