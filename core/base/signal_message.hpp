// signal_message.hpp - a message for signal handlers: no allocation, no lock, no stdio.
//
// Called by open_calls.hpp, by the signal handlers of launch/, and by sweep/runs between fork and
// exec.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace sculpt::core {

// Text that does not fit is cut. The last byte stays 0.
class SignalMessage {
 public:
  void add(const char* text) {
    const std::size_t size = std::min(std::strlen(text), text_.size() - 1 - size_);
    std::memcpy(text_.data() + size_, text, size);
    size_ += size;
  }
  void add(std::int64_t number) {
    std::array<char, 24> digits = {};  // filled from the end
    auto begin = digits.end() - 1;
    do {
      *--begin = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    add(&*begin);
  }
  // For example "viterbi: example 17: ", or without the example if the call is about none.
  void add_location(const char* component, std::int64_t example) {
    add(component);
    add(": ");
    if (example < 0) return;
    add("example ");
    add(example);
    add(": ");
  }

  const char* text() const { return text_.data(); }

  // Writes the message with write(2). A failed write is ignored: nothing can be done about it.
  void write(int file) const {
    std::size_t written = 0;
    while (written < size_) {
      const ssize_t count = ::write(file, text_.data() + written, size_ - written);
      if (count <= 0) return;
      written += static_cast<std::size_t>(count);
    }
  }

 private:
  std::array<char, 2048> text_ = {};
  std::size_t size_ = 0;
};

}  // namespace sculpt::core
