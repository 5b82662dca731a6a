// own_extensions.hpp - for components that offer function tables that this SDK does not know:
// private extensions, and drafts without a header in cpp/ (drafts.hpp).
//
// SPDX-License-Identifier: Apache-2.0
//
//   struct Words {
//     static constexpr const char* extensions[] = {"org.example.synonyms/1"};
//     const void* extension(const char* id) const;   // the table of that id, or nullptr
//   };
//
// extension() is called for the listed ids only. A table must stay valid as long as the library is
// loaded: make it a constant. Its functions get `self` or `session` as void*, and their object from
// component_of(), mutable_component_of() or session_of(). Structs with struct_size are written by
// fill_record(out, value), which leaves out what an older caller does not know. No exception may
// leave them. So they return guarded(error, "name of the method", body). It runs `body`, turns
// every exception into a status and writes its text to `error` (error.hpp).
//
// A component that uses such a table of another one gets it from Ref::extension(id) (refs.hpp), and
// calls its functions by checked_call() (error.hpp).
#pragma once

#include "life.hpp"

namespace sculpt {

using detail::fill_record;
using detail::guarded;

// Returns the object of a component from its `self`.
template <class T>
const T& component_of(const void* self) {
  return detail::object_of<T>(self);
}

// The same, for functions that change the component: those called before seal().
template <class T>
T& mutable_component_of(void* self) {
  return detail::object_of<T>(self);
}

// Returns the object of a [worker] function (plugin.h defines the tag): the T::Session of its
// thread, or const T if T has no Session.
template <class T>
auto& session_of(void* session) {
  if constexpr (detail::HasSession<T>) {
    return static_cast<detail::SessionInstance<T>*>(session)->session;
  } else {
    return component_of<T>(session);
  }
}

}  // namespace sculpt
