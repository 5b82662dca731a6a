// column_scale.hpp - the draft column-scale: tells the host how columns are scaled, and which
// weight belongs to which column.
//
// SPDX-License-Identifier: Apache-2.0
//
// A dataset with scaled_rows() (scaling.hpp) and sites offers it without a method of its own.
// Features over sites have
//
//   std::int64_t weight_column(std::int64_t weight) const     the column of a weight, -1: none
//
// most often by SiteWeights::column() (site_weights.hpp). Used by offered.hpp.
#pragma once

#include <string>

#include "extensions.hpp"

namespace sculpt::detail {

// Throws E_INVALID unless the index lies in [0, count).
inline void require_index(std::int64_t index, std::int64_t count, const char* what) {
  if (index >= 0 && index < count) return;
  throw Error(SCULPT_E_INVALID, std::string(what) + " " + std::to_string(index) +
                                    " does not exist; there are " + std::to_string(count));
}

struct ColumnScales : Extension<kind_sets::dataset, Methods<method::scaled_rows>> {
  template <class T>
  static constexpr bool is_offered() {
    return Extension::is_offered<T>() && Sites::is_offered<T>();
  }
  template <class T>
  static constexpr sculpt_ext_column_scale table{
      [](const void* self, std::int64_t feature, sculpt_column_scale* out, sculpt_error* error) {
        return guarded(error, "column_scale", [&] {
          require_index(feature, object_of<T>(self).feature_count(), "feature");
          const ColumnScale scale =
              mutable_object_of<T>(self).scaled_rows().scaling().scale_of(feature);
          fill_record(
              out, sculpt_column_scale{sizeof(sculpt_column_scale), 0, scale.shift, scale.divisor});
        });
      },
      [](const void* self, std::int64_t feature, sculpt_byte_buffer* out, sculpt_error* error) {
        return guarded(error, "feature_name", [&] {
          require_index(feature, object_of<T>(self).feature_count(), "feature");
          ByteOutput text(out);
          write_feature_name(object_of<T>(self), feature, text);
        });
      }};
};

struct WeightColumns : Extension<kind_sets::features, Methods<method::weight_column>> {
  template <class T>
  static constexpr sculpt_ext_weight_column table{
      [](const void* self, std::int64_t weight, std::int64_t* out, sculpt_error* error) {
        return guarded(error, "weight_column", [&] {
          const T& features = object_of<T>(self);
          require_index(weight, features.dimension(), "weight");
          *out = features.weight_column(weight);
        });
      }};
};

}  // namespace sculpt::detail
