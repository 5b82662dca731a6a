#include "attribute_template.hpp"

#include <sculpt/cpp/ascii.hpp>

namespace {

// True for the second and later bytes of a UTF-8 character.
bool is_continuation_byte(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Appends the classes of characters: X, x, d, o for non-ASCII, and the character itself for signs.
// Equal neighbours are written once: "Xx-d" for Boeing-747.
void append_shape(std::string_view value, std::string& out) {
  char previous = '\0';
  for (const char c : value) {
    if (is_continuation_byte(c)) continue;
    char shape = c;
    if (sculpt::is_upper(c)) shape = 'X';
    if (sculpt::is_lower(c)) shape = 'x';
    if (sculpt::is_digit(c)) shape = 'd';
    if (static_cast<unsigned char>(c) >= 0x80) shape = 'o';
    if (shape != previous) out += shape;
    previous = shape;
  }
}

// Returns false if the value has fewer characters.
bool append_prefix(std::string_view value, std::size_t length, std::string& out) {
  std::size_t end = 0;
  for (std::size_t k = 0; k < length; ++k) {
    if (end == value.size()) return false;
    ++end;
    while (end < value.size() && is_continuation_byte(value[end])) ++end;
  }
  out += value.substr(0, end);
  return true;
}
bool append_suffix(std::string_view value, std::size_t length, std::string& out) {
  std::size_t begin = value.size();
  for (std::size_t k = 0; k < length; ++k) {
    if (begin == 0) return false;
    --begin;
    while (begin > 0 && is_continuation_byte(value[begin])) --begin;
  }
  out += value.substr(begin);
  return true;
}

// Appends the transformed value. Returns false if it is shorter than the prefix or suffix.
bool append_value(const TemplatePart& part, std::string_view value, std::string& out) {
  switch (part.transform) {
    case Transform::none:
      out += value;
      break;
    case Transform::lower:
      for (const char c : value) out += sculpt::to_lower(c);
      break;
    case Transform::shape:
      append_shape(value, out);
      break;
    case Transform::prefix:
      return append_prefix(value, part.length, out);
    case Transform::suffix:
      return append_suffix(value, part.length, out);
  }
  return true;
}

}  // namespace

bool append_attribute(const AttributeTemplate& attribute_template, const Sentence& sentence,
                      std::size_t position, std::string& out) {
  for (const TemplatePart& part : attribute_template.parts) {
    out += part.before;
    const std::int64_t row = static_cast<std::int64_t>(position) + part.offset;
    const auto length = static_cast<std::int64_t>(sentence.length);
    if (row < 0) {
      out += attribute_template.before_sentence + std::to_string(row);
    } else if (row >= length) {
      out += attribute_template.after_sentence + "+" + std::to_string(row - length + 1);
    } else if (!append_value(part, sentence.value(static_cast<std::size_t>(row), part.column),
                             out)) {
      return false;
    }
  }
  out += attribute_template.end;
  return true;
}
