// text_buffer.hpp - collects the text that a component writes into a ByteOutput.
//
// SPDX-License-Identifier: Apache-2.0
//
// For components that read a name of another component as a string.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "views.hpp"

namespace sculpt {

// Not copyable, because the buffer has a pointer to this object.
class TextBuffer {
 public:
  TextBuffer() : raw_{{nullptr, 0, 0, grow}, this} {}
  TextBuffer(const TextBuffer&) = delete;
  TextBuffer& operator=(const TextBuffer&) = delete;

  ByteOutput output() { return ByteOutput(&raw_.buffer); }
  // Returns the text written so far.
  std::string text() const { return bytes_.substr(0, static_cast<std::size_t>(raw_.buffer.size)); }

 private:
  // The buffer is the first member, so its address is the address of Raw.
  struct Raw {
    sculpt_byte_buffer buffer;
    TextBuffer* owner;
  };
  static sculpt_status grow(sculpt_byte_buffer* buffer, std::int64_t min_capacity) {
    TextBuffer& owner = *reinterpret_cast<Raw*>(buffer)->owner;
    try {
      owner.bytes_.resize(std::max(static_cast<std::size_t>(min_capacity), std::size_t{64}));
      owner.bytes_.resize(owner.bytes_.capacity());
    } catch (...) {
      return SCULPT_E_MEMORY;
    }
    buffer->data = owner.bytes_.data();
    buffer->capacity = static_cast<std::int64_t>(owner.bytes_.size());
    return SCULPT_OK;
  }

  Raw raw_;
  std::string bytes_;
};

// Returns the text that write(ByteOutput&) writes.
template <class Write>
std::string text_written(Write write) {
  TextBuffer buffer;
  ByteOutput out = buffer.output();
  write(out);
  return buffer.text();
}

}  // namespace sculpt
