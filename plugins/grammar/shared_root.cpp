#include "shared_root.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace grammar {

namespace {

constexpr std::array<std::string_view, 4> usual_roots = {"ROOT", "TOP", "S1", "VROOT"};

bool has_single_node_below(const BracketText& tree) {
  int depth = 0;
  int below_top = 0;
  for (const BracketToken& token : tree.tokens) {
    if (depth == 1 && token.kind != BracketToken::close) {
      if (token.kind == BracketToken::word) return false;
      ++below_top;
    }
    if (token.kind == BracketToken::open) ++depth;
    if (token.kind == BracketToken::close) --depth;
  }
  return below_top == 1;
}

bool occurs_below(const BracketText& tree, const std::string& symbol) {
  return std::any_of(tree.tokens.begin() + 1, tree.tokens.end(), [&](const BracketToken& token) {
    return token.kind == BracketToken::open && token.text == symbol;
  });
}

}  // namespace

std::string shared_root(const std::vector<BracketText>& texts) {
  std::string root;
  std::size_t trees = 0;
  bool has_single_nodes = true;
  for (const BracketText& text : texts) {
    if (!text.is_tree || text.tokens.front().text.empty()) continue;
    const std::string& top = text.tokens.front().text;
    if (trees++ == 0) root = top;
    if (top != root || occurs_below(text, root)) return "";
    has_single_nodes = has_single_nodes && has_single_node_below(text);
  }
  const bool is_usual =
      std::find(usual_roots.begin(), usual_roots.end(), root) != usual_roots.end();
  return is_usual || (has_single_nodes && trees >= 2) ? root : "";
}

}  // namespace grammar
