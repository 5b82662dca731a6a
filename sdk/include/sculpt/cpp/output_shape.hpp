// output_shape.hpp - how many labels the outputs of an example have, and which values
// (ext/output_shape.h).
//
// SPDX-License-Identifier: Apache-2.0
//
// A class of features, of a dataset or of a task offers it with one method, called after seal():
//
//   sculpt::OutputShape output_shape(std::int64_t example) const {
//     return sculpt::OutputShape::of_size(length(example), 3).complete();
//   }
//
// Features on sites with one label per site return SiteInput::output_shape(example).
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "extensions.hpp"

namespace sculpt {

struct OutputShape {
  static constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

  std::int64_t min_size = 0;
  std::int64_t max_size = no_limit;
  std::int32_t state_count = 0;          // labels are in [0, state_count); 0: any from 0 on
  const std::int32_t* states = nullptr;  // [max_size] of each position, lent until destroy
  std::uint32_t flags = 0;               // SCULPT_SHAPE_*

  // Exactly `size` labels.
  static constexpr OutputShape of_size(std::int64_t size, std::int32_t state_count = 0) {
    return {size, size, state_count};
  }
  // One label for each entry of `states`, which is lent until destroy: in [0, states[p]).
  static OutputShape of_states(std::span<const std::int32_t> states) {
    const auto size = static_cast<std::int64_t>(states.size());
    return {size, size, 0, states.data()};
  }
  // From `min_size` to `max_size` labels.
  static constexpr OutputShape between(std::int64_t min_size, std::int64_t max_size,
                                       std::int32_t state_count = 0) {
    return {min_size, max_size, state_count};
  }
  // Any labels, any number of them.
  static constexpr OutputShape free() { return {}; }

  // The same shape, if every array of this shape is an output.
  constexpr OutputShape complete() const { return with(SCULPT_SHAPE_COMPLETE); }
  // The same shape, if all examples have it.
  constexpr OutputShape same_for_all() const { return with(SCULPT_SHAPE_SAME); }

 private:
  constexpr OutputShape with(std::uint32_t flag) const {
    OutputShape shape = *this;
    shape.flags |= flag;
    return shape;
  }
};

namespace detail {

struct ShapeOfOutputs : Extension<kind_sets::dataset_or_features, Methods<method::output_shape>> {
  template <class T>
  static constexpr sculpt_ext_output_shape table{[](const void* self, std::int64_t example,
                                                    sculpt_output_shape* out, sculpt_error* error) {
    return guarded(error, "output_shape", [&] {
      const OutputShape shape = object_of<T>(self).output_shape(example);
      fill_record(out, sculpt_output_shape{sizeof(sculpt_output_shape), shape.flags, shape.min_size,
                                           shape.max_size, shape.states, shape.state_count, 0});
    });
  }};
};

}  // namespace detail
}  // namespace sculpt
