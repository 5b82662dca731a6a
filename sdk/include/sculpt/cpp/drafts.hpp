// drafts.hpp - the drafts that a component class offers, of those that this SDK knows.
//
// SPDX-License-Identifier: Apache-2.0
//
//   using drafts = sculpt::Drafts<sculpt::EdgeKinds>;
//
// An extension that may still change (ext/draft) is offered only if the class lists it here. Its
// methods are those of the header that defines its name: edge_kinds.hpp. A listed
// draft without its methods is an error of the compiler. own_extensions.hpp has the way for others.
#pragma once

#include "extensions.hpp"

namespace sculpt {

// A name D in the list has D::Of<kind>: the extension (extensions.hpp) that a component of this
// kind offers for it, or void.
template <class... D>
struct Drafts {};

namespace detail {

struct DraftsName {
  SCULPT_IS_NAMED(drafts)
};
template <class List>
inline constexpr bool is_draft_list = false;
template <class... D>
inline constexpr bool is_draft_list<Drafts<D...>> = true;
template <class T>
concept HasDrafts = requires {
  requires is_draft_list<typename T::drafts>;
};

template <class T>
constexpr bool check_drafts() {
  static_assert(HasDrafts<T> || !DraftsName::is_named<T>(),
                "`drafts` of a component must be a public type: using drafts = "
                "sculpt::Drafts<sculpt::EdgeKinds, ...>");
  return HasDrafts<T>;
}

// True if components of one of these kinds can offer the draft.
template <class D, std::uint32_t kinds, std::uint32_t... kind>
constexpr bool is_draft_of(std::integer_sequence<std::uint32_t, kind...>) {
  return (((kinds & bit_of(kind)) != 0 && !std::is_void_v<typename D::template Of<kind>>) || ...);
}
// Refuses drafts that none of these kinds of components can offer.
template <std::uint32_t kinds, class... D>
constexpr void check_draft_kinds(Drafts<D...>) {
  using AllKinds = std::make_integer_sequence<std::uint32_t, SCULPT_KIND_KERNEL + 1>;
  static_assert((is_draft_of<D, kinds>(AllKinds()) && ...),
                "a draft in `drafts` is for components of another kind");
}

}  // namespace detail
}  // namespace sculpt
