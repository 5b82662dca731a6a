#include "base/text/message_text.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace sculpt::core {
namespace {

struct Character {
  std::size_t size = 0;  // bytes; 0: not UTF-8
  std::uint32_t code = 0;
};

// The first character of `text`, which must not be empty.
Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {1, lead};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return {};
  std::uint32_t code = lead & (0xFFU >> (size + 1));
  for (std::size_t k = 1; k < size; ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    if ((byte & 0xC0U) != 0x80) return {};
    code = code << 6 | (byte & 0x3FU);
  }
  constexpr std::uint32_t min_code[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code < 0xE000;
  if (code < min_code[size] || code > 0x10FFFF || is_surrogate) return {};
  return {size, code};
}

struct CodeRange {
  std::uint32_t first, last;
};

// Characters that nobody sees, but that change how the rest looks, or hide in it. The joiners
// U+200C and U+200D are not among them: some scripts need them.
constexpr std::array<CodeRange, 13> invisible{{{0, 0x1F},             // C0
                                               {0x7F, 0x9F},          // DEL, C1
                                               {0xAD, 0xAD},          // soft hyphen
                                               {0x61C, 0x61C},        // Arabic letter mark
                                               {0x180E, 0x180E},      // vowel separator
                                               {0x200B, 0x200B},      // zero width space
                                               {0x200E, 0x200F},      // marks of writing directions
                                               {0x2028, 0x202E},      // line ends, directions
                                               {0x2060, 0x206F},      // directions, other controls
                                               {0xFEFF, 0xFEFF},      // byte order mark
                                               {0xFFF9, 0xFFFB},      // annotations
                                               {0x1D173, 0x1D17A},    // musical controls
                                               {0xE0000, 0xE0FFF}}};  // tags

bool is_invisible(std::uint32_t code) {
  return std::any_of(invisible.begin(), invisible.end(), [code](const CodeRange& range) {
    return range.first <= code && code <= range.last;
  });
}

// For example "\x1b", "\u202e".
std::string escaped(char letter, int digits, std::uint32_t code) {
  char text[16];
  std::snprintf(text, sizeof text, "\\%c%0*x", letter, digits, static_cast<unsigned>(code));
  return text;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Character first = first_character(text);
    const std::size_t size = first.size == 0 ? 1 : first.size;
    if (first.size == 0) {
      out += escaped('x', 2, static_cast<unsigned char>(text[0]));
    } else if (is_invisible(first.code)) {
      out += first.code < 0x80      ? escaped('x', 2, first.code)
             : first.code <= 0xFFFF ? escaped('u', 4, first.code)
                                    : escaped('U', 8, first.code);
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  for (;;) {
    const std::size_t end = text.find('\n');
    out += printable(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string short_name(std::string_view id) {
  return std::string(id.substr(id.rfind('.') + 1));
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

std::string with_article(std::string_view noun) {
  const bool begins_with_vowel =
      !noun.empty() && std::string_view("aeiou").find(noun.front()) != std::string_view::npos;
  return (begins_with_vowel ? "an " : "a ") + std::string(noun);
}

std::string joined_parts(const std::string& first, const std::string& second) {
  return first + (first.ends_with('?') ? " " : "; ") + second;
}

std::string padded(const std::string& text, std::size_t width) {
  return text.size() < width ? text + std::string(width - text.size(), ' ') : text + " ";
}

std::string count_text(std::int64_t count, const std::string& unit) {
  const char* const plural_ending = unit.ends_with('s') ? "es" : "s";
  return std::to_string(count) + " " + unit + (count == 1 ? "" : plural_ending);
}

std::string number_text(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

std::string percent_text(double fraction) {
  const bool is_tiny = fraction != 0 && std::abs(fraction) < 1e-5;
  return is_tiny ? number_text(fraction, 3) : number_text(100 * fraction, 3) + " %";
}

std::string exact_number_text(double value) {
  char text[32];
  const auto result = std::to_chars(text, text + sizeof text, value);
  return {text, result.ptr};
}

std::string range_text(double lower, double upper) {
  const bool has_lower = std::isfinite(lower);
  const bool has_upper = std::isfinite(upper);
  if (has_lower && has_upper) {
    return "from " + exact_number_text(lower) + " to " + exact_number_text(upper);
  }
  if (has_lower && lower > 0 && lower <= DBL_MIN) return "above 0";
  if (has_lower) return "of at least " + exact_number_text(lower);
  if (has_upper) return "of at most " + exact_number_text(upper);
  return "";
}

}  // namespace sculpt::core
