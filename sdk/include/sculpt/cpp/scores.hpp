// scores.hpp - the extension scores, for features that offer it.
//
// SPDX-License-Identifier: Apache-2.0
//
// A features class T has
//   std::uint32_t score_rule() const              SCULPT_SCORES_LARGEST, _SIGN, _ORDER or _WHOLE:
//                                                 how the scores decide the output
//   std::int64_t score_rows(std::int64_t example) const
//   void write_scores(std::int64_t example, Weights w, std::span<double> scores) const
//                                                 [rows * columns], row by row: sets all of them
// and, if a row has several columns,
//   std::int64_t score_columns() const
//   void score_name(std::int64_t column, ByteOutput& out) const
// and, if parameters or data decide,
//   bool offers_scores() const                    called after bind(): true if there are scores
#pragma once

#include <span>

#include "extensions.hpp"

namespace sculpt::detail {

struct OutputScores
    : Extension<kind_sets::features,
                Methods<method::score_rule, method::score_rows, method::write_scores>,
                Methods<method::score_columns, method::score_name, method::offers_scores>> {
  template <class T>
  static constexpr bool is_offered() {
    if constexpr (offers<method::score_columns, T>()) offers_required<method::score_name, T>();
    return Extension::is_offered<T>();
  }
  template <class T>
  static constexpr Switch<T> get_switch() {
    if constexpr (offers<method::offers_scores, T>()) {
      return [](const T& t) -> bool { return t.offers_scores(); };
    } else {
      return nullptr;
    }
  }
  template <class T>
  static std::int64_t columns(const T& features) {
    if constexpr (offers<method::score_columns, T>()) {
      return features.score_columns();
    } else {
      return (void)features, 1;
    }
  }
  template <class T>
  static constexpr sculpt_ext_scores table{
      [](const void* self, std::int64_t* out, sculpt_error* error) {
        return guarded(error, "score_columns", [&] { *out = columns(object_of<T>(self)); });
      },
      [](const void* self, std::int64_t column, sculpt_byte_buffer* out, sculpt_error* error) {
        return guarded(error, "score_name", [&] {
          ByteOutput text(out);
          if constexpr (offers<method::score_name, T>()) {
            object_of<T>(self).score_name(column, text);
          } else {
            (void)self, (void)column, text << "score";
          }
        });
      },
      [](const void* self, std::int64_t example, std::int64_t* out, sculpt_error* error) {
        return guarded(error, "score_rows", [&] { *out = object_of<T>(self).score_rows(example); });
      },
      [](const void* self, std::int64_t example, sculpt_weights w, double* scores,
         sculpt_error* error) {
        return guarded(error, "write_scores", [&] {
          const T& features = object_of<T>(self);
          const std::int64_t count = features.score_rows(example) * columns(features);
          features.write_scores(example, Weights(w),
                                std::span<double>(scores, static_cast<std::size_t>(count)));
        });
      },
      [](const void* self, std::uint32_t* out, sculpt_error* error) {
        return guarded(error, "score_rule", [&] { *out = object_of<T>(self).score_rule(); });
      }};
};

}  // namespace sculpt::detail
