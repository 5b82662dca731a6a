// life.hpp - turns a C++ class into the function table (sculpt_life) of a component.
//
// SPDX-License-Identifier: Apache-2.0
//
// A component class T has
//   static constexpr sculpt::About about{id, version, summary};
//   T(const Parameters&, Host), T(const Parameters&), T(Host), T()   the first that exists is used
//
// and, all optional:
//   static constexpr sculpt_parameter parameters[] = {...};     lists.hpp
//   void bind(const Bindings&)                                  the components that it may use
//   void check_bindings(const Bindings&) const                  of oracles, at the end of bind:
//                                                               throws for components that it
//                                                               cannot use
//   void seal()                                                 ends the setup
//   struct Session { explicit Session(const T&); ... }          scratch memory of one thread
//   struct Session { Session(const T&, const Bindings&); ... }  the same, with what T is bound to
//   SiteStore& scaled_rows()                                    of datasets: the parameter
//                                                               `scaling` (scaling.hpp)
//   const void* extension(const char* id) const                 own_extensions.hpp
//
// Functions marked [worker] are called from many threads at once. Write them as const members of T,
// or as members of T::Session if they need scratch memory: each thread has a Session of its own.
#pragma once

#include <array>
#include <concepts>
#include <memory>
#include <utility>

#include "class_checks.hpp"
#include "host.hpp"
#include "large_arrays.hpp"
#include "parameters.hpp"
#include "refs.hpp"
#include "scaling.hpp"

namespace sculpt {

namespace detail {

// Datasets whose rows can be scaled (scaling.hpp).
template <class T>
inline constexpr bool scales_rows = offers<method::scaled_rows, T>();

template <class T>
constexpr bool declares_scaling() {
  return declares_parameter<T>([](std::string_view name) { return name == scaling().name; });
}
// The parameters of T, and `scaling` if T scales rows and does not declare it.
template <class T>
inline constexpr auto parameters_of = [] {
  constexpr std::span<const sculpt_parameter> own = list_of<list::parameters, T>();
  std::array<sculpt_parameter, own.size() + (scales_rows<T> && !declares_scaling<T>() ? 1 : 0)>
      all{};
  for (std::size_t k = 0; k < own.size(); ++k) all[k] = own[k];
  if constexpr (all.size() > own.size()) all.back() = scaling();
  return all;
}();
template <class T>
constexpr const sculpt_parameter* parameter_table() {
  return parameters_of<T>.empty() ? nullptr : parameters_of<T>.data();
}
template <class T>
constexpr std::int64_t parameter_count() {
  return static_cast<std::int64_t>(parameters_of<T>.size());
}

// Calls the first constructor of the list above that T has.
template <class T>
std::unique_ptr<T> construct(const sculpt_host* host, const sculpt_value* values) {
  const Parameters parameters(parameter_table<T>(), parameter_count<T>(), values);
  const ScopedHostOfArrays scope(host);
  if constexpr (std::constructible_from<T, const Parameters&, Host>) {
    return std::make_unique<T>(parameters, Host(host));
  } else if constexpr (std::constructible_from<T, const Parameters&>) {
    return std::make_unique<T>(parameters);
  } else if constexpr (std::constructible_from<T, Host>) {
    return std::make_unique<T>(Host(host));
  } else {
    return std::make_unique<T>();
  }
}

// The `self` of a component. It owns its object, or, in a task, refers to the object of the part
// that owns it (task.hpp).
template <class T>
struct Instance {
  std::unique_ptr<T> owned;
  T* object = nullptr;
  const sculpt_host* host = nullptr;
  Bindings bindings;          // for sessions
  std::uint32_t demands = 0;  // of a map_solver with one set of them, for the host to point to
};
template <class T>
struct SessionInstance;
// A session, with the object that it belongs to.
template <HasSession T>
struct SessionInstance<T> {
  explicit SessionInstance(const Instance<T>& owner)
      : object(owner.object), session([&] {
          if constexpr (SessionGetsBindings<T>) {
            return typename T::Session(*owner.object, owner.bindings);
          } else {
            return typename T::Session(*owner.object);
          }
        }()) {}
  const T* object;
  typename T::Session session;
  std::int64_t frontier_width = 0;  // scores in a slice of the current frontier
};

template <class T>
T& object_of(void* self) {
  return *static_cast<Instance<T>*>(self)->object;
}
template <class T>
const T& object_of(const void* self) {
  return *static_cast<const Instance<T>*>(self)->object;
}

// The object as non-const, for scaled_rows(). The caller must not change it.
template <class T>
T& mutable_object_of(const void* self) {
  return *static_cast<const Instance<T>*>(self)->object;
}

// Returns the object that a session belongs to.
template <class T>
const T& object_of_session(void* session) {
  if constexpr (HasSession<T>) {
    return *static_cast<SessionInstance<T>*>(session)->object;
  } else {
    return object_of<T>(static_cast<const void*>(session));
  }
}

// Returns the object of the [worker] method M: the T::Session of a thread if it has M, else const
// T.
template <class M, class T>
auto& worker_of(void* session) {
  if constexpr (HasSession<T>) {
    auto* instance = static_cast<SessionInstance<T>*>(session);
    if constexpr (fits<M, typename T::Session>) {
      return instance->session;
    } else {
      return *instance->object;
    }
  } else {
    return std::as_const(object_of<T>(session));
  }
}

// The component owns its object: the usual case. task.hpp has the other case.
struct Owner {
  static constexpr bool owns = true;
};

// The functions of a component's life: create, bind, seal, sessions. All exceptions become a
// status. `OwnershipPolicy`: Owner above, or one of those in task.hpp. `kind`: of the component.
template <class T, class OwnershipPolicy,
          const void* (*find_extension)(const void* self, const char* id) noexcept,
          std::uint32_t kind>
struct Life {
  static sculpt_status create(const sculpt_host* host, const sculpt_value* values, void** self,
                              sculpt_error* error) {
    return guarded(error, "create", [&] {
      auto instance = std::make_unique<Instance<T>>();
      instance->host = host;
      if constexpr (OwnershipPolicy::owns) {
        instance->owned = construct<T>(host, values);
        instance->object = instance->owned.get();
        if constexpr (fits<method::demands, const T>) {
          instance->demands = instance->object->demands();
        }
        if constexpr (scales_rows<T>) {
          const Parameters given(parameter_table<T>(), parameter_count<T>(), values);
          instance->object->scaled_rows().scale_by(scaling_of(given), Host(host));
        }
      }
      *self = instance.release();
    });
  }
  static void destroy(void* self) { delete static_cast<Instance<T>*>(self); }

  static sculpt_status bind(void* self, const sculpt_bindings* raw, sculpt_error* error) {
    return guarded(error, "bind", [&] {
      auto& instance = *static_cast<Instance<T>*>(self);
      instance.bindings = Bindings(*raw);
      if constexpr (!OwnershipPolicy::owns) {
        instance.object = OwnershipPolicy::template borrow<T>(instance.bindings);
      } else if constexpr (offers<method::bind, T>()) {
        instance.object->bind(instance.bindings);
      }
      if constexpr (kind == SCULPT_KIND_ORACLE && offers<method::check_bindings, T>()) {
        std::as_const(*instance.object).check_bindings(instance.bindings);
      }
    });
  }
  static sculpt_status seal(void* self, sculpt_error* error) {
    return guarded(error, "seal", [&] {
      if constexpr (OwnershipPolicy::owns && offers<method::seal, T>()) object_of<T>(self).seal();
    });
  }
  static sculpt_status open_session(void* self, void** session, sculpt_error* error) {
    return guarded(error, "open_session", [&] {
      if constexpr (HasSession<T>) {
        *session = new SessionInstance<T>(*static_cast<const Instance<T>*>(self));
      } else {
        *session = self;
      }
    });
  }
  static void close_session(void* session) {
    if constexpr (HasSession<T>) delete static_cast<SessionInstance<T>*>(session);
  }

  static constexpr sculpt_life table{create,       destroy,       bind,          seal,
                                     open_session, close_session, find_extension};
};

}  // namespace detail

// Returns the object behind a component of the same library, for classes that work together.
// nullptr if it is not `component` (Features<T>::component, ...).
template <class T>
const T* same_library(Ref ref, const sculpt_component& component) {
  return ref.component() == &component ? static_cast<const detail::Instance<T>*>(ref.self())->object
                                       : nullptr;
}

}  // namespace sculpt
