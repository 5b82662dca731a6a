// labels_copy.hpp - copies an output out of memory that a component lends.
//
// Called by code that keeps an output longer than the call that returned it.
#pragma once

#include <sculpt/data.h>

#include <cstdint>
#include <vector>

namespace sculpt::core {

// Empty for the empty output, and for an unlabelled one.
inline std::vector<std::int32_t> copy_of(sculpt_labels labels) {
  return labels.size > 0 ? std::vector<std::int32_t>(labels.data, labels.data + labels.size)
                         : std::vector<std::int32_t>();
}

}  // namespace sculpt::core
