// source_reader.hpp - gives the bytes of a source in blocks, as a whole, or line by line.
//
// The host service "source" (sculpt/ext/draft/host_source.h) lends them to plugins. One thread at a
// time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/file/byte_input.hpp"

namespace sculpt::core {

class SourceReader {
 public:
  // Functions throw as `input` does.
  explicit SourceReader(std::unique_ptr<ByteInput> input) : input_(std::move(input)) {}

  // Returns the bytes that are not yet read: the next block of them, empty at the end. Lent until
  // the next call, like all results.
  std::string_view next_block();
  // Returns all bytes that are not yet read.
  std::string_view rest();
  // Returns the next line without its line end (LF or CRLF). nullopt at the end. A byte order mark
  // before the first line is no part of it.
  std::optional<std::string_view> next_line();
  // The number of the last line, from 1. Counts the calls of next_line().
  std::int64_t line_number() const { return line_number_; }

 private:
  std::unique_ptr<ByteInput> input_;
  std::string_view block_;  // bytes of the input that are not yet given
  std::string joined_;      // a line or a rest that spans blocks
  std::int64_t line_number_ = 0;
};

}  // namespace sculpt::core
