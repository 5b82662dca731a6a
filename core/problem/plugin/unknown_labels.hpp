// unknown_labels.hpp - the entries of a truth that are no label of an output.
//
// They are negative: -1 is unobserved, and sculpt::unseen_label is a label that training does not
// have. Features have no psi of such a truth, and datasets do not format it.
#pragma once

#include <sculpt/data.h>

#include <algorithm>
#include <cstdint>

namespace sculpt::core {

inline bool has_unknown_label(sculpt_labels labels) {
  return std::any_of(labels.data, labels.data + labels.size,
                     [](std::int32_t label) { return label < 0; });
}

}  // namespace sculpt::core
