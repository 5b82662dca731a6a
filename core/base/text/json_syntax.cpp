#include "base/text/json_syntax.hpp"

#include <sculpt/cpp/error.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/nearest_name.hpp"

namespace sculpt::core {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}
bool is_graphic(char c) {
  return c > ' ' && c < 0x7F;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_punctuation(char c) {
  return std::string_view("{}[],:\"").find(c) != std::string_view::npos;
}

std::string quoted(std::string_view text) {
  return '"' + shortened(text) + '"';
}

std::string position_text(std::string_view text, std::size_t offset) {
  TextCursor cursor(text);
  cursor.move_to(offset);
  return std::to_string(cursor.line()) + ":" + std::to_string(cursor.column());
}

// The token that the parser refused, and the last comma or colon before it.
struct OffendingToken {
  std::size_t begin;
  char separator = '\0';
  std::size_t separator_offset = 0;
};

OffendingToken find_offending_token(const BrokenJson& broken) {
  const std::string_view text = broken.text;
  OffendingToken found{skip_space(text, broken.last_end, broken.accepts_comments)};
  // Separators cause no events. The last character that the parser read belongs to the offending
  // token.
  while (found.begin + 1 < broken.characters_read && found.begin < text.size() &&
         (text[found.begin] == ',' || text[found.begin] == ':')) {
    found.separator = text[found.begin];
    found.separator_offset = found.begin;
    found.begin = skip_space(text, found.begin + 1, broken.accepts_comments);
  }
  return found;
}

// What is expected at this point: a value, a key or punctuation.
enum class Expected { value, key, colon, object_end, array_end, end };

Expected expected_at(const BrokenJson& broken, char separator) {
  if (broken.last_event == LastEvent::key) {
    return separator == ':' ? Expected::value : Expected::colon;
  }
  if (broken.depth == 0) {
    return broken.last_event == LastEvent::none ? Expected::value : Expected::end;
  }
  if (broken.text[broken.container_begin] == '{') {
    const bool key = separator == ',' || broken.last_event == LastEvent::begin_object;
    return key ? Expected::key : Expected::object_end;
  }
  const bool value = separator == ',' || broken.last_event == LastEvent::begin_array;
  return value ? Expected::value : Expected::array_end;
}

std::string expectation(Expected expected) {
  switch (expected) {
    case Expected::value:
      return "a value is expected here";
    case Expected::key:
      return "a key in double quotes is expected here";
    case Expected::colon:
      return "\":\" and a value are expected after a key";
    case Expected::object_end:
      return "\",\" or \"}\" is expected here";
    case Expected::array_end:
      return "\",\" or \"]\" is expected here";
    case Expected::end:
      break;
  }
  return "nothing more is expected after the end";
}

// The letters and digits from `begin` on, up to white space or punctuation.
std::string_view word_at(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && is_graphic(text[end]) && !is_punctuation(text[end])) ++end;
  return text.substr(begin, end - begin);
}

// The parser reads 10abc as 10 and a word. The user sees one word.
std::size_t begin_of_word(const BrokenJson& broken, const OffendingToken& offending) {
  std::size_t begin = offending.begin;
  if (begin != broken.last_end) return begin;
  while (begin > 0 && is_graphic(broken.text[begin - 1]) &&
         !is_punctuation(broken.text[begin - 1])) {
    --begin;
  }
  return begin;
}

// Explains a word that is no literal: nan, True, abc, 'text', or the letters of 10abc.
SyntaxError explain_word(const BrokenJson& broken, const OffendingToken& offending) {
  const std::string_view text = broken.text;
  const std::size_t begin = begin_of_word(broken, offending);
  const std::string_view word = word_at(text, begin);
  if (word.empty()) {
    return {begin, "this character is not allowed outside of text; put text in double quotes"};
  }
  if (word.front() == '\'') {
    return {begin, "text is written in double quotes, not in single ones"};
  }
  const Expected expected = expected_at(broken, offending.separator);
  if (expected == Expected::end && begin == offending.begin) {
    return {begin, expectation(expected) + ", not " + quoted(word)};
  }
  if (expected == Expected::key) {
    return {begin, quoted(word) + " must be in double quotes: a key is text"};
  }
  std::string folded(word);
  for (char& c : folded) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (folded == "nan") return {begin, "NaN cannot be written; leave the key out or give a number"};
  if (folded == "inf" || folded == "infinity" || folded == "+inf") {
    return {begin, quoted(word) + " is not a number in JSON; write \"inf\" with the quotes"};
  }
  const auto literal = nearest_name(word, {"true", "false", "null"});
  if (literal && is_graphic(word.front()) && !is_digit(word.front())) {
    return {begin, quoted(word) + " is not a JSON value, did you mean " + *literal + "?"};
  }
  return {begin,
          quoted(word) + " is neither a number nor true, false or null; put text in double quotes"};
}

// The first byte of the UTF-8 sequence in which the byte at `bad_byte` is wrong.
std::size_t begin_of_sequence(std::string_view text, std::size_t bad_byte) {
  for (std::size_t distance = 1; distance <= 3 && distance <= bad_byte; ++distance) {
    const auto byte = static_cast<unsigned char>(text[bad_byte - distance]);
    if ((byte & 0xC0) == 0x80) continue;
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    return length > distance ? bad_byte - distance : bad_byte;
  }
  return bad_byte;
}

// Explains a token that is broken in itself. The library's message says how.
SyntaxError explain_token(const BrokenJson& broken, const OffendingToken& offending) {
  const std::string_view text = broken.text;
  const std::size_t last = std::min(broken.characters_read, text.size()) - 1;
  // After this the library quotes the text, which may contain anything.
  const std::string message =
      broken.library_message.substr(0, broken.library_message.find("; last read"));
  const auto message_has = [&](const char* part) {
    return message.find(part) != std::string::npos;
  };
  if (message_has("missing closing quote") || message_has("U+000A") || message_has("U+000D")) {
    return {offending.begin,
            "the text that begins here does not end on its line; add \" (inside of text, \\n makes "
            "a line break and \\\" a quote)"};
  }
  if (message_has("control character")) {
    return {last,
            "a tab or another control character inside of text; write \\t or \\u0000 to "
            "\\u001f instead"};
  }
  if (message_has("UTF-8")) {
    return {begin_of_sequence(text, last), "this is not UTF-8; save the file as UTF-8"};
  }
  if (message_has("after backslash")) {
    return {text.rfind('\\', last > 0 ? last - 1 : 0),
            "unknown escape in text; write \\\\ for a backslash"};
  }
  if (message_has("hex digits") || message_has("surrogate")) {
    return {
        text.rfind('\\', last),
        "\\u needs four hexadecimal digits, in pairs \\ud800\\udc00 for characters beyond ffff"};
  }
  if (message_has("missing closing '*/'")) {
    return {offending.begin, "the comment that begins here is not closed; add */"};
  }
  if (message_has("invalid comment")) return {offending.begin, "a comment begins with // or /*"};
  if (message_has("invalid number")) {
    return {offending.begin, quoted(word_at(text, offending.begin)) + " is not a number"};
  }
  return explain_word(broken, offending);
}

// Explains a text that ends too early.
SyntaxError explain_end(const BrokenJson& broken, const OffendingToken& offending) {
  if (broken.last_event == LastEvent::none) {
    return {0, "there is nothing in it; an experiment is a JSON object { ... }"};
  }
  const char open = broken.text[broken.container_begin];
  const std::size_t end =
      offending.separator == '\0' ? broken.last_end : offending.separator_offset + 1;
  return {end, std::string("the file ends before the \"") + open + "\" of " +
                   position_text(broken.text, broken.container_begin) + " is closed; add " +
                   quoted(std::string_view(broken.closing_brackets))};
}

}  // namespace

void TextCursor::move_to(std::size_t offset) {
  offset = std::min(offset, text_.size());
  if (offset < offset_) *this = TextCursor(text_);
  for (; offset_ < offset; ++offset_) {
    const char c = text_[offset_];
    if (c == '\n') {
      ++line_;
      column_ = 1;
    } else if (!is_continuation(c)) {
      ++column_;
    }
  }
}

std::size_t skip_space(std::string_view text, std::size_t from, bool accepts_comments) {
  std::size_t at = from;
  while (at < text.size()) {
    if (is_space(text[at])) {
      ++at;
    } else if (accepts_comments && text.substr(at, 2) == "//") {
      at = std::min(text.find_first_of("\n\r", at), text.size());
    } else if (accepts_comments && text.substr(at, 2) == "/*") {
      const std::size_t end = text.find("*/", at + 2);
      if (end == std::string_view::npos) return at;
      at = end + 2;
    } else {
      return at;
    }
  }
  return at;
}

SyntaxError explain_syntax_error(const BrokenJson& broken) {
  const OffendingToken offending = find_offending_token(broken);
  // The library quotes a token that cannot be read at all. It calls other tokens only "unexpected".
  if (broken.library_message.find("; last read") != std::string::npos) {
    return explain_token(broken, offending);
  }
  if (offending.begin >= broken.text.size()) return explain_end(broken, offending);
  const std::string_view token =
      broken.text.substr(offending.begin, broken.characters_read - offending.begin);
  if (broken.library_message.find("number overflow") != std::string::npos) {
    return {offending.begin,
            quoted(token) + " is too large for a number; where infinity is allowed, write \"inf\""};
  }
  const char first = token.front();
  if (begin_of_word(broken, offending) != offending.begin && !is_punctuation(first)) {
    return explain_word(broken, offending);  // for example 01 or 1-2
  }
  if (offending.separator == ',' && (first == '}' || first == ']')) {
    return {offending.separator_offset,
            std::string("remove the comma in front of \"") + first + "\""};
  }
  const std::string shown = first == '"' ? shortened(token) : quoted(token);
  return {offending.begin,
          expectation(expected_at(broken, offending.separator)) + ", not " + shown};
}

bool is_utf8(const std::string& text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

}  // namespace sculpt::core
