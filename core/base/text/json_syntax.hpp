// json_syntax.hpp - places in a JSON text, and plain sentences for what breaks its syntax.
//
// Called by JsonReader. It works on offsets (bytes from 0); the parser tells where it stopped, the
// text tells why.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sculpt::core {

// Line and column of offsets, cheap when they are asked for in increasing order.
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
std::size_t skip_space(std::string_view text, std::size_t from, bool comments);

// What the parser understood last.
enum class LastEvent { none, key, value, begin_object, begin_array };

struct BrokenJson {
  std::string_view text;
  bool comments;                // whether they are accepted
  std::size_t characters_read;  // by the parser, the offending token included
  std::size_t last_end;         // where the token of the last event ends
  LastEvent last_event;
  std::size_t depth;            // how many containers are open
  std::size_t container_begin;  // of the innermost one, if depth > 0
  std::string library_message;  // of the parser: tells a broken token from a misplaced one
};

struct Complaint {
  std::size_t offset;
  std::string sentence;  // what is wrong, what to do
};

Complaint explain(const BrokenJson& broken);

// Whether nlohmann_json will write this text.
bool is_utf8(const std::string& text);

}  // namespace sculpt::core
