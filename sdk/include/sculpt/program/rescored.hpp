// rescored.hpp - views of a program with other scores, or with a second score on each edge.
//
// SPDX-License-Identifier: Apache-2.0
//
// The programs must outlive the views. Used by oracle_session.hpp and by viterbi.
#pragma once

#include <type_traits>

#include "program.hpp"

namespace sculpt::program {

// The same program with other scores: score(edge) replaces edge.score. For a loss that is a sum
// over the edges, or weights of counts.
template <Program P, class Score>
class Rescored {
 public:
  using Edge = typename P::Edge;
  Rescored(const P& program, Score score) : program_(program), score_(std::move(score)) {}

  std::int64_t node_count() const { return program_.node_count(); }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    program_.each_edge(node, [&](auto&& edge) {
      if constexpr (std::is_const_v<std::remove_reference_t<decltype(edge)>>) {
        Edge rescored = edge;
        rescored.score = score_(edge);
        visit(std::as_const(rescored));
      } else {  // A non-const edge is written in place, which saves the copy.
        edge.score = score_(std::as_const(edge));
        visit(std::as_const(edge));
      }
    });
  }

 private:
  const P& program_;
  Score score_;
};

// Two programs with the same edges in the same order: the edges of `program`, with the score of
// `other` as slope.
template <Program P, Program Other>
class Sloped {
 public:
  struct Edge : P::Edge {
    double slope = 0;
  };
  Sloped(const P& program, const Other& other) : program_(program), other_(other) {}

  std::int64_t node_count() const { return program_.node_count(); }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    slopes_.clear();
    other_.each_edge(node, [&](const auto& edge) { slopes_.push_back(edge.score); });
    auto slope = slopes_.begin();
    program_.each_edge(node, [&](const typename P::Edge& edge) { visit(Edge{edge, *slope++}); });
  }

 private:
  const P& program_;
  const Other& other_;
  mutable std::vector<double> slopes_;  // of the current node
};

}  // namespace sculpt::program
