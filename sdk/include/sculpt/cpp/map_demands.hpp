// map_demands.hpp - the draft extension map-demands, for map_solvers that accept several
// alternative sets of graph classes.
//
// SPDX-License-Identifier: Apache-2.0
//
// A map_solver class T has, in place of demands(),
//   std::span<const std::uint32_t> demand_alternatives() const;   valid as long as the object
//   std::uint32_t frontier_demands() const;                       optional: 0 without it
//   static constexpr const char* extensions[] = {SCULPT_EXT_MAP_DEMANDS};
//   const void* extension(const char* id) const { return sculpt::map_demands_of<T>(id); }
// Not part of sculpt.hpp while the extension is a draft.
#pragma once

#include <cstring>

#include "../ext/draft/map_demands.h"
#include "own_extensions.hpp"

namespace sculpt {

template <class T>
inline constexpr sculpt_ext_map_demands map_demands_table{
    [](const void* self, const std::uint32_t** out, std::int64_t* count, sculpt_error* error) {
      return guarded(error, "demand_alternatives", [&] {
        const std::span<const std::uint32_t> all = component_of<T>(self).demand_alternatives();
        *out = all.data();
        *count = static_cast<std::int64_t>(all.size());
      });
    },
    [](const void* self, std::uint32_t* out, sculpt_error* error) {
      return guarded(error, "frontier_demands", [&] {
        if constexpr (requires(const T& t) { t.frontier_demands(); }) {
          *out = component_of<T>(self).frontier_demands();
        } else {
          (void)self, *out = 0;
        }
      });
    }};

template <class T>
const void* map_demands_of(const char* id) {
  return std::strcmp(id, SCULPT_EXT_MAP_DEMANDS) == 0 ? &map_demands_table<T> : nullptr;
}

}  // namespace sculpt
