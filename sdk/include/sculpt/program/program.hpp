// program.hpp - the interface of a dynamic program: nodes, and hyperedges between them.
//
// SPDX-License-Identifier: Apache-2.0
//
// A hyperedge leads from its tails, none or more, to one head. A derivation of a node is an edge
// into it, with a derivation of each of its tails. An output is a derivation of the goal, which is
// the last node. Score, features and counts of a derivation are sums over its edges.
//
//   chains      node (t, k): the labels up to t, the last of them k; one tail
//   alignments  node (i, j): prefixes of both sequences; one tail
//   grammars    node (s, t, A): the words s .. t under the symbol A; two tails
//
// A class is a Program if it has
//   std::int64_t node_count() const      nodes 0 .. node_count - 1; the last one is the goal
//   void each_edge(std::int64_t node, Visit visit) const
//                                        visit(edge) for each edge into `node`, an
//                                        Edge<most tails>; a non-const edge may be changed
// A tail has a smaller number than its head. Each call visits the same edges in the same
// order, for any scores. Edges may be computed in each call, so a table of millions of cells needs
// memory for its values only. Irregular programs are stored (hypergraph.hpp). Ties: the first edge
// wins.
//
// A class HasRows if it can report that the edges of several nodes are a table of scores. This
// makes best.hpp several times as fast and changes no result:
//   Rows rows(std::int64_t node) const   the rows that contain `node`; with 0 nodes: none
//
// Algorithms on programs, each in its own header:
//   best.hpp       the best derivation             k_best.hpp    the k best ones
//   moments.hpp    log Z, marginals, covariances   sample.hpp    samples
//   derivations.hpp  the number of derivations, and a list of all
//   frontier.hpp   the best score for each vector of counts
// watched.hpp makes a program that the user can stop in all of these. rescored.hpp gives it other
// scores. Each of these objects belongs to one thread, [worker]. Programs are only read, so threads
// may share them unless their methods say otherwise. Sources: Gallo, Longo, Pallottino & Nguyen,
// Discrete Applied Mathematics 42 (1993). Goodman, "Semiring Parsing", Computational Linguistics 25
// (1999). Huang, COLING 2008 tutorial.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../cpp/error.hpp"

namespace sculpt::program {

// The value of a node without a derivation.
inline constexpr double underivable = -std::numeric_limits<double>::infinity();

// A hyperedge, as visitors get it. Scores are finite or `underivable`.
template <std::size_t max_tails = 2>
struct Edge {
  double score = 0;
  std::int64_t name = 0;  // a number that the program chooses
  std::array<std::int64_t, max_tails> tail_node{};
  std::int32_t tail_count = 0;

  std::span<const std::int64_t> tails() const {
    return {tail_node.data(), static_cast<std::size_t>(tail_count)};
  }
};

template <class P>
concept Program = requires(const P& program, std::int64_t node) {
  typename P::Edge;
  { program.node_count() } -> std::convertible_to<std::int64_t>;
  program.each_edge(node, [](const typename P::Edge&) {});
};

// The nodes first + k, k = 0 .. nodes - 1, have exactly the edges j = 0 .. tails - 1, in this
// order. Edge j has the single tail `tail + j + k * tail_step`, which is below `first`. With `at =
// j * edge_stride + k * node_stride`, the score is score[at] and the name is `name + at`. One of
// the strides should be 1. The scores are valid as long as the program.
//   tail_step 0   every node has edges from the same tails
//   tail_step 1   with tails 1: each node has one edge, from its own tail
struct Rows {
  std::int64_t first = 0;
  std::int64_t nodes = 0;
  std::int64_t tail = 0;
  std::int64_t tails = 0;
  std::int64_t tail_step = 0;
  const double* score = nullptr;
  std::int64_t name = 0;
  std::int64_t edge_stride = 0;
  std::int64_t node_stride = 0;
};

template <class P>
concept HasRows = Program<P> && requires(const P& program, std::int64_t node) {
  { program.rows(node) } -> std::same_as<Rows>;
};

// A program that can be stopped: poll() throws if the user asked to stop (watched.hpp).
template <class P>
concept Polls = Program<P> && requires(const P& program) {
  program.poll();
};

// Polls after a certain amount of work that the number of visited edges does not show. [worker]
class PollCounter {
 public:
  // `work`: in units of about a nanosecond. `poller`: a program, or the Host (cpp/host.hpp). Throws
  // if the user asked to stop.
  template <class Poller>
  void add(const Poller& poller, std::int64_t work) {
    constexpr bool is_host = requires {
      poller.throw_if_cancelled();
    };
    if constexpr (is_host || Polls<Poller>) {
      work_ += work;
      if (work_ < interval) return;
      work_ = 0;
      if constexpr (is_host) {
        poller.throw_if_cancelled();
      } else {
        poller.poll();
      }
    }
  }

 private:
  static constexpr std::int64_t interval = std::int64_t{1} << 20;
  std::int64_t work_ = 0;
};

// The edges of a derivation: heads before their tails, and everything below the first tail before
// the second tail.
template <Program P>
using Derivation = std::vector<typename P::Edge>;

// Returns the score of an edge plus the values of its tails.
template <class E>
double total(const E& edge, const std::vector<double>& value) {
  double sum = edge.score;
  for (const std::int64_t tail : edge.tails()) sum += value[static_cast<std::size_t>(tail)];
  return sum;
}

// Walks down a derivation: choose(node, edge) writes the chosen edge of the node. Works without
// recursion, because chains are deep. Throws E_INVALID if a tail is not below its head, because the
// walk might not end. `pending`: scratch.
template <Program P, class Choose>
void derive(const P& program, std::vector<std::int64_t>& pending, Derivation<P>& out,
            Choose choose) {
  out.clear();
  pending.clear();
  for (std::int64_t node = program.node_count() - 1;;) {
    choose(node, out.emplace_back());
    const auto tails = out.back().tails();
    for (const std::int64_t tail : tails) {
      if (tail >= 0 && tail < node) continue;
      throw Error(SCULPT_E_INVALID, "the program has an edge into node " + std::to_string(node) +
                                        " with the tail " + std::to_string(tail) +
                                        "; the number of a tail must be smaller than that of its "
                                        "head");
    }
    if (tails.empty()) {
      if (pending.empty()) return;
      node = pending.back();
      pending.pop_back();
      continue;
    }
    for (std::size_t k = tails.size(); k-- > 1;) pending.push_back(tails[k]);
    node = tails[0];
  }
}

}  // namespace sculpt::program
