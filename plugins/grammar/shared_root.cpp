#include "shared_root.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace grammar {

namespace {

constexpr std::array<std::string_view, 4> usual_roots = {"ROOT", "TOP", "S1", "VROOT"};

bool occurs_below(const BracketText& tree, const std::string& symbol) {
  return std::any_of(tree.tokens.begin() + 1, tree.tokens.end(), [&](const BracketToken& token) {
    return token.kind == BracketToken::open && token.text == symbol;
  });
}

}  // namespace

std::string shared_root(const std::vector<BracketText>& texts) {
  std::string root;
  for (const BracketText& text : texts) {
    if (!text.is_tree() || text.tokens.front().text.empty()) continue;
    const std::string& top = text.tokens.front().text;
    if (root.empty()) root = top;
    if (top != root || occurs_below(text, root)) return "";
  }
  const bool is_usual =
      std::find(usual_roots.begin(), usual_roots.end(), root) != usual_roots.end();
  return is_usual ? root : "";
}

}  // namespace grammar
