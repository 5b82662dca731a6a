#include "problem/key_places.hpp"

#include <cstddef>

namespace sculpt::core {
namespace {

bool is_word_part(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Returns the position of `word` in `text` as a whole word, or npos.
std::size_t find_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_word_part(text[at - 1]);
    if (begins && (end == text.size() || !is_word_part(text[end]))) return at;
  }
  return std::string::npos;
}

}  // namespace

std::string place_of_named(const std::vector<KeyPlace>& keys, const std::string& message) {
  const KeyPlace* named = nullptr;
  std::size_t first = std::string::npos;
  for (const KeyPlace& one : keys) {
    const std::size_t at = find_word(message, one.key);
    if (at == std::string::npos || at > first) continue;
    const bool quoted = !one.item.empty() && message.find("'" + one.item + "'") < message.size();
    if (at == first && !quoted) continue;  // prefer the whole list to its items
    if (!one.item.empty() && !quoted) continue;
    first = at;
    named = &one;
  }
  return named == nullptr ? "" : named->place;
}

}  // namespace sculpt::core
