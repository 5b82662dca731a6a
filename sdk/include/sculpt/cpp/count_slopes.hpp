// count_slopes.hpp - the draft extension count-slopes, for losses that are linear in their counts.
//
// SPDX-License-Identifier: Apache-2.0
//
// A loss class T without Session has
//   double count_slopes(int64_t example, Labels truth, std::span<double> slope) const
//                                             fills slope[counts], returns the constant
//   static constexpr const char* extensions[] = {SCULPT_EXT_COUNT_SLOPES};
//   const void* extension(const char* id) const { return sculpt::count_slopes_of<T>(id); }
// Not part of sculpt.hpp while the extension is a draft.
#pragma once

#include <cstring>
#include <span>

#include "../ext/draft/count_slopes.h"
#include "counts.hpp"
#include "own_extensions.hpp"

namespace sculpt {

template <class T>
inline constexpr sculpt_ext_count_slopes count_slopes_table{
    [](void* session, std::int64_t example, sculpt_labels truth, double* constant, double* slope,
       sculpt_error* error) {
      return guarded(error, "count_slopes", [&] {
        const std::size_t size = detail::counts_of(detail::object_of_session<T>(session)).size();
        *constant = session_of<T>(session).count_slopes(example, Labels(truth), {slope, size});
      });
    }};

template <class T>
const void* count_slopes_of(const char* id) {
  return std::strcmp(id, SCULPT_EXT_COUNT_SLOPES) == 0 ? &count_slopes_table<T> : nullptr;
}

}  // namespace sculpt
