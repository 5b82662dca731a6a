#include "symbol_reader.hpp"

namespace texts {

namespace {

constexpr const char* blanks = " \t\r\f\v";

// A character: its code point and its bytes; 0 bytes if the text does not begin with valid UTF-8.
struct Character {
  std::int32_t code = 0;
  std::size_t size = 0;
};

// The Unicode standard, table 3-7: no surrogates, and no character in more bytes than it needs.
Character first_character(std::string_view text) {
  const auto byte = [text](std::size_t k) {
    return std::int32_t{static_cast<unsigned char>(text[k])};
  };
  const std::int32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return {};
  std::int32_t code = first & (0x7F >> size);
  for (std::size_t k = 1; k < size; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(k) & 0x3F);
  }
  const bool is_short = code < (size == 3 ? 0x800 : size == 4 ? 0x10000 : 0x80);
  const bool is_surrogate = code >= 0xD800 && code < 0xE000;
  if (is_short || is_surrogate || code > 0x10FFFF) return {};
  return {code, size};
}

}  // namespace

std::size_t valid_length(std::string_view text) {
  std::size_t place = 0;
  while (place < text.size()) {
    const Character next = first_character(text.substr(place));
    if (next.size == 0 || next.code == 0) break;
    place += next.size;
  }
  return place;
}

void SymbolReader::learn(std::string_view text) {
  if (!takes_words_) return;
  sculpt::split_fields(text, blanks, fields_);
  for (const sculpt::Field& field : fields_) words_.add(field.text);
}

void SymbolReader::read(std::string_view text, std::vector<std::int32_t>& symbols) {
  symbols.clear();
  if (takes_words_) {
    sculpt::split_fields(text, blanks, fields_);
    for (const sculpt::Field& field : fields_) symbols.push_back(symbol_of_word(field.text));
    return;
  }
  while (!text.empty()) {
    const Character next = first_character(text);
    symbols.push_back(next.code);
    text.remove_prefix(next.size);
  }
}

std::int32_t SymbolReader::symbol_of_word(std::string_view word) {
  const std::int32_t number = words_.find(word);
  if (number >= 0) return number + 1;
  const auto found = new_words_.find(word);
  if (found != new_words_.end()) return found->second;
  const auto symbol = -1 - static_cast<std::int32_t>(new_words_.size());
  new_words_.emplace(word, symbol);
  return symbol;
}

}  // namespace texts
