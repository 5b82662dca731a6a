// piped_text.hpp - the text of a pipe, part by part: as many whole examples as have come.
//
// A part waits for no byte behind its end, so a program may write an example, and read the output
// before it writes the next one. Bytes that come faster than they are used make larger parts.
// Called by loaded_model.hpp. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/file/byte_input.hpp"
#include "problem/components/text_parts.hpp"

namespace sculpt::core {

struct TextPart {
  std::string text;
  std::int64_t first_line = 1;  // its number in the whole text, from 1
};

class PipedText {
 public:
  // `path`: "-" is standard input. Packed bytes are unpacked. Throws Failure(Exit::missing) if it
  // cannot be opened, Failure(Exit::usage) under mpirun. `cancelled` is asked while next() waits.
  PipedText(const std::string& path, PartEnd end, std::function<bool()> cancelled);

  // Returns the next part, nullopt at the end. The last one may lack its end. Throws Failure,
  // Cancelled.
  std::optional<TextPart> next();

 private:
  void read();
  TextPart take(std::size_t size);

  std::unique_ptr<ByteInput> input_;
  PartEnd end_;
  bool is_at_end_ = false;
  std::string text_;       // read, not yet taken
  std::int64_t line_ = 1;  // number of the first line of text_
};

// Returns the size of the longest beginning of `text` that is whole parts, 0 if there is none.
std::size_t size_of_parts(std::string_view text, PartEnd end);

// Returns two halves of a part that has several ends, else nullopt.
std::optional<std::pair<TextPart, TextPart>> halves_of(const TextPart& part, PartEnd end);

// True for "-", and for what is no regular file and no folder: a pipe or a device.
bool is_pipe(const std::string& path);

// Returns the whole text. Throws as PipedText does.
std::string read_pipe(const std::string& path, std::function<bool()> cancelled);

}  // namespace sculpt::core
