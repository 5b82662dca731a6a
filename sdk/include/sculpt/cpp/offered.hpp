// offered.hpp - the extensions that a class offers as a component of a kind, with their tables.
//
// SPDX-License-Identifier: Apache-2.0
//
// Used by kinds.hpp.
#pragma once

#include <array>
#include <cstring>
#include <string_view>

#include "../ext/kernel.h"
#include "batch_argmax.hpp"
#include "column_scale.hpp"
#include "complete.hpp"
#include "counts.hpp"
#include "cuts.hpp"
#include "distribution.hpp"
#include "drafts.hpp"
#include "groups.hpp"
#include "items.hpp"
#include "output_shape.hpp"
#include "row_blocks.hpp"
#include "scores.hpp"
#include "worker_extensions.hpp"

namespace sculpt::detail {

template <class... E>
struct ExtensionList {};
// All extensions that the wrapper finds by their methods.
using KnownExtensions =
    ExtensionList<State, Sites, Width, ColumnScales, ExamplePlace, TrainingWeights, LabelText,
                  OutputItems, ShapeOfOutputs, WeightNames, WeightColumns, BlocksOfRows,
                  FactorGraph, WeightBounds, WeightGroups, OutputScores, FactorLoss, Metrics,
                  CountLoss, FactorCounts, Enumerate, Frontier, BatchArgmax, Completion, OracleCut,
                  MapCut, OracleExpectation, MapExpectation, OracleKBest, MapKBest, OracleSample,
                  MapSample>;

// True if T offers E as a component of this kind. In a task, the part that owns the object
// (`owner`) offers the state, and the loss offers the metrics.
template <class T, class E, std::uint32_t kind, bool owner, bool metrics_allowed>
constexpr bool offers_extension() {
  constexpr bool is_of_kind = (E::kinds & bit_of(kind)) != 0;
  constexpr bool is_left_to_owner = std::is_same_v<E, State> && !owner;
  constexpr bool is_left_to_loss = std::is_same_v<E, Metrics> && !metrics_allowed;
  if constexpr (is_of_kind && !is_left_to_owner && !is_left_to_loss) {
    return E::template is_offered<T>();
  } else {
    return false;
  }
}

template <class T, std::uint32_t kind, bool owner, bool metrics_allowed>
struct Extensions {
  // An extension that T offers.
  struct Offer {
    const char* id;
    const void* table;
    Switch<T> is_on;  // nullptr: always
  };

  // Loops and plain arrays compile faster here than algorithms and spans.
  struct Offers {
    Offer all[32] = {};  // the first `count`
    std::size_t count = 0;

    constexpr const Offer* begin() const { return all; }
    constexpr const Offer* end() const { return all + count; }
  };
  template <class E>
  static constexpr void add(Offers& offers) {
    using Table = std::remove_cvref_t<decltype(E::template table<T>)>;
    offers.all[offers.count++] = {extension_id<Table>, &E::template table<T>,
                                  E::template get_switch<T>()};
  }
  template <class E>
  static constexpr void add_known(Offers& offers) {
    if constexpr (offers_extension<T, E, kind, owner, metrics_allowed>()) add<E>(offers);
  }
  template <class E>
  static constexpr void add_draft(Offers& offers) {
    if constexpr (!std::is_void_v<E>) {
      if constexpr (offers_each<T>(typename E::Required())) add<E>(offers);
    }
  }
  template <class... E>
  static constexpr void add_all(Offers& offers, ExtensionList<E...>) {
    (add_known<E>(offers), ...);
  }
  template <class... D>
  static constexpr void add_all(Offers& offers, Drafts<D...>) {
    (add_draft<typename D::template Of<kind>>(offers), ...);
  }
  static constexpr Offers offers_of_class = [] {
    Offers offers;
    add_all(offers, KnownExtensions());
    if constexpr (check_drafts<T>()) add_all(offers, typename T::drafts());
    // This id says which layout the table of a kernel has. No table belongs to it.
    if constexpr (kind == SCULPT_KIND_KERNEL) {
      offers.all[offers.count++] = {SCULPT_EXT_KERNEL, nullptr, nullptr};
    }
    return offers;
  }();

  // The ids that T answers by itself: with the list of them, and a method (own_extensions.hpp).
  static constexpr std::span<const char* const> own_ids = [] {
    constexpr Finding of_list = list::extensions::find<T>();
    constexpr Finding of_method = find_method<method::extension, T>();
    std::span<const char* const> ids;
    if constexpr (of_list != Finding::absent || of_method != Finding::absent) {
      constexpr bool has_list = list::extensions::check<T, required(of_list)>();
      if constexpr (offers_required<method::extension, T>() && has_list) {
        ids = list_of<list::extensions, T>();
      }
    }
    return ids;
  }();

  // Returns nullptr also if a method of T throws, because there is no status to return.
  static const void* find(const void* self, const char* id) noexcept try {
    // A part of a task has no object before bind().
    const T* const object = static_cast<const Instance<T>*>(self)->object;
    for (const Offer& offer : offers_of_class) {
      if (sculpt_is_extension(id, offer.id) == 0) continue;
      const bool is_on = offer.is_on == nullptr || (object != nullptr && offer.is_on(*object));
      return is_on ? offer.table : nullptr;
    }
    if constexpr (!own_ids.empty()) {
      for (const char* own : own_ids) {
        if (object != nullptr && sculpt_is_extension(id, own) != 0) return object->extension(own);
      }
    }
    return nullptr;
  } catch (...) {
    return nullptr;
  }

  // The id without its version.
  static constexpr std::string_view name_of(std::string_view id) {
    return id.substr(0, id.rfind('/'));
  }

  // True if T lists an extension whose table the wrapper offers. T would not be asked for it.
  static constexpr bool lists_offered_id() {
    for (const char* own : own_ids) {
      for (const Offer& offer : offers_of_class) {
        if (name_of(own) == name_of(offer.id)) return true;
      }
    }
    return false;
  }

  // The ids of all extensions.
  static constexpr auto ids = [] {
    static_assert(!lists_offered_id(),
                  "`extensions` of a component lists an id that its methods or `drafts` offer "
                  "already; remove the id there, or rename the methods");
    std::array<const char*, offers_of_class.count + own_ids.size()> all{};
    std::size_t n = 0;
    for (const Offer& offer : offers_of_class) all[n++] = offer.id;
    for (const char* id : own_ids) all[n++] = id;
    return all;
  }();
};

// Refuses methods of T that only components of other kinds use. `kinds`: those that T is used as.
template <class T, class M>
constexpr void refuse_if_it_fits() {
  if constexpr (find_method<M, T>() == Finding::fits) M::template refuse_kind<T>();
}
template <class T, class... M>
constexpr void refuse_methods(Methods<M...>) {
  (refuse_if_it_fits<T, M>(), ...);
}
template <class T, class E, std::uint32_t kinds>
constexpr void check_kinds_of() {
  if constexpr ((E::kinds_with_methods & kinds) == 0) refuse_methods<T>(typename E::Required());
}
template <class T, std::uint32_t kinds, class... E>
constexpr void check_kinds(ExtensionList<E...>) {
  (check_kinds_of<T, E, kinds>(), ...);
  if constexpr (HasDrafts<T>) check_draft_kinds<kinds>(typename T::drafts());
}

}  // namespace sculpt::detail
