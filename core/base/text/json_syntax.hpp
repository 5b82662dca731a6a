// json_syntax.hpp - positions in a JSON text, and plain messages about syntax errors.
//
// Called by experiment/. It works on offsets (bytes from 0). The parser says where it stopped, and
// the text shows why.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sculpt::core {

// Line and column of an offset. Fast if offsets are passed in increasing order.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  void move_to(std::size_t offset);
  int line() const { return line_; }
  int column() const { return column_; }

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  int line_ = 1;
  int column_ = 1;
};

// The first offset from `from` on that is neither white space nor inside a comment, or the size.
std::size_t skip_space(std::string_view text, std::size_t from, bool accepts_comments);

// The last thing that the parser understood.
enum class LastEvent { none, key, value, begin_object, begin_array };

struct BrokenJson {
  std::string_view text;
  bool accepts_comments;
  std::size_t characters_read;  // by the parser, with the offending token
  std::size_t last_end;         // where the token of the last event ends
  LastEvent last_event;
  std::size_t depth;             // number of open containers
  std::size_t container_begin;   // of the innermost container, if depth > 0
  std::string closing_brackets;  // "]}": closes all open containers, the innermost first
  std::string library_message;   // distinguishes broken and misplaced tokens
};

struct SyntaxError {
  std::size_t offset;
  std::string message;  // what is wrong, what to do
};

// Returns where the error is, and what is wrong.
SyntaxError explain_syntax_error(const BrokenJson& broken);

// True if nlohmann_json can write this text.
bool is_utf8(const std::string& text);

}  // namespace sculpt::core
