// watched.hpp - a program that the user can stop: whatever goes through it, up or down, asks the
// host now and then whether to go on.
//
// SPDX-License-Identifier: Apache-2.0
//
//   const Watched<P> watched(program, host);     both live as long
//   best.find(watched);                          throws E_CANCELLED when the user asked to stop
//
// Asked behind a node once in some ten thousands of nodes and a hundred thousand edges, about a
// millisecond apart; which costs an addition a node. What does much work about a single edge, as
// frontier.hpp does, or none through edges, as best.hpp does about rows, counts its work
// (PollCounter of program.hpp). Counting makes it an object of one thread. [worker]
#pragma once

#include "../cpp/host.hpp"
#include "program.hpp"

namespace sculpt::program {

template <Program P>
class Watched {
 public:
  using Edge = typename P::Edge;
  Watched(const P& program, const Host& host) : program_(program), host_(host) {}

  std::int64_t node_count() const { return program_.node_count(); }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    std::int64_t edges = 0;
    program_.each_edge(node, [&](auto&& edge) {
      ++edges;
      visit(std::forward<decltype(edge)>(edge));
    });
    polls_.add(*this, work_of_node + work_of_edge * edges);
  }
  Rows rows(std::int64_t node) const requires HasRows<P> { return program_.rows(node); }
  void poll() const { host_.throw_if_cancelled(); }

 private:
  // As PollCounter counts: what visitors do, and looking for edges where there are none.
  static constexpr std::int64_t work_of_node = 64;
  static constexpr std::int64_t work_of_edge = 8;

  const P& program_;
  const Host& host_;
  mutable PollCounter polls_;
};

}  // namespace sculpt::program
