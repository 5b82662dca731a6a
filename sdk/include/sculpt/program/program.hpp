// program.hpp - a dynamic program, described once: nodes, and hyperedges between them.
//
// SPDX-License-Identifier: Apache-2.0
//
// A hyperedge leads from its tails, none or more, to one head. A derivation of a node is one edge
// into it with a derivation of each of its tails; an output is a derivation of the goal, which is
// the last node. Its score is the sum over its edges, and so are its features and its counts.
//
//   chains      node (t, k): the labels up to t, the last of them k; one tail
//   alignments  node (i, j): prefixes of both sequences; one tail
//   grammars    node (s, t, A): the words s .. t under the symbol A; two tails
//
// A class is a Program when it has
//   std::int64_t node_count() const      nodes 0 .. node_count - 1; the last one is the goal
//   void each_edge(std::int64_t node, Visit visit) const
//                                        visit(edge) for each edge into `node`, an Edge<most
//                                        tails>; one that is not const may be written to
// with every tail below its head, and the same edges in the same order whenever it is asked and
// whatever the scores are. Edges may be made up on the way, so that a table of millions of cells
// takes no memory but its values; what has no such regularity is stored (hypergraph.hpp). The first
// of equally good edges wins.
//
// It HasRows when it can also say where the edges of several nodes are a table of scores, which
// makes best.hpp several times as fast and changes no result:
//   Rows rows(std::int64_t node) const   those that `node` belongs to; of 0 nodes: none
//
// What follows from it, each in a header of its own:
//   best.hpp       the best derivation             k_best.hpp    the k best ones
//   moments.hpp    log Z, marginals, covariances   sample.hpp    draws
//   derivations.hpp  how many there are, and all of them
//   frontier.hpp   the best score for each vector of counts
// and watched.hpp makes a program that all of these stop working on when the user asks;
// rescored.hpp gives it other scores. All of them are objects of one thread, [worker]; a program is
// only read, and may be read by many where its methods say no other. Sources: Gallo, Longo,
// Pallottino & Nguyen, Discrete Applied Mathematics 42 (1993); Goodman, "Semiring Parsing",
// Computational Linguistics 25 (1999); Huang, COLING 2008 tutorial.
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

// The value of what cannot be derived.
inline constexpr double underivable = -std::numeric_limits<double>::infinity();

// A hyperedge, as it is handed to a visitor. Scores are finite or `underivable`.
template <std::size_t most_tails = 2>
struct Edge {
  double score = 0;
  std::int64_t name = 0;  // what the program knows it by
  std::array<std::int64_t, most_tails> tail_node{};
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

// Nodes first + k, k = 0 .. nodes - 1, of a program whose edges are these, in this order, and no
// others: j = 0 .. tails - 1, from the one tail + j + k * tail_step, which lies below `first`, with
// score[at] and the name `name + at`, at = j * edge_stride + k * node_stride. The scores, one of
// whose strides is best 1, live as long as the program.
//   tail_step 0   every node has edges from the same tails
//   tail_step 1   and tails 1: each node has one edge, from a tail of its own
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

// A program that can be asked whether to go on: poll() throws when the user asked to stop
// (watched.hpp).
template <class P>
concept Polls = Program<P> && requires(const P& program) {
  program.poll();
};

// Polls once in so much work that does not show in the number of edges visited. [worker]
class PollCounter {
 public:
  // `work`: units of about a nanosecond. `asked`: a program, or for what is done beside one the
  // Host (cpp/host.hpp). Throws what these throw when the user asked to stop.
  template <class Asked>
  void add(const Asked& asked, std::int64_t work) {
    constexpr bool is_host = requires {
      asked.throw_if_cancelled();
    };
    if constexpr (is_host || Polls<Asked>) {
      work_ += work;
      if (work_ < interval) return;
      work_ = 0;
      if constexpr (is_host) {
        asked.throw_if_cancelled();
      } else {
        asked.poll();
      }
    }
  }

 private:
  static constexpr std::int64_t interval = std::int64_t{1} << 20;
  std::int64_t work_ = 0;
};

// The edges of a derivation: heads before their tails, everything below the first tail before the
// second.
template <Program P>
using Derivation = std::vector<typename P::Edge>;

// The score of an edge and the values of its tails.
template <class E>
double total(const E& edge, const std::vector<double>& value) {
  double sum = edge.score;
  for (const std::int64_t tail : edge.tails()) sum += value[static_cast<std::size_t>(tail)];
  return sum;
}

// Walks down a derivation: choose(node, edge) writes the edge to be taken there. Needs no
// recursion, chains are as deep as they are long. Throws E_INVALID for a tail that is not below its
// head: such a walk need not end.
template <Program P, class Choose>
void derive(const P& program, std::vector<std::int64_t>& open, Derivation<P>& out, Choose choose) {
  out.clear();
  open.clear();
  for (std::int64_t node = program.node_count() - 1;;) {
    choose(node, out.emplace_back());
    const auto tails = out.back().tails();
    for (const std::int64_t tail : tails) {
      if (tail >= 0 && tail < node) continue;
      throw Error(SCULPT_E_INVALID, "the program has an edge into node " + std::to_string(node) +
                                        " with the tail " + std::to_string(tail) +
                                        "; tails lie below their head");
    }
    if (tails.empty()) {
      if (open.empty()) return;
      node = open.back();
      open.pop_back();
      continue;
    }
    for (std::size_t k = tails.size(); k-- > 1;) open.push_back(tails[k]);
    node = tails[0];
  }
}

}  // namespace sculpt::program
