// reading.hpp - reads text files line by line, with errors of the form path:line:column.
//
// SPDX-License-Identifier: Apache-2.0
//
// For load() of datasets. Accepts CRLF line ends and a UTF-8 byte order mark, and refuses UTF-16.
// Reads .gz and .zst if the host does (source.hpp). Columns count bytes from 1 in messages.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "large_arrays.hpp"
#include "number_text.hpp"
#include "source.hpp"

namespace sculpt {

// A piece of a line and its position.
struct Field {
  std::string_view text;
  std::size_t column = 0;  // from 0

  std::size_t end() const { return column + text.size(); }  // the column after it
};

// Returns the first piece of `text` at or after `from`. Pieces are separated by any of the
// characters `separators`. If there is none, returns an empty piece at the end.
inline Field next_field(std::string_view text, const char* separators, std::size_t from) {
  // find_first_of is slower: it calls memchr for every byte.
  const auto is_separator = [&](std::size_t position) {
    for (const char* separator = separators; *separator != '\0'; ++separator) {
      if (text[position] == *separator) return true;
    }
    return false;
  };
  while (from < text.size() && is_separator(from)) ++from;
  std::size_t end = from;
  while (end < text.size() && !is_separator(end)) ++end;
  return {text.substr(from, end - from), from};
}

// Replaces `fields` by the pieces of `text` that are separated by these characters.
inline void split_fields(std::string_view text, const char* separators,
                         std::vector<Field>& fields) {
  fields.clear();
  for (Field field = next_field(text, separators, 0); !field.text.empty();
       field = next_field(text, separators, field.end())) {
    fields.push_back(field);
  }
}

// Returns the number of bytes of the first UTF-8 character of `text`, which is not empty.
inline std::size_t character_size(std::string_view text) {
  std::size_t size = 1;  // The further bytes of a character begin with the bits 10.
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) ++size;
  return size;
}

// How long a line lives that a LineReader returns.
enum class LineLife {
  reader,     // as long as the reader, which keeps the whole text
  until_next  // until next(): the reader keeps one block of the text
};

class LineReader {
 public:
  explicit LineReader(const Source& source, LineLife life = LineLife::reader)
      : path_(source.path()) {
    if (life == LineLife::until_next) blocks_ = source.open_blocks();
    if (!blocks_.is_open()) text_ = source.read_as<LargeText>();
  }

  // Moves to the next line. Returns false at the end.
  bool next() {
    std::size_t newline = text_.find('\n', position_);
    while (newline == std::string::npos && blocks_.is_open()) newline = add_block();
    if (number_ == 0) skip_byte_order_mark();
    if (position_ >= text_.size()) return false;
    const std::size_t end = newline == std::string::npos ? text_.size() : newline;
    line_ = std::string_view(text_).substr(position_, end - position_);
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    position_ = newline == std::string::npos ? text_.size() : newline + 1;
    ++number_;
    return true;
  }
  const std::string& path() const { return path_; }
  std::string_view line() const { return line_; }
  std::int64_t number() const { return number_; }  // of the line, from 1

  // Removes the first `sign` of this line and all text after it.
  void cut_comment(char sign) { line_ = line_.substr(0, line_.find(sign)); }

  // Returns the pieces of the line that are separated by blanks and tabs, at most
  // `max_fields`. The caller reads the rest.
  const std::vector<Field>& fields(
      std::size_t max_fields = std::numeric_limits<std::size_t>::max()) {
    fields_.clear();
    for (Field field = field_from(0); !field.text.empty() && fields_.size() < max_fields;
         field = field_from(field.end())) {
      fields_.push_back(field);
    }
    return fields_;
  }
  // Returns the first piece at or after this column (from 0), or an empty one.
  Field field_from(std::size_t column) const { return next_field(line_, " \t", column); }

  // Returns the error "path:line:column: message". `column` counts from 0.
  Error error(std::size_t column, const std::string& message) const {
    return error_at(number_, column, message);
  }
  // The same for an earlier line.
  Error error_at(std::int64_t line, std::size_t column, const std::string& message) const {
    return data_error(path_ + ":" + std::to_string(line) + ":" + std::to_string(column + 1) + ": " +
                      message);
  }

  // Returns a whole number. `meaning`: what the field is, for the message, such as "a label".
  // Throws an error that quotes the text if it is no whole number, or too large for 64 bits.
  std::int64_t integer(Field field, std::string_view meaning) const {
    std::int64_t value = 0;
    if (read_integer(field, meaning, value)) return value;
    throw error(field.column, shown(field.text) +
                                  " is too large; whole numbers are from -9223372036854775808 to "
                                  "9223372036854775807");
  }
  // As integer(), in any notation: also "2.0" and "1e3".
  std::int64_t whole_number(Field field, std::string_view meaning) const {
    std::int64_t value = 0;
    switch (read_whole_in_any_notation(field.text, value)) {
      case NumberText::number:
        return value;
      case NumberText::too_large:
        throw error(field.column, shown(field.text) + " is too large for " + std::string(meaning));
      case NumberText::none:
        break;
    }
    throw error(field.column, shown(field.text) + " is not " + std::string(meaning));
  }
  // As integer(), but a number beyond 64 bits becomes the nearest 64-bit number. For callers that
  // check a narrower range themselves.
  std::int64_t clamped_integer(Field field, std::string_view meaning) const {
    std::int64_t value = 0;
    read_integer(field, meaning, value);
    return value;
  }
  // Returns a finite number, 0 if it is too small for a double. Throws an error that quotes the
  // text.
  double real(Field field, std::string_view meaning) const {
    double value = 0;
    switch (read_finite(field.text, value)) {
      case NumberText::number:
        return value;
      case NumberText::too_large:
        throw error(field.column,
                    shown(field.text) + " is too large; numbers are from -1.79e308 to 1.79e308");
      case NumberText::none:
        break;
    }
    const bool has_comma = field.text.find(',') != std::string_view::npos;
    throw error(field.column, shown(field.text) + " is not " + std::string(meaning) +
                                  "; a finite number is expected" +
                                  (has_comma ? ", with a point in place of the comma" : ""));
  }

 private:
  // Goes to the first character of the text. Refuses the other mark, which begins UTF-16.
  void skip_byte_order_mark() {
    if (text_.starts_with("\xEF\xBB\xBF")) position_ = 3;
    if (!text_.starts_with("\xFF\xFE") && !text_.starts_with("\xFE\xFF")) return;
    throw error_at(1, 0,
                   "the text is UTF-16; save it as UTF-8, for example by iconv -f UTF-16 -t UTF-8");
  }
  // Returns false if the number is too large; `value` is then the nearest 64-bit number. Throws if
  // the text is no whole number.
  bool read_integer(Field field, std::string_view meaning, std::int64_t& value) const {
    const NumberText result = read_whole(field.text, value);
    if (result != NumberText::none) return result == NumberText::number;
    throw error(field.column, shown(field.text) + " is not " + std::string(meaning));
  }

  // Replaces the lines before the current position by the next block. Returns the position of the
  // first newline in the block.
  std::size_t add_block() {
    text_.erase(0, position_);
    position_ = 0;
    const std::size_t begin = text_.size();
    const std::string_view block = blocks_.next_block();
    if (block.empty()) blocks_ = HostSource();
    text_ += block;
    return text_.find('\n', begin);
  }

  std::string path_;
  HostSource blocks_;  // open: more text than text_ may follow
  LargeText text_;
  std::size_t position_ = 0;  // of the next line in text_
  std::string_view line_;
  std::int64_t number_ = 0;
  std::vector<Field> fields_;
};

}  // namespace sculpt
