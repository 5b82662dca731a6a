// groups.hpp - the extension groups, for features that offer it.
//
// SPDX-License-Identifier: Apache-2.0
//
// A features class T has
//   void weight_groups(std::span<std::int32_t> group) const    [dimension], filled with -1 before
//   static constexpr const char* extensions[] = {SCULPT_EXT_GROUPS};
//   const void* extension(const char* id) const { return sculpt::groups_of<T>(id); }
// Not part of sculpt.hpp: include it by name.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "../ext/groups.h"
#include "own_extensions.hpp"

namespace sculpt {

template <class T>
inline constexpr sculpt_ext_groups groups_table{
    [](const void* self, std::int32_t* group, sculpt_error* error) {
      return guarded(error, "weight_groups", [&] {
        const T& features = component_of<T>(self);
        const std::span<std::int32_t> all(group, static_cast<std::size_t>(features.dimension()));
        std::fill(all.begin(), all.end(), -1);
        features.weight_groups(all);
      });
    }};

template <class T>
const void* groups_of(const char* id) {
  return std::strcmp(id, SCULPT_EXT_GROUPS) == 0 ? &groups_table<T> : nullptr;
}

}  // namespace sculpt
