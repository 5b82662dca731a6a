// reading.hpp - reading text files line by line with errors that say path:line:column.
//
// SPDX-License-Identifier: Apache-2.0
//
// Accepts CRLF line ends and a UTF-8 byte order mark. Columns count bytes from 1.
#pragma once

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "../data.h"
#include "error.hpp"
#include "number_text.hpp"

namespace sculpt {

// Where a split is read from: a file, or text inside the experiment.
class Source {
 public:
  explicit Source(const sculpt_source& raw) : path_(raw.path) {
    if (raw.text != nullptr) {
      text_.assign(raw.text, static_cast<std::size_t>(raw.text_size));
      inline_ = true;
    }
  }
  const std::string& path() const { return path_; }

  // The whole text.
  std::string read() const {
    if (inline_) return text_;
    require_regular();
    errno = 0;
    const OpenFile file(path_);
    if (file.get() == nullptr) refuse_to_open(errno);
    long size = -1;
    if (std::fseek(file.get(), 0, SEEK_END) == 0) size = std::ftell(file.get());
    if (size < 0) throw missing_error(path_ + ": cannot be read");
    std::rewind(file.get());
    std::string text(static_cast<std::size_t>(size), '\0');
    if (std::fread(text.data(), 1, text.size(), file.get()) != text.size()) {
      throw missing_error(path_ + ": cannot be read");
    }
    return text;
  }

 private:
  // Of the C library: <fstream> and <filesystem> are most of the time that a plugin takes to
  // compile.
  class OpenFile {
   public:
    explicit OpenFile(const std::string& path) : file_(std::fopen(path.c_str(), "rb")) {}
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile() {
      if (file_ != nullptr) std::fclose(file_);
    }
    std::FILE* get() const { return file_; }

   private:
    std::FILE* file_;
  };

  // Before it is opened: a pipe would have it wait for a writer.
  void require_regular() const {
    struct stat status = {};
    if (::stat(path_.c_str(), &status) != 0) return;
    if (S_ISDIR(status.st_mode)) {
      throw missing_error(path_ + ": is a folder; give the path of a file");
    }
    if (!S_ISREG(status.st_mode)) {
      throw missing_error(path_ + ": is not a regular file; write it to one first");
    }
  }

  [[noreturn]] void refuse_to_open(int number) const {
    const std::string reason = number == 0 ? "" : std::string(": ") + std::strerror(number);
    const std::string what = path_ + ": cannot be opened" + reason;
    if (number == EMFILE || number == ENFILE) {
      throw Error(SCULPT_E_MEMORY, what + "; raise ulimit -n, or end other processes");
    }
    throw missing_error(what +
                        (number == EACCES ? "; change its rights (chmod)" : "; check the path"));
  }

  std::string path_;
  std::string text_;
  bool inline_ = false;
};

// A piece of a line and where it starts.
struct Field {
  std::string_view text;
  std::size_t column = 0;  // from 0

  std::size_t end() const { return column + text.size(); }  // the column behind it
};

// The first piece of `text` between these characters that begins at `from` or behind; empty, with
// the column of the end, when there is none.
inline Field next_field(std::string_view text, const char* between, std::size_t from) {
  // Not find_first_of, which calls memchr about every byte.
  const auto is_between = [&](std::size_t at) {
    for (const char* one = between; *one != '\0'; ++one) {
      if (text[at] == *one) return true;
    }
    return false;
  };
  while (from < text.size() && is_between(from)) ++from;
  std::size_t end = from;
  while (end < text.size() && !is_between(end)) ++end;
  return {text.substr(from, end - from), from};
}

// Replaces `fields` by the pieces of `text` between these characters.
inline void split_fields(std::string_view text, const char* between, std::vector<Field>& fields) {
  fields.clear();
  for (Field field = next_field(text, between, 0); !field.text.empty();
       field = next_field(text, between, field.end())) {
    fields.push_back(field);
  }
}

// The bytes of the UTF-8 character that `text` begins with; `text` is not empty.
inline std::size_t character_size(std::string_view text) {
  std::size_t size = 1;  // further bytes of a character begin with the bits 10
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) ++size;
  return size;
}

class LineReader {
 public:
  explicit LineReader(const Source& source) : path_(source.path()), text_(source.read()) {
    if (text_.starts_with("\xEF\xBB\xBF")) position_ = 3;
  }

  // Moves to the next line; false at the end.
  bool next() {
    if (position_ >= text_.size()) return false;
    const std::size_t newline = text_.find('\n', position_);
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

  // Drops what follows the first `mark` on this line, the mark included.
  void cut_comment(char mark) { line_ = line_.substr(0, line_.find(mark)); }

  // The pieces of the line between blanks and tabs; no more than the first `most`, where the rest
  // is for others to read.
  const std::vector<Field>& fields(std::size_t most = std::numeric_limits<std::size_t>::max()) {
    fields_.clear();
    for (Field field = field_from(0); !field.text.empty() && fields_.size() < most;
         field = field_from(field.end())) {
      fields_.push_back(field);
    }
    return fields_;
  }
  // The first one that begins in this column (from 0) or behind; empty when there is none.
  Field field_from(std::size_t column) const { return next_field(line_, " \t", column); }

  // "path:line:column: what"
  Error error(std::size_t column, const std::string& what) const {
    return error_at(number_, column, what);
  }
  // The same for a line read before.
  Error error_at(std::int64_t line, std::size_t column, const std::string& what) const {
    return data_error(path_ + ":" + std::to_string(line) + ":" + std::to_string(column + 1) + ": " +
                      what);
  }

  // A whole number, or an error that shows the text found.
  std::int64_t integer(Field field, std::string_view meaning) const {
    std::int64_t value = 0;
    if (whole(field, meaning, value)) return value;
    throw error(field.column, shown(field.text) +
                                  " is too large; whole numbers are from -9223372036854775808 to "
                                  "9223372036854775807");
  }
  // The same for callers with a narrower range, which they name: of a number beyond 64 bits the
  // nearest one that is not.
  std::int64_t clamped_integer(Field field, std::string_view meaning) const {
    std::int64_t value = 0;
    whole(field, meaning, value);
    return value;
  }
  // A finite number (0 when it is too small for a double), or an error that shows the text found.
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
  // False: `value` is the nearest number of 64 bits. Throws where there is no whole number.
  bool whole(Field field, std::string_view meaning, std::int64_t& value) const {
    const NumberText found = read_whole(field.text, value);
    if (found != NumberText::none) return found == NumberText::number;
    throw error(field.column, shown(field.text) + " is not " + std::string(meaning));
  }

  std::string path_;
  std::string text_;
  std::size_t position_ = 0;
  std::string_view line_;
  std::int64_t number_ = 0;
  std::vector<Field> fields_;
};

}  // namespace sculpt
