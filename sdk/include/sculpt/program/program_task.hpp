// program_task.hpp - checks that a features class has all that ProgramOracle needs.
//
// SPDX-License-Identifier: Apache-2.0
//
// If T has, ProgramTask<T> is true. Each method that is missing or does not fit makes
// check_program_task<T>() an error of the compiler, with its signature. oracle.hpp says what the
// methods do. The checks are those of cpp/find_method.hpp. Used by oracle.hpp.
#pragma once

#include <span>
#include <vector>

#include "../cpp/class_checks.hpp"
#include "frontier.hpp"
#include "program.hpp"

namespace sculpt::program {

namespace detail {

using sculpt::detail::find_in;
using sculpt::detail::Finding;
using sculpt::detail::fits;
using sculpt::detail::is_array_address;
using sculpt::detail::Where;

// The names that are looked for in the program and in the Session.
struct Names {
  int add, begin_counts, check_counts, counts, covers, each_edge, node_count, output, poll, program,
      restrict_to, rows;
};
template <class T>
struct WithNames : T, Names {};

// Stands for every visitor of edges.
struct Visit {
  void operator()(auto&&) const {}
};

#define SCULPT_WORDS_OF_program "a program"
#define SCULPT_WORDS_OF_task "features with a ProgramOracle"

namespace method {
// clang-format off

SCULPT_METHOD(program, object, std::int64_t, node_count, ())
SCULPT_METHOD(program, object, void, each_edge, (std::int64_t node, Visit visit))
SCULPT_METHOD(program, object, Rows, rows, (std::int64_t node))
SCULPT_METHOD(program, object, void, poll, ())

SCULPT_METHOD(task, object, void, check_counts, (std::span<const sculpt_count> counts))
SCULPT_METHOD(task, session, bool, covers, (std::int64_t example, Labels y))
SCULPT_METHOD(task, session, void, begin_counts, (std::int64_t example, Labels truth, std::span<const sculpt_count> counts))
SCULPT_METHOD(task, session, void, restrict_to, (Labels truth))

// P: the type of the program.
template <class P>
struct ProgramOf {
  SCULPT_METHOD_BODY(task, session, const P&, program, (std::int64_t example, std::span<const double> w))
};
template <class P>
struct OutputOf {
  SCULPT_METHOD_BODY(task, session, void, output, (std::int64_t example, const Derivation<P>& edges, std::vector<std::int32_t>& y))
};
template <class P, class Edge = typename P::Edge>
struct AddOf {
  SCULPT_METHOD_BODY(task, session, void, add, (std::int64_t example, const Edge& edge, double factor, Sum& sum))
};
template <class P, class Edge = typename P::Edge>
struct CountsOf {
  SCULPT_METHOD_BODY(task, const_session, Counts, counts, (const Edge& edge))
};

// clang-format on
}  // namespace method

// The counts that the features name, in place of sculpt_count.
SCULPT_LIST_AS(CountNames, "features with a ProgramOracle", const char*, counts, false, "")

// True if an object of class C has method M. Otherwise an error if `reports`.
template <bool reports, class M, class C>
constexpr bool has() {
  constexpr Finding finding = find_in<M, C>();
  if constexpr (reports) {
    using Class = std::remove_const_t<C>;
    M::template check<Class, sculpt::detail::required(finding)>();
  }
  return finding == Finding::fits;
}
// The same for a method that C may lack.
template <bool reports, class M, class C>
constexpr bool may_have() {
  if constexpr (find_in<M, C>() == Finding::absent) {
    return true;
  } else {
    return has<reports, M, C>();
  }
}

// The type of the program that a Session returns, or NoProgram.
struct NoProgram {};
template <class Session>
struct ProgramType {
  using type = NoProgram;
};
template <class Session>
requires requires(Session& session) {
  session.program(std::int64_t{}, std::span<const double>());
}
struct ProgramType<Session> {
  using type = std::remove_cvref_t<decltype(std::declval<Session&>().program(
      std::int64_t{}, std::span<const double>()))>;
};

template <class P>
concept HasEdge = requires(typename P::Edge edge) {
  edge.score = 0.0;
  { edge.tails() } -> std::convertible_to<std::span<const std::int64_t>>;
};

template <bool reports, class P>
constexpr bool is_program() {
  static_assert(!reports || HasEdge<P>,
                "`Edge` of a program must be a public type: using Edge = "
                "sculpt::program::Edge<most tails>");
  if constexpr (HasEdge<P>) {
    return has<reports, method::node_count, const P>() &&
           has<reports, method::each_edge, const P>() &&
           may_have<reports, method::rows, const P>() && may_have<reports, method::poll, const P>();
  } else {
    return false;
  }
}

template <bool reports, class Session>
constexpr bool is_session() {
  using P = typename ProgramType<Session>::type;
  // Without a program the other arguments have no types.
  if constexpr (!std::is_class_v<P> || std::same_as<P, NoProgram>) {
    return has<reports, method::ProgramOf<NoProgram>, Session>();
  } else if constexpr (has<reports, method::ProgramOf<P>, Session>() && is_program<reports, P>()) {
    return has<reports, method::covers, Session>() &&
           has<reports, method::OutputOf<P>, Session>() &&
           has<reports, method::AddOf<P>, Session>() &&
           has<reports, method::begin_counts, Session>() &&
           has<reports, method::CountsOf<P>, const Session>() &&
           may_have<reports, method::restrict_to, Session>();
  } else {
    return false;
  }
}

template <class T>
concept HasTaskSession =
    sculpt::detail::HasSession<T> && std::constructible_from<typename T::Session, const T&>;

template <bool reports, class T>
constexpr bool is_task() {
  constexpr Finding names = CountNames::find<T>();
  if constexpr (reports) {
    CountNames::check<T, sculpt::detail::required(names)>();
    static_assert(HasTaskSession<T>,
                  "features with a ProgramOracle need a public class Session "
                  "with the constructor Session(const T&)");
  }
  bool is_right = names == Finding::fits && HasTaskSession<T>;
  if constexpr (HasTaskSession<T>)
    is_right = is_session<reports, typename T::Session>() && is_right;
  return is_right && may_have<reports, method::check_counts, const T>();
}

}  // namespace detail

// True if ProgramOracle can work with the features T. See the top.
template <class T>
concept ProgramTask = detail::is_task<false, T>();

template <class T>
constexpr bool check_program_task() {
  return detail::is_task<true, T>();
}

// Features with check_counts().
template <class T>
inline constexpr bool checks_counts =
    detail::find_in<detail::method::check_counts, const T>() == detail::Finding::fits;

// Returns the names of the counts of such features.
template <class T>
constexpr std::span<const char* const> count_names() {
  return detail::CountNames::array<T>();
}

}  // namespace sculpt::program
