// column_scale.hpp - the draft column-scale: tells the host how columns are scaled, and which
// weight belongs to which column.
//
// SPDX-License-Identifier: Apache-2.0
//
// A dataset with scaled_rows() (scaling.hpp) offers it without a method of its own. Features over
// sites have
//
//   std::int64_t weight_column(std::int64_t weight) const     the column of a weight, -1: none
//
// most often by SiteWeights::column() (site_weights.hpp). Used by offered.hpp.
#pragma once

#include "extensions.hpp"

namespace sculpt::detail {

// For every dataset with scaled_rows().
struct ColumnScales : Extension<kind_sets::dataset, Methods<method::scaled_rows>> {
  template <class T>
  static constexpr sculpt_ext_column_scale table{
      [](const void* self, std::int64_t feature, sculpt_column_scale* out, sculpt_error* error) {
        return guarded(error, "column_scale", [&] {
          const ColumnScale scale =
              mutable_object_of<T>(self).scaled_rows().scaling().scale_of(feature);
          fill_record(
              out, sculpt_column_scale{sizeof(sculpt_column_scale), 0, scale.shift, scale.divisor});
        });
      },
      [](const void* self, std::int64_t feature, sculpt_byte_buffer* out, sculpt_error* error) {
        return guarded(error, "feature_name", [&] {
          ByteOutput text(out);
          write_feature_name(object_of<T>(self), feature, text);
        });
      }};
};

struct WeightColumns : Extension<kind_sets::features, Methods<method::weight_column>> {
  template <class T>
  static constexpr sculpt_ext_weight_column table{
      [](const void* self, std::int64_t weight, std::int64_t* out, sculpt_error* error) {
        return guarded(error, "weight_column",
                       [&] { *out = object_of<T>(self).weight_column(weight); });
      }};
};

}  // namespace sculpt::detail
