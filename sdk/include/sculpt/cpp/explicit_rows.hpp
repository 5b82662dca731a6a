// explicit_rows.hpp - the draft extension explicit-rows: kernels that offer phi itself.
//
// SPDX-License-Identifier: Apache-2.0
//
// A kernel class T (kernels.hpp) has
//
//   using drafts = sculpt::Drafts<sculpt::ExplicitRows>;
//   explicit_width()   the number of columns of phi; throws E_UNSUPPORTED if there are too many
//   explicit_name()    the name of a column
//   explicit_row()     adds phi of an atom to a sum
//
// Not part of sculpt.hpp while the extension is a draft.
#pragma once

#include "../ext/draft/explicit_rows.h"
#include "drafts.hpp"
#include "kinds.hpp"

namespace sculpt {

namespace detail {

template <>
inline constexpr const char* extension_id<sculpt_ext_explicit_rows> = SCULPT_EXT_EXPLICIT_ROWS;

struct KernelExplicitRows
    : Extension<kind_sets::kernel,
                Methods<method::explicit_width, method::explicit_name, method::explicit_row>> {
  template <class T>
  static constexpr sculpt_ext_explicit_rows table{
      [](const void* self, std::int64_t* out, sculpt_error* error) {
        return guarded(error, "explicit_width",
                       [&] { *out = object_of<T>(self).explicit_width(); });
      },
      [](const void* self, std::int64_t column, sculpt_byte_buffer* out, sculpt_error* error) {
        return guarded(error, "explicit_name", [&] {
          ByteOutput text(out);
          object_of<T>(self).explicit_name(column, text);
        });
      },
      [](const void* self, std::int64_t atom, sculpt_accumulator* out, sculpt_error* error) {
        return guarded(error, "explicit_row", [&] {
          Sum sum(out, 1);
          object_of<T>(self).explicit_row(atom, sum);
        });
      }};
};

}  // namespace detail

// The name of the draft in the list `drafts` of a kernel.
struct ExplicitRows {
  template <std::uint32_t kind>
  using Of = std::conditional_t<kind == SCULPT_KIND_KERNEL, detail::KernelExplicitRows, void>;
};

}  // namespace sculpt
