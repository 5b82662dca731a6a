// lists.hpp - the lists and constants of component classes.
//
// SPDX-License-Identifier: Apache-2.0
//
// All lists follow one convention. A list is a public `static constexpr` array, a C array or a
// std::array, of the type of its elements:
//
//   static constexpr sculpt_metric metrics[] = {sculpt::lower_is_better("errors", "wrong labels")};
//
// Metrics and counts may depend on parameters. Such a list is a method of the same name, which
// returns a span of memory that lives as long as the object:
//
//   std::span<const sculpt_metric> metrics() const { return metrics_; }
//
// A list of another form is an error of the compiler.
#pragma once

#include <array>

#include "methods.hpp"

namespace sculpt::detail {

// True if this is the address of a static array of such elements.
template <class Address, class Element>
inline constexpr bool is_array_address = false;
template <class Element, std::size_t size>
inline constexpr bool is_array_address<const Element (*)[size], Element> = true;
template <class Element, std::size_t size>
inline constexpr bool is_array_address<const std::array<Element, size>*, Element> = true;

// Defines the type TAG of the list NAME. It may be a method if HAS_METHOD.
#define SCULPT_LIST_AS(TAG, WHOSE, ELEMENT, NAME, HAS_METHOD, OR_METHOD)                         \
  struct TAG {                                                                                   \
    using Element = ELEMENT;                                                                     \
    using Signature = std::span<const Element>();                                                \
    static constexpr Where where = Where::object;                                                \
    SCULPT_IS_NAMED(NAME)                                                                        \
    template <class C>                                                                           \
    static constexpr auto call(C& c) -> decltype(c.NAME()) {                                     \
      return c.NAME();                                                                           \
    }                                                                                            \
    template <class T>                                                                           \
    static constexpr bool is_array() {                                                           \
      /* sizeof makes clang 14 count the elements of a list in a class template. */              \
      if constexpr (requires {                                                                   \
                      sizeof(T::NAME);                                                           \
                      requires is_array_address<decltype(&T::NAME), Element>;                    \
                    }) {                                                                         \
        if constexpr (std::size(T::NAME) == 0) {                                                 \
          return true;                                                                           \
        } else {                                                                                 \
          return requires {                                                                      \
            typename std::bool_constant<(static_cast<void>(static_cast<Element>(T::NAME[0])),    \
                                         true)>;                                                 \
          };                                                                                     \
        }                                                                                        \
      } else {                                                                                   \
        return false;                                                                            \
      }                                                                                          \
    }                                                                                            \
    template <class T>                                                                           \
    static constexpr std::span<const Element> array() {                                          \
      return T::NAME;                                                                            \
    }                                                                                            \
    template <class T>                                                                           \
    static constexpr Finding find() {                                                            \
      if constexpr (!is_named<T>()) {                                                            \
        return Finding::absent;                                                                  \
      } else {                                                                                   \
        return is_array<T>() || ((HAS_METHOD) && fits<TAG, const T>) ? Finding::fits             \
                                                                     : Finding::misfit;          \
      }                                                                                          \
    }                                                                                            \
    template <class T, Finding finding = find<T>()>                                              \
    static constexpr bool check() {                                                              \
      static_assert(finding != Finding::misfit,                                                  \
                    "`" #NAME "` of " WHOSE " must be a public list: static constexpr " #ELEMENT \
                    " " #NAME "[] = {...}" OR_METHOD "; rename it if it is something else");     \
      static_assert(finding != Finding::missing,                                                 \
                    "`" #NAME "` of " WHOSE                                                      \
                    " is missing, a public list: static constexpr " #ELEMENT " " #NAME           \
                    "[] = {...}" OR_METHOD);                                                     \
      return finding == Finding::fits;                                                           \
    }                                                                                            \
  };
#define SCULPT_LIST(KINDS, ELEMENT, NAME) \
  SCULPT_LIST_AS(NAME, SCULPT_WORDS_OF_##KINDS, ELEMENT, NAME, false, "")
#define SCULPT_LIST_OR_METHOD(KINDS, ELEMENT, NAME)                     \
  SCULPT_LIST_AS(NAME, SCULPT_WORDS_OF_##KINDS, ELEMENT, NAME, true,    \
                 ", or a method that returns std::span<const " #ELEMENT \
                 "> of the memory of the object")

namespace list {
SCULPT_LIST(any, const char*, experiments)
SCULPT_LIST(any, const char*, extensions)
SCULPT_LIST(any, sculpt_parameter, parameters)
SCULPT_LIST_OR_METHOD(loss, sculpt_count, counts)
SCULPT_LIST_OR_METHOD(dataset_or_loss, sculpt_metric, metrics)
}  // namespace list

// Returns the list of an object. Requires that it fits.
template <class List, class T>
constexpr std::span<const typename List::Element> list_of(const T& t) {
  if constexpr (List::template is_array<T>()) {
    return (void)t, List::template array<T>();
  } else {
    return List::call(t);
  }
}
// Returns a list that does not depend on the object, empty if T has none.
template <class List, class T>
constexpr std::span<const typename List::Element> list_of() {
  if constexpr (List::template check<T>()) {
    return List::template array<T>();
  } else {
    return {};
  }
}

// Defines the type of the constant NAME. It may be a method if HAS_METHOD.
#define SCULPT_CONSTANT_AS(WHOSE, TYPE, NAME, HAS_METHOD, OR_METHOD)                             \
  struct NAME {                                                                                  \
    using Signature = TYPE();                                                                    \
    SCULPT_IS_NAMED(NAME)                                                                        \
    template <class C>                                                                           \
    static constexpr auto call(C& c) -> decltype(c.NAME()) {                                     \
      return c.NAME();                                                                           \
    }                                                                                            \
    template <class T>                                                                           \
    static constexpr bool is_constant() {                                                        \
      if constexpr (requires { requires std::is_pointer_v<decltype(&T::NAME)>; }) {              \
        return requires {                                                                        \
          typename std::integral_constant<TYPE, static_cast<TYPE>(T::NAME)>;                     \
        };                                                                                       \
      } else {                                                                                   \
        return requires {                                                                        \
          requires std::is_enum_v<decltype(T::NAME)>;                                            \
        };                                                                                       \
      }                                                                                          \
    }                                                                                            \
    template <class T>                                                                           \
    static constexpr TYPE constant() {                                                           \
      return static_cast<TYPE>(T::NAME);                                                         \
    }                                                                                            \
    template <class T>                                                                           \
    static constexpr Finding find() {                                                            \
      if constexpr (!is_named<T>()) {                                                            \
        return Finding::absent;                                                                  \
      } else {                                                                                   \
        return is_constant<T>() || ((HAS_METHOD) && fits<NAME, const T>) ? Finding::fits         \
                                                                         : Finding::misfit;      \
      }                                                                                          \
    }                                                                                            \
    template <class T, Finding finding = find<T>()>                                              \
    static constexpr bool check() {                                                              \
      static_assert(finding != Finding::misfit,                                                  \
                    "`" #NAME "` of " WHOSE " must be public: static constexpr " #TYPE " " #NAME \
                    " = ..." OR_METHOD);                                                         \
      static_assert(finding != Finding::missing,                                                 \
                    "`" #NAME "` of " WHOSE " is missing, public: static constexpr " #TYPE       \
                    " " #NAME " = ..." OR_METHOD);                                               \
      return finding == Finding::fits;                                                           \
    }                                                                                            \
  };

namespace constant {
// clang-format off
SCULPT_CONSTANT_AS("a dataset or loss", std::int64_t, sum_count, true, ", or std::int64_t sum_count() const")
SCULPT_CONSTANT_AS("a task", bool, takes_other_losses, false, "")
SCULPT_CONSTANT_AS("a task", bool, takes_other_features, false, "")
// clang-format on
}  // namespace constant

// Returns the constant of T, or `fallback` if T does not have it.
template <class Constant, class T, class Value>
constexpr Value constant_or(Value fallback) {
  if constexpr (Constant::template check<T>()) {
    return (void)fallback, Constant::template constant<T>();
  } else {
    return fallback;
  }
}

}  // namespace sculpt::detail
