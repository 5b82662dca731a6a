#include "tree.hpp"

#include <string>

namespace grammar {

std::vector<Node> nodes_of(sculpt::Labels y, std::int64_t words, std::int64_t symbols) {
  const auto error = [&](const std::string& what) {
    return sculpt::Error(SCULPT_E_INVALID, "this output is not a tree over " +
                                               std::to_string(words) + " words: it " + what);
  };
  std::vector<Node> nodes;
  std::vector<std::int32_t> open;
  std::int32_t position = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const std::int32_t token = y[k];
    if (open.empty() && (k > 0 || token != first_open_token + root_symbol)) {
      throw error("does not have one root");
    }
    if (token == close_token) {
      Node& node = nodes[static_cast<std::size_t>(open.back())];
      if (node.children.empty()) throw error("has an empty node");
      node.end = position;
      open.pop_back();
      continue;
    }
    const auto number = static_cast<std::int32_t>(nodes.size());
    if (!open.empty()) {
      nodes[static_cast<std::size_t>(open.back())].children.push_back(token == word_token ? -1
                                                                                          : number);
    }
    if (token == word_token) {
      ++position;
      continue;
    }
    const std::int64_t symbol = std::int64_t{token} - first_open_token;
    if (symbol < 0 || symbol >= symbols) throw error("has a symbol that does not exist");
    if (symbol == root_symbol && k > 0) throw error("has the root symbol below its root");
    nodes.push_back({static_cast<std::int32_t>(symbol), position, position, {}});
    open.push_back(number);
  }
  if (nodes.empty() || !open.empty()) throw error("is not closed");
  if (position != words) throw error("has the wrong number of words, " + std::to_string(position));
  return nodes;
}

}  // namespace grammar
