#include "problem/plugin/error_buffer.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace sculpt::core {
namespace {

// Removes the first bytes of a UTF-8 character whose last bytes are missing.
void drop_incomplete_character(std::string& text) {
  constexpr std::size_t max_character_bytes = 4;
  for (std::size_t size = 1; size <= std::min(max_character_bytes, text.size()); ++size) {
    const auto byte = static_cast<unsigned char>(text[text.size() - size]);
    if ((byte & 0xC0U) == 0x80U) continue;  // not the first byte of a character
    const std::size_t wanted = byte < 0xC0U ? 1 : byte < 0xE0U ? 2 : byte < 0xF0U ? 3 : 4;
    if (wanted > size) text.resize(text.size() - size);
    return;
  }
}

}  // namespace

std::string ErrorBuffer::text() const {
  std::string text(large_.empty() ? buffer_.data() : large_.c_str());
  // A plugin that got no more room may have written a shorter text.
  const bool fills_buffer = static_cast<std::int64_t>(text.size()) + 4 >= owned_.raw.capacity;
  if (is_cut_ && fills_buffer) {
    drop_incomplete_character(text);
    text += " ... (the rest is cut: the message is too long)";
  }
  return text;
}

// If there is less room than asked for, gives all of it: the plugin then cuts the text.
sculpt_status ErrorBuffer::grow(sculpt_error* raw, std::int64_t min_capacity) noexcept {
  ErrorBuffer& self = *reinterpret_cast<OwnedError*>(raw)->owner;
  self.is_cut_ = true;  // until there is room
  try {
    const std::int64_t capacity = std::min(min_capacity, max_error_bytes);
    std::string larger(self.large_.empty() ? self.buffer_.data() : self.large_.c_str());
    larger.resize(static_cast<std::size_t>(std::max(capacity, raw->capacity)));
    self.large_ = std::move(larger);
    raw->text = self.large_.data();
    raw->capacity = static_cast<std::int64_t>(self.large_.size());
    self.is_cut_ = min_capacity > raw->capacity;
  } catch (const std::bad_alloc&) {
    // The text keeps the room that it has.
  }
  return self.is_cut_ ? SCULPT_E_MEMORY : SCULPT_OK;
}

}  // namespace sculpt::core
