// call_buffers.hpp - host memory that components write outputs into.
//
// Used by calls.cpp and count_calls.cpp.
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

}  // namespace plugin_test
