// hypergraph.hpp - a stored dynamic program, for programs whose edges follow no formula or are
// found by searching.
//
// SPDX-License-Identifier: Apache-2.0
//
// It is built once for an input and then scored with many weights. Build it with begin(),
// add_edge() and end_node() for each node, then prune(). Only one thread may build it. Many threads
// may read it through scored(). [any]
#pragma once

#include <algorithm>
#include <string>

#include "../cpp/error.hpp"
#include "program.hpp"

namespace sculpt::program {

template <std::size_t max_tails = 2>
class Hypergraph {
 public:
  // Starts a new graph. The memory of the previous graph is reused.
  void begin() {
    first_.assign(1, 0);
    edges_.clear();
  }
  // Ends the current node and returns its number. Call it after the edges of each node; the goal is
  // the last node. A node without edges has no derivation.
  std::int64_t end_node() {
    first_.push_back(edge_count());
    return node_count() - 1;
  }
  // Adds an edge into the current node. `name` is a number chosen by the caller. Throws E_INVALID
  // if there are more than max_tails tails, or if a tail is not an ended node.
  void add_edge(std::int64_t name, std::span<const std::int64_t> tails) {
    check_tails(tails);
    StoredEdge edge{name, {}, static_cast<std::int32_t>(tails.size())};
    std::copy(tails.begin(), tails.end(), edge.tail.begin());
    edges_.push_back(edge);
  }

  // Removes the nodes that no derivation of the goal uses, with their edges. The other nodes keep
  // their order. Call it after the last end_node(). The goal stays even if it has no derivation.
  void prune() {
    find_useful();
    std::int64_t nodes = 0;
    std::int64_t edges = 0;
    for (std::int64_t node = 0; node < node_count(); ++node) {
      const std::int64_t from = first_[index(node)];
      const std::int64_t to = first_[index(node) + 1];
      first_[index(nodes)] = edges;
      for (std::int64_t e = from; useful_[index(node)] >= 0 && e < to; ++e) {
        StoredEdge edge = edges_[index(e)];
        bool tails_are_useful = true;
        for (std::int32_t k = 0; k < edge.tail_count; ++k) {
          std::int64_t& tail = edge.tail[static_cast<std::size_t>(k)];
          tail = useful_[index(tail)];
          tails_are_useful = tails_are_useful && tail >= 0;
        }
        if (tails_are_useful) edges_[index(edges++)] = edge;
      }
      if (useful_[index(node)] >= 0) useful_[index(node)] = nodes++;
    }
    first_.resize(index(nodes) + 1);
    first_.back() = edges;
    edges_.resize(index(edges));
  }

  std::int64_t node_count() const { return static_cast<std::int64_t>(first_.size()) - 1; }
  std::int64_t edge_count() const { return static_cast<std::int64_t>(edges_.size()); }
  std::int64_t name(std::int64_t edge) const { return edges_[index(edge)].name; }

  // The program with the scores score[edge_count()]. Graph and scores must outlive it, and the
  // graph must not change.
  class Scored {
   public:
    using Edge = program::Edge<max_tails>;
    Scored(const Hypergraph& graph, std::span<const double> score) : graph_(graph), score_(score) {}

    std::int64_t node_count() const { return graph_.node_count(); }
    template <class Visit>
    void each_edge(std::int64_t node, Visit visit) const {
      const std::int64_t end = graph_.first_[index(node) + 1];
      for (std::int64_t e = graph_.first_[index(node)]; e < end; ++e) {
        const StoredEdge& stored = graph_.edges_[index(e)];
        visit(Edge{score_[index(e)], stored.name, stored.tail, stored.tail_count});
      }
    }

   private:
    const Hypergraph& graph_;
    std::span<const double> score_;
  };
  Scored scored(std::span<const double> score) const { return Scored(*this, score); }

 private:
  struct StoredEdge {
    std::int64_t name;
    std::array<std::int64_t, max_tails> tail;
    std::int32_t tail_count;
  };
  static std::size_t index(std::int64_t number) { return static_cast<std::size_t>(number); }

  void check_tails(std::span<const std::int64_t> tails) const {
    if (tails.size() > max_tails) {
      throw Error(SCULPT_E_INVALID, "an edge has " + std::to_string(tails.size()) +
                                        " tails, but this hypergraph allows " +
                                        std::to_string(max_tails));
    }
    for (const std::int64_t tail : tails) {
      if (tail >= 0 && tail < node_count()) continue;
      throw Error(SCULPT_E_INVALID, "an edge into node " + std::to_string(node_count()) +
                                        " has the tail " + std::to_string(tail) +
                                        "; tails are nodes that have ended");
    }
  }

  // Sets useful_[node] to 0 if the node is derivable and the goal uses it, else to -1.
  void find_useful() {
    useful_.assign(index(node_count()), -1);
    if (useful_.empty()) return;
    for (std::int64_t node = 0; node < node_count(); ++node) {
      each_derivable_edge(node, [&](const StoredEdge&) { useful_[index(node)] = 1; });
    }
    useful_.back() = 0;
    for (std::int64_t node = node_count(); node-- > 0;) {
      if (useful_[index(node)] != 0) {
        useful_[index(node)] = -1;
        continue;
      }
      each_derivable_edge(node, [&](const StoredEdge& edge) {
        for (std::int32_t k = 0; k < edge.tail_count; ++k) {
          useful_[index(edge.tail[static_cast<std::size_t>(k)])] = 0;
        }
      });
    }
  }
  // Requires that useful_ is set for all nodes below: tails are below their heads.
  template <class Visit>
  void each_derivable_edge(std::int64_t node, Visit visit) const {
    for (std::int64_t e = first_[index(node)]; e < first_[index(node) + 1]; ++e) {
      const StoredEdge& edge = edges_[index(e)];
      bool derivable = true;
      for (std::int32_t k = 0; k < edge.tail_count; ++k) {
        derivable = derivable && useful_[index(edge.tail[static_cast<std::size_t>(k)])] >= 0;
      }
      if (derivable) visit(edge);
    }
  }

  std::vector<std::int64_t> first_{0};  // [node_count + 1] into edges_
  std::vector<StoredEdge> edges_;
  std::vector<std::int64_t> useful_;  // -1, or the new number of the node, [node_count]
};

}  // namespace sculpt::program
