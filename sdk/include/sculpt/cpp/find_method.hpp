// find_method.hpp - finds the methods of a component class by their names, and checks them.
//
// SPDX-License-Identifier: Apache-2.0
//
// A method is offered if the class has it. A method that exists by name but cannot be called as the
// SDK calls it is an error of the compiler, with the wanted signature. So no method is ignored
// because of a missing const or another argument. Used by methods.hpp, which lists the methods.
//
// The name is found in a class that inherits from the component class and from Names. If both have
// the name, naming it is ambiguous. This does not depend on the signature. It finds overloads,
// templates, private members and members of base classes. Nothing can inherit from a `final` class.
// There the SDK finds public methods only, and of overloads only those that lack a const. A method
// with a `requires` clause that is false does not fit. Inherit it from a base that has it or not.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../plugin.h"

namespace sculpt {

class Labels;

namespace detail {

// Classes with a Session: scratch memory for each thread.
template <class T>
concept HasSession = requires {
  requires std::is_class_v<typename T::Session>;
};

// Where a method is looked for.
enum class Where {
  object,          // in the class, const
  mutable_object,  // in the class
  worker,          // in the Session if it has the name, else in the class, const
  session,         // in the Session
  const_session    // in the Session, const
};
enum class Finding { absent, missing, misfit, fits };

// The finding for a method that must be there.
constexpr Finding required(Finding finding) {
  return finding == Finding::absent ? Finding::missing : finding;
}

// The kinds of components that use a method, combined by |.
constexpr std::uint32_t bit_of(std::uint32_t kind) {
  return std::uint32_t{1} << kind;
}

template <class T>
inline constexpr bool is_span = false;
template <class Item, std::size_t extent>
inline constexpr bool is_span<std::span<Item, extent>> = true;
template <class T>
concept IsView = is_span<T> || std::same_as<T, Labels>;

// False for a reference to a temporary object, and for a view of one.
template <class Result, class R>
inline constexpr bool outlives_the_call =
    std::is_lvalue_reference_v<Result> ||
    (!std::is_reference_v<R> && (!IsView<R> || is_span<Result> || std::derived_from<Result, R>));

// The result of a call, if R is wanted. If R is void, nobody would read another result.
template <class Result, class R>
concept Gives = std::convertible_to<Result, R> && outlives_the_call<Result, R>;

template <class M, class C, class R, class... A>
inline constexpr bool can_call = requires(C& c) {
  { M::call(c, std::declval<A>()...) } -> Gives<R>;
};

// Arguments that a method writes to. A copy of the argument would lose what it writes.
template <class A>
inline constexpr bool is_written = std::same_as<A, double&>;
template <class Item>
inline constexpr bool is_written<std::vector<Item>&> = true;
template <class A>
using RvalueIfWritten = std::conditional_t<is_written<A>, std::remove_reference_t<A>, A>;
template <class M, class C, class R, class... A>
inline constexpr bool takes_copy =
    (is_written<A> || ...) && can_call<M, C, R, RvalueIfWritten<A>...>;

// True if method M of an object of class C can be called as the SDK calls it.
template <class M, class C, class Signature = typename M::Signature>
inline constexpr bool fits = false;
template <class M, class C, class R, class... A>
inline constexpr bool fits<M, C, R(A...)> = can_call<M, C, R, A...> && !takes_copy<M, C, R, A...>;

template <class M, class C>
constexpr Finding find_in() {
  using Class = std::remove_const_t<C>;
  constexpr bool is_named = M::template is_named<Class>();
  if constexpr (std::is_final_v<Class>) {
    if (fits<M, C>) return Finding::fits;
    return is_named || fits<M, Class> ? Finding::misfit : Finding::absent;
  } else if constexpr (!is_named) {
    return Finding::absent;
  } else {
    return fits<M, C> ? Finding::fits : Finding::misfit;
  }
}

// Finds method M of the component class T, or of its Session.
template <class M, class T>
constexpr Finding find_method() {
  if constexpr (M::where == Where::mutable_object) {
    return find_in<M, T>();
  } else {
    Finding in_session = Finding::absent;
    if constexpr (HasSession<T>) in_session = find_in<M, typename T::Session>();
    if (M::where != Where::object && in_session != Finding::absent) return in_session;
    const Finding in_class = find_in<M, const T>();
    const bool is_elsewhere = M::where == Where::session
                                  ? in_class != Finding::absent
                                  : in_class == Finding::absent && in_session == Finding::fits;
    return is_elsewhere ? Finding::misfit : in_class;
  }
}

// True if T offers the method. An error if it does not fit.
template <class M, class T>
constexpr bool offers() {
  constexpr Finding finding = find_method<M, T>();
  if constexpr (finding == Finding::absent) {
    return false;
  } else {
    return M::template check<T, finding>();
  }
}
// The same, but it is an error if T does not have the method.
template <class M, class T>
constexpr bool offers_required() {
  constexpr Finding finding = required(find_method<M, T>());
  return M::template check<T, finding>();
}

template <class... M>
struct Methods {};

template <class T, class... M>
constexpr bool has_any(Methods<M...>) {
  return ((find_method<M, T>() != Finding::absent) || ...);
}
// True if T has all of these methods. An error for each that is missing. Calls all of them, because
// GCC may leave out errors behind a && that is false.
template <class T, class... M>
constexpr bool offers_each(Methods<M...>) {
  bool has_all = true;
  ((has_all = offers_required<M, T>() && has_all), ...);
  return has_all;
}
// True if T offers all of these methods. A part of them is an error for each missing method, and so
// are optional methods without the others.
template <class T, class... Required, class... Optional>
constexpr bool offers_all(Methods<Required...>, Methods<Optional...>) {
  if constexpr (has_any<T>(Methods<Required..., Optional...>())) {
    const bool optional_fit = ((offers<Optional, T>(), true) && ...);
    return offers_each<T>(Methods<Required...>()) && optional_fit;
  } else {
    return false;
  }
}

}  // namespace detail
}  // namespace sculpt
