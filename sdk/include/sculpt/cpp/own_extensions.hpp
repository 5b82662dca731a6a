// own_extensions.hpp - function tables of one's own: drafts (ext/draft) and private extensions.
//
// SPDX-License-Identifier: Apache-2.0
//
//   struct Counts {
//     static constexpr const char* extensions[] = {SCULPT_EXT_EXPECTATION};
//     const void* extension(const char* id) const;   // the table of that id, or nullptr
//   };
//
// Functions of such a table get `self` or `session` as void*. They run their body in guarded() and
// reach their object through component_of() or session_of().
#pragma once

#include "life.hpp"

namespace sculpt {

using detail::guarded;

// The object behind the `self` of a component.
template <class T>
const T& component_of(const void* self) {
  return detail::object_of<T>(self);
}

// What a [worker] function works on: the T::Session of its thread, or const T without one.
template <class T>
auto& session_of(void* session) {
  if constexpr (detail::HasSession<T>) {
    return static_cast<detail::SessionBox<T>*>(session)->session;
  } else {
    return component_of<T>(session);
  }
}

}  // namespace sculpt
