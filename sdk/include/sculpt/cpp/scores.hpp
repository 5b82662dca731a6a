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
//   static constexpr const char* extensions[] = {SCULPT_EXT_SCORES};
//   const void* extension(const char* id) const { return sculpt::scores_of<T>(id); }
// and, if a row has several columns,
//   std::int64_t score_columns() const
//   void score_name(std::int64_t column, ByteOutput& out) const
// Not part of sculpt.hpp: include it by name.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>

#include "../ext/scores.h"
#include "own_extensions.hpp"

namespace sculpt {

namespace detail {

template <class T>
std::int64_t score_columns(const T& features) {
  if constexpr (requires { features.score_columns(); }) {
    return features.score_columns();
  } else {
    return 1;
  }
}

}  // namespace detail

template <class T>
inline constexpr sculpt_ext_scores scores_table{
    [](const void* self, std::int64_t* out, sculpt_error* error) {
      return guarded(error, "score_columns",
                     [&] { *out = detail::score_columns(component_of<T>(self)); });
    },
    [](const void* self, std::int64_t column, sculpt_byte_buffer* out, sculpt_error* error) {
      return guarded(error, "score_name", [&] {
        ByteOutput text(out);
        if constexpr (requires { &T::score_name; }) {
          component_of<T>(self).score_name(column, text);
        } else {
          text << "score";
        }
      });
    },
    [](const void* self, std::int64_t example, std::int64_t* out, sculpt_error* error) {
      return guarded(error, "score_rows",
                     [&] { *out = component_of<T>(self).score_rows(example); });
    },
    [](const void* self, std::int64_t example, sculpt_weights w, double* scores,
       sculpt_error* error) {
      return guarded(error, "write_scores", [&] {
        const T& features = component_of<T>(self);
        const std::int64_t count = features.score_rows(example) * detail::score_columns(features);
        features.write_scores(example, Weights(w), {scores, static_cast<std::size_t>(count)});
      });
    },
    [](const void* self, std::uint32_t* out, sculpt_error* error) {
      return guarded(error, "score_rule", [&] { *out = component_of<T>(self).score_rule(); });
    }};

template <class T>
const void* scores_of(const char* id) {
  static_assert(
      requires(const T& features) {
        { features.score_rule() } -> std::convertible_to<std::uint32_t>;
      },
      "scores need std::uint32_t score_rule() const: how they decide the output, one of "
      "SCULPT_SCORES_LARGEST, _SIGN, _ORDER and _WHOLE (ext/scores.h)");
  return std::strcmp(id, SCULPT_EXT_SCORES) == 0 ? &scores_table<T> : nullptr;
}

}  // namespace sculpt
