// edge_kinds.hpp - the draft extension edge-kinds, for datasets that offer it and for features that
// use it.
//
// SPDX-License-Identifier: Apache-2.0
//
// A dataset class T has edge_kind_count(), edge_kind_name(kind, out), edge_kinds(example), and
//   using drafts = sculpt::Drafts<sculpt::EdgeKinds>;
// Not part of sculpt.hpp while the extension is a draft.
#pragma once

#include "../ext/draft/edge_kinds.h"
#include "drafts.hpp"
#include "lent.hpp"

namespace sculpt {

namespace detail {

template <>
inline constexpr const char* extension_id<sculpt_ext_edge_kinds> = SCULPT_EXT_EDGE_KINDS;

struct DatasetEdgeKinds
    : Extension<kind_sets::dataset,
                Methods<method::edge_kind_count, method::edge_kind_name, method::edge_kinds>> {
  template <class T>
  static constexpr sculpt_ext_edge_kinds table{
      [](const void* self, std::int32_t* out, sculpt_error* error) {
        return guarded(error, "edge_kind_count",
                       [&] { *out = object_of<T>(self).edge_kind_count(); });
      },
      [](const void* self, std::int32_t kind, sculpt_byte_buffer* out, sculpt_error* error) {
        return guarded(error, "edge_kind_name", [&] {
          ByteOutput text(out);
          object_of<T>(self).edge_kind_name(kind, text);
        });
      },
      [](const void* self, std::int64_t example, const std::int32_t** out, sculpt_error* error) {
        return guarded(error, "edge_kinds", [&] { *out = object_of<T>(self).edge_kinds(example); });
      }};
};

}  // namespace detail

// The edge kinds of the dataset that features are bound to. There is one kind if the dataset does
// not offer the extension.
class EdgeKinds : private ExtensionRef<sculpt_ext_edge_kinds> {
 public:
  // The extension of a dataset that lists EdgeKinds among its `drafts`.
  template <std::uint32_t kind>
  using Of = std::conditional_t<kind == SCULPT_KIND_DATASET, detail::DatasetEdgeKinds, void>;

  EdgeKinds() = default;
  explicit EdgeKinds(Ref dataset) : ExtensionRef(is_offered_by(dataset) ? dataset : Ref()) {
    if (!present()) return;
    checked_call([&](sculpt_error* error) { return table().count(self(), &count_, error); });
  }

  std::int32_t count() const { return count_; }

  // Returns the kind of each edge of the example, [edge_count]. nullptr means that all are of kind
  // 0.
  const std::int32_t* of(std::int64_t example) const {
    if (!present()) return nullptr;
    const std::int32_t* kinds = nullptr;
    checked_call(
        [&](sculpt_error* error) { return table().kinds(self(), example, &kinds, error); });
    return kinds;
  }

  void name(std::int32_t kind, ByteOutput& out) const {
    if (!present()) {
      out << "edge";
      return;
    }
    checked_call([&](sculpt_error* error) { return table().name(self(), kind, out.raw(), error); });
  }

 private:
  std::int32_t count_ = 1;
};

}  // namespace sculpt
