// watched.hpp - a program that the user can stop: every pass over it regularly asks the host
// whether to go on.
//
// SPDX-License-Identifier: Apache-2.0
//
//   const Watched<P> watched(program, host);     both must outlive it
//   best.find(watched);                          throws E_CANCELLED if the user asked to stop
//
// The host is asked about once a millisecond, after some 16 000 nodes or 130 000 edges. This costs
// one addition a node. Code that works long on one edge (frontier.hpp), or visits no edges
// (best.hpp on rows), counts its work with PollCounter (program.hpp). The counter makes this an
// object of one thread. Used by oracle_session.hpp and by viterbi. [worker]
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
  // In the units of PollCounter: the work of visitors, and the search for edges of nodes without
  // edges.
  static constexpr std::int64_t work_of_node = 64;
  static constexpr std::int64_t work_of_edge = 8;

  const P& program_;
  const Host& host_;
  mutable PollCounter polls_;
};

}  // namespace sculpt::program
