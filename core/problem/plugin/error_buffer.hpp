// error_buffer.hpp - the memory for the error text of one plugin call (sculpt/base.h).
//
// A text of more than 2046 bytes moves to memory of its own. A text that is too long even for that
// is cut, and says so. Called by Component for each call, and by Services for tasks.
#pragma once

#include <sculpt/base.h>

#include <array>
#include <cstdint>
#include <string>

namespace sculpt::core {

class ErrorBuffer {
 public:
  // The most bytes that a text gets, with the zero at its end.
  static constexpr std::int64_t max_error_bytes = std::int64_t{1} << 20;

  // Every call makes one, and few fill it. Filling it with zeros would cost more than the rest of a
  // call.
  ErrorBuffer() : owned_{{buffer_.data(), std::int64_t{2047}, grow}, this} {
    buffer_.front() = buffer_.back() = '\0';
  }
  ErrorBuffer(const ErrorBuffer&) = delete;
  ErrorBuffer& operator=(const ErrorBuffer&) = delete;
  sculpt_error* raw() { return &owned_.raw; }
  // Returns the text. If it did not fit, it ends after a whole character, with a note.
  std::string text() const;

 private:
  struct OwnedError {  // `raw` is first: grow casts its address to OwnedError
    sculpt_error raw;
    ErrorBuffer* owner;
  };
  static sculpt_status grow(sculpt_error* raw, std::int64_t min_capacity) noexcept;

  std::array<char, 2048> buffer_;  // the last byte stays 0
  std::string large_;              // in place of buffer_ if not empty
  bool is_cut_ = false;            // a text asked for more room than there is
  OwnedError owned_;
};

}  // namespace sculpt::core
