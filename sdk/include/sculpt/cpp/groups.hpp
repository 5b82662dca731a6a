// groups.hpp - the extension groups, for features that offer it.
//
// SPDX-License-Identifier: Apache-2.0
//
// A features class T has
//   void weight_groups(std::span<std::int32_t> group) const    [dimension], filled with -1 before
#pragma once

#include <algorithm>
#include <span>

#include "extensions.hpp"

namespace sculpt::detail {

struct WeightGroups : Extension<kind_sets::features, Methods<method::weight_groups>> {
  template <class T>
  static constexpr sculpt_ext_groups table{
      [](const void* self, std::int32_t* group, sculpt_error* error) {
        return guarded(error, "weight_groups", [&] {
          const T& features = object_of<T>(self);
          const std::span<std::int32_t> all(group, static_cast<std::size_t>(features.dimension()));
          std::fill(all.begin(), all.end(), -1);
          features.weight_groups(all);
        });
      }};
};

}  // namespace sculpt::detail
