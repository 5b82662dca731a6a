#include "problem/plugin/key_positions.hpp"

#include <cstddef>

namespace sculpt::core {
namespace {

bool is_word_part(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Returns the position of `word` in `text` as a whole word, or npos.
std::size_t find_word(const std::string& text, const std::string& word) {
  for (std::size_t start = text.find(word); start != std::string::npos;
       start = text.find(word, start + 1)) {
    const std::size_t end = start + word.size();
    const bool is_start = start == 0 || !is_word_part(text[start - 1]);
    if (is_start && (end == text.size() || !is_word_part(text[end]))) return start;
  }
  return std::string::npos;
}

}  // namespace

std::string position_of_key(const std::vector<KeyPosition>& keys, const std::string& message) {
  const KeyPosition* named = nullptr;
  std::size_t first = std::string::npos;
  for (const KeyPosition& key_position : keys) {
    const std::size_t start = find_word(message, key_position.key);
    if (start == std::string::npos || start > first) continue;
    const bool is_quoted =
        !key_position.item.empty() && message.find("'" + key_position.item + "'") < message.size();
    if (start == first && !is_quoted) continue;  // prefer the whole list to its items
    if (!key_position.item.empty() && !is_quoted) continue;
    first = start;
    named = &key_position;
  }
  return named == nullptr ? "" : named->position;
}

}  // namespace sculpt::core
