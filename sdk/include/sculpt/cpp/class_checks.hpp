// class_checks.hpp - the description, constructors and Session of a component class.
//
// SPDX-License-Identifier: Apache-2.0
//
// Each of them that exists but does not fit is an error of the compiler, with the wanted form. Used
// by life.hpp and kinds.hpp.
#pragma once

#include <concepts>
#include <string_view>

#include "host.hpp"
#include "lists.hpp"
#include "parameters.hpp"
#include "scaling.hpp"

namespace sculpt {

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
  typename std::bool_constant<(static_cast<void>(About(T::about)), true)>;
};

// True if T declares a parameter with a name for which is_meant(name) is true.
template <class T, class IsMeant>
constexpr bool declares_parameter(IsMeant is_meant) {
  for (const sculpt_parameter& own : list_of<list::parameters, T>()) {
    if (is_meant(std::string_view(own.name))) return true;
  }
  return false;
}

// The constructors that the SDK calls.
template <class T>
concept TakesParametersAndHost = std::constructible_from<T, const Parameters&, Host>;
template <class T>
concept TakesParameters = std::constructible_from<T, const Parameters&>;
template <class T>
concept TakesHost = std::constructible_from<T, Host>;

// Constructors that it cannot call: from non-const references, or in another order.
template <class T>
concept HasOtherConstructor =
    (!TakesParametersAndHost<T> && (std::constructible_from<T, Parameters&, Host&> ||
                                    std::constructible_from<T, Parameters, Host> ||
                                    std::constructible_from<T, Host&, Parameters&>)) ||
    (!TakesParameters<T> && !TakesParametersAndHost<T> &&
     (std::constructible_from<T, Parameters&> || std::constructible_from<T, Parameters>)) ||
    (!TakesHost<T> && !TakesParameters<T> && !TakesParametersAndHost<T> &&
     std::constructible_from<T, Host&>);

template <class T>
constexpr bool check_constructors() {
  constexpr bool takes_parameters = TakesParametersAndHost<T> || TakesParameters<T>;
  constexpr bool is_constructible =
      !HasOtherConstructor<T> && (takes_parameters || TakesHost<T> || std::constructible_from<T>);
  static_assert(is_constructible,
                "a component class needs a public constructor of exactly this form: "
                "T(const Parameters&, Host), T(const Parameters&), T(Host) or T()");
  // The wrapper reads the parameter `scaling`.
  constexpr bool has_parameters =
      declares_parameter<T>([](std::string_view name) { return name != scaling().name; });
  static_assert(!is_constructible || takes_parameters || !has_parameters,
                "a component class with `parameters` needs a public constructor "
                "T(const Parameters&) or T(const Parameters&, Host)");
  return is_constructible && (takes_parameters || !has_parameters);
}

// A Session that also gets what its component is bound to.
template <class T>
concept SessionGetsBindings =
    HasSession<T> && std::constructible_from<typename T::Session, const T&, const Bindings&>;

struct SessionName {
  SCULPT_IS_NAMED(Session)
};

template <class T>
constexpr bool check_session() {
  constexpr bool is_named = SessionName::is_named<T>();
  static_assert(
      !is_named || HasSession<T>,
      "`Session` must be a public class with a constructor Session(const T&), where T is the "
      "class of the component");
  if constexpr (HasSession<T>) {
    using Session = typename T::Session;
    constexpr bool is_constructible =
        SessionGetsBindings<T> || (std::constructible_from<Session, const T&> &&
                                   !std::constructible_from<Session, const T&, Bindings&>);
    static_assert(is_constructible,
                  "a Session needs a public constructor Session(const T&) or "
                  "Session(const T&, const Bindings&), where T is the class of the component");
    return is_constructible;
  } else {
    return !is_named;
  }
}

// True if the class can be made a component. A component that borrows its object is not
// constructed.
template <class T, bool owns>
constexpr bool check_class() {
  static_assert(Described<T>,
                "a component class needs a public static constexpr sculpt::About about{...}");
  if constexpr (Described<T>) {
    bool is_right = check_session<T>();
    if constexpr (owns) is_right = check_constructors<T>() && is_right;
    return is_right;
  } else {
    return false;
  }
}

}  // namespace detail
}  // namespace sculpt
