// edge_kinds.hpp - the draft extension edge-kinds, for datasets that offer it and for features that
// use it.
//
// SPDX-License-Identifier: Apache-2.0
//
// A dataset class T has edge_kind_count(), edge_kind_name(kind, out), edge_kinds(example), and
//   static constexpr const char* extensions[] = {SCULPT_EXT_EDGE_KINDS};
//   const void* extension(const char* id) const { return sculpt::edge_kinds_of<T>(id); }
// Not part of sculpt.hpp while the extension is a draft.
#pragma once

#include <cstring>

#include "../ext/draft/edge_kinds.h"
#include "own_extensions.hpp"

namespace sculpt {

template <class T>
inline constexpr sculpt_ext_edge_kinds edge_kinds_table{
    [](const void* self, std::int32_t* out, sculpt_error* error) {
      return guarded(error, "edge_kind_count",
                     [&] { *out = component_of<T>(self).edge_kind_count(); });
    },
    [](const void* self, std::int32_t kind, sculpt_byte_buffer* out, sculpt_error* error) {
      return guarded(error, "edge_kind_name", [&] {
        ByteOutput text(out);
        component_of<T>(self).edge_kind_name(kind, text);
      });
    },
    [](const void* self, std::int64_t example, const std::int32_t** out, sculpt_error* error) {
      return guarded(error, "edge_kinds",
                     [&] { *out = component_of<T>(self).edge_kinds(example); });
    }};

template <class T>
const void* edge_kinds_of(const char* id) {
  return std::strcmp(id, SCULPT_EXT_EDGE_KINDS) == 0 ? &edge_kinds_table<T> : nullptr;
}

// The edge kinds of the dataset that features are bound to. There is one kind if the dataset does
// not offer the extension.
class EdgeKinds {
 public:
  EdgeKinds() = default;
  explicit EdgeKinds(Ref dataset)
      : dataset_(dataset),
        table_(
            static_cast<const sculpt_ext_edge_kinds*>(dataset.extension(SCULPT_EXT_EDGE_KINDS))) {
    if (table_ == nullptr) return;
    detail::ErrorText error;
    error.check(table_->count(dataset_.self(), &count_, error.pointer()));
  }

  std::int32_t count() const { return count_; }

  // Returns the kind of each edge of the example, [edge_count]. nullptr means that all are of kind
  // 0.
  const std::int32_t* of(std::int64_t example) const {
    if (table_ == nullptr) return nullptr;
    const std::int32_t* kinds = nullptr;
    detail::ErrorText error;
    error.check(table_->kinds(dataset_.self(), example, &kinds, error.pointer()));
    return kinds;
  }

  void name(std::int32_t kind, ByteOutput& out) const {
    if (table_ == nullptr) {
      out << "edge";
      return;
    }
    detail::ErrorText error;
    error.check(table_->name(dataset_.self(), kind, out.raw(), error.pointer()));
  }

 private:
  Ref dataset_;
  const sculpt_ext_edge_kinds* table_ = nullptr;
  std::int32_t count_ = 1;
};

}  // namespace sculpt
