// call_buffers.hpp - host memory that components write outputs and text into.
//
// Used by calls.cpp, count_calls.cpp and the other sources that call the C ABI.
#pragma once

#include "live_component.hpp"

#include <cstdlib>

namespace plugin_test {

struct LabelBuffer : sculpt_label_buffer {
  LabelBuffer() : sculpt_label_buffer{nullptr, 0, 0, grow_labels} { grow_labels(this, 1); }
  ~LabelBuffer() { std::free(data); }
  LabelBuffer(const LabelBuffer&) = delete;
  LabelBuffer& operator=(const LabelBuffer&) = delete;
  static sculpt_status grow_labels(sculpt_label_buffer* buffer, std::int64_t least) {
    buffer->data = static_cast<std::int32_t*>(
        std::realloc(buffer->data, static_cast<std::size_t>(least) * sizeof(std::int32_t)));
    buffer->capacity = least;
    return SCULPT_OK;
  }
  Outputs outputs() const { return {data, data + size}; }
};

struct ByteBuffer : sculpt_byte_buffer {
  ByteBuffer() : sculpt_byte_buffer{nullptr, 0, 0, grow_bytes} {}
  ~ByteBuffer() { std::free(data); }
  ByteBuffer(const ByteBuffer&) = delete;
  ByteBuffer& operator=(const ByteBuffer&) = delete;
  // Grows only to `least`, so that sanitizers see every write beyond it. Long texts grow by a
  // quarter more, which saves time.
  static sculpt_status grow_bytes(sculpt_byte_buffer* buffer, std::int64_t least) {
    buffer->capacity = least > 10'000 ? least + least / 4 : least;
    buffer->data =
        static_cast<char*>(std::realloc(buffer->data, static_cast<std::size_t>(buffer->capacity)));
    return SCULPT_OK;
  }
  std::string text() const { return {data, static_cast<std::size_t>(size)}; }
};

}  // namespace plugin_test
