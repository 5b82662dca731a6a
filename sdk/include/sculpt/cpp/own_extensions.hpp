// own_extensions.hpp - how a component offers function tables of its own: draft (ext/draft) or
// private extensions.
//
// SPDX-License-Identifier: Apache-2.0
//
//   struct Counts {
//     static constexpr const char* extensions[] = {SCULPT_EXT_EXPECTATION};
//     const void* extension(const char* id) const;   // the table of that id, or nullptr
//   };
//
// Functions of such a table get `self` or `session` as void*. They run their body in guarded(), and
// get their object from component_of() or session_of().
#pragma once

#include "life.hpp"

namespace sculpt {

using detail::guarded;

// Returns the object of a component from its `self`.
template <class T>
const T& component_of(const void* self) {
  return detail::object_of<T>(self);
}

// Returns the object of a [worker] function: the T::Session of its thread, or const T if T has no
// Session.
template <class T>
auto& session_of(void* session) {
  if constexpr (detail::HasSession<T>) {
    return static_cast<detail::SessionBox<T>*>(session)->session;
  } else {
    return component_of<T>(session);
  }
}

}  // namespace sculpt
