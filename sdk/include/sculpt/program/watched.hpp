// watched.hpp - a program that the user can stop: whatever goes through it, up or down, asks the
// host now and then whether to go on.
//
// SPDX-License-Identifier: Apache-2.0
//
//   const Watched<P> watched(program, host);     both live as long
//   best.find(watched);                          throws E_CANCELLED when the user asked to stop
//
// Asked once in thousands of nodes, by their numbers, and behind each node with tens of thousands
// of edges, some milliseconds apart; which costs a comparison a node. What does much work about a
// single edge, as frontier.hpp does, or none through edges, as best.hpp does about rows, counts its
// work (PollCounter of program.hpp).
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
    if (node % nodes_between_polls == 0 || edges > edges_between_polls) poll();
  }
  Rows rows(std::int64_t node) const requires HasRows<P> { return program_.rows(node); }
  void poll() const { host_.throw_if_cancelled(); }

 private:
  static constexpr std::int64_t nodes_between_polls = 4096;
  static constexpr std::int64_t edges_between_polls = 65536;

  const P& program_;
  const Host& host_;
};

}  // namespace sculpt::program
