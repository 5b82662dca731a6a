// host_memory.hpp - the output buffers and error texts of a host, for tests without a host.
#pragma once

#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

// A label or byte buffer that grows up to a limit.
template <class Buffer, class Item>
class GrowingMemory {
 public:
  explicit GrowingMemory(std::int64_t limit = 1 << 20) : limit_(limit) {
    raw_.grow = [](Buffer* raw, std::int64_t size) -> sculpt_status {
      auto* self = reinterpret_cast<GrowingMemory*>(raw);  // raw_ is the first member
      if (size > self->limit_) return SCULPT_E_MEMORY;
      self->items_.resize(static_cast<std::size_t>(size));
      raw->data = self->items_.data();
      raw->capacity = size;
      return SCULPT_OK;
    };
  }
  GrowingMemory(const GrowingMemory&) = delete;
  GrowingMemory& operator=(const GrowingMemory&) = delete;

  Buffer* raw() { return &raw_; }
  std::vector<Item> items() const { return {raw_.data, raw_.data + raw_.size}; }

 private:
  Buffer raw_{};
  std::vector<Item> items_;
  std::int64_t limit_;
};
using LabelMemory = GrowingMemory<sculpt_label_buffer, std::int32_t>;
using ByteMemory = GrowingMemory<sculpt_byte_buffer, char>;

// A status and its error text.
struct Outcome {
  sculpt_status status = SCULPT_OK;
  std::string text;
};

// Calls function(sculpt_error*) and returns its status and text.
template <class Function>
Outcome outcome_of(Function&& function) {
  char buffer[256] = "";
  sculpt_error error{buffer, sizeof buffer, nullptr};
  const sculpt_status status = function(&error);
  return {status, buffer};
}
