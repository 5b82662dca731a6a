// life.hpp - turns a C++ class into the function table (sculpt_life) of a component.
//
// SPDX-License-Identifier: Apache-2.0
//
// A component class T has
//   static constexpr sculpt::About about{id, version, summary};      required
//   static constexpr sculpt_parameter parameters[] = {...};          optional
//   T(const Parameters&, Host), T(const Parameters&), T(Host), T()   the first that exists is used
//   void bind(const Bindings&)                                       optional
//   void seal()                                                      optional
//   struct Session { explicit Session(const T&); ... }               optional
//   const void* extension(const char* id) const                      optional, own_extensions.hpp
//   SiteStore& scaled_rows()                     optional, of datasets: the parameter `scaling`,
//                                                                    scaling.hpp
// Functions marked [worker] are called from many threads at once. Write them as const members of T.
// If they need scratch memory, write them as members of T::Session: each thread has its own.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <iterator>
#include <memory>

#include "host.hpp"
#include "parameters.hpp"
#include "refs.hpp"
#include "scaling.hpp"

namespace sculpt {

class SiteStore;

// The description of a component. `id`: [a-z0-9_.] with at least one dot. The part after the last
// dot is its short name.
struct About {
  const char* id;
  const char* version;  // change it when results change
  const char* summary;  // one line
  const char* reference = nullptr;
  std::uint64_t traits = 0;  // SCULPT_TRAIT_*
};

namespace detail {

template <class T>
concept Described = requires {
  { T::about } -> std::convertible_to<const About&>;
};
template <class T>
concept HasParameters = requires {
  std::size(T::parameters);
};
// Classes with a Session: scratch memory for each thread.
template <class T>
concept HasSession = requires {
  typename T::Session;
};

// Datasets whose rows can be scaled (scaling.hpp).
template <class T>
concept ScalesRows = requires(T& t) {
  { t.scaled_rows() } -> std::same_as<SiteStore&>;
};

// Map_solvers that require one set of graph classes.
template <class T>
concept DemandsOneSet = requires(const T& t) {
  { t.demands() } -> std::convertible_to<std::uint32_t>;
};

template <class T>
constexpr std::size_t own_parameter_count() {
  if constexpr (HasParameters<T>) {
    return std::size(T::parameters);
  } else {
    return 0;
  }
}
template <class T>
constexpr bool declares_scaling() {
  if constexpr (HasParameters<T>) {
    for (const sculpt_parameter& own : T::parameters) {
      if (std::string_view(own.name) == scaling().name) return true;
    }
  }
  return false;
}
// The parameters of T, and `scaling` if T scales rows and does not declare it.
template <class T>
inline constexpr auto parameters_of = [] {
  constexpr std::size_t own = own_parameter_count<T>();
  std::array<sculpt_parameter, own + (ScalesRows<T> && !declares_scaling<T>() ? 1 : 0)> all{};
  if constexpr (own > 0) std::copy_n(std::begin(T::parameters), own, all.begin());
  if constexpr (all.size() > own) all.back() = scaling();
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
  std::uint32_t demands = 0;  // of a map_solver with one set of them, for the host to point to
};
template <class T>
struct SessionInstance;
// A session, with the object that it belongs to.
template <HasSession T>
struct SessionInstance<T> {
  explicit SessionInstance(const T& t) : object(&t), session(t) {}
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

// Runs a [worker] call on T::Session if that has the method, else on const T.
template <class T, class Call>
decltype(auto) on_worker(void* session, Call&& call) {
  if constexpr (HasSession<T>) {
    auto* instance = static_cast<SessionInstance<T>*>(session);
    if constexpr (std::invocable<Call, typename T::Session&>) {
      return call(instance->session);
    } else {
      return call(*instance->object);
    }
  } else {
    return call(std::as_const(object_of<T>(session)));
  }
}
// True if T or T::Session has the method.
template <class T, class Call>
consteval bool worker_has() {
  if constexpr (HasSession<T>) {
    return std::invocable<Call, typename T::Session&> || std::invocable<Call, const T&>;
  } else {
    return std::invocable<Call, const T&>;
  }
}

// The component owns its object: the usual case. task.hpp has the other case.
struct Owner {
  static constexpr bool owns = true;
};

// The functions of a component's life: create, bind, seal, sessions. All exceptions become a
// status. `OwnershipPolicy`: Owner above, or one of those in task.hpp.
template <class T, class OwnershipPolicy,
          const void* (*find_extension)(const void* self, const char* id) noexcept>
struct Life {
  static sculpt_status create(const sculpt_host* host, const sculpt_value* values, void** self,
                              sculpt_error* error) {
    return guarded(error, "create", [&] {
      auto instance = std::make_unique<Instance<T>>();
      instance->host = host;
      if constexpr (OwnershipPolicy::owns) {
        instance->owned = construct<T>(host, values);
        instance->object = instance->owned.get();
        if constexpr (DemandsOneSet<T>) instance->demands = instance->object->demands();
        if constexpr (ScalesRows<T>) {
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
      if constexpr (!OwnershipPolicy::owns) {
        static_cast<Instance<T>*>(self)->object =
            OwnershipPolicy::template borrow<T>(Bindings(*raw));
      } else if constexpr (requires(T & t) { t.bind(Bindings(*raw)); }) {
        object_of<T>(self).bind(Bindings(*raw));
      }
    });
  }
  static sculpt_status seal(void* self, sculpt_error* error) {
    return guarded(error, "seal", [&] {
      if constexpr (OwnershipPolicy::owns && requires(T & t) { t.seal(); }) {
        object_of<T>(self).seal();
      }
    });
  }
  static sculpt_status open_session(void* self, void** session, sculpt_error* error) {
    return guarded(error, "open_session", [&] {
      if constexpr (HasSession<T>) {
        *session = new SessionInstance<T>(std::as_const(object_of<T>(self)));
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
