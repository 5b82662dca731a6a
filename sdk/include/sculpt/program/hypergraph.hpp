// hypergraph.hpp - a dynamic program that is stored: for one whose edges follow no formula, or are
// found by searching.
//
// SPDX-License-Identifier: Apache-2.0
//
// It is built once for an input and then scored for many weights: begin(), for each node add_edge()
// and end_node(), then prune(), which leaves what a derivation of the goal can use. One thread
// builds it; who only reads it, through scored(), may be many. [any]
#pragma once

#include <algorithm>
#include <string>

#include "../cpp/error.hpp"
#include "program.hpp"

namespace sculpt::program {

template <std::size_t most_tails = 2>
class Hypergraph {
 public:
  // Room is kept from one to the next.
  void begin() {
    first_.assign(1, 0);
    edges_.clear();
  }
  // Ends the node under way and says its number: call it behind the edges of each node, that of the
  // goal last. A node without edges cannot be derived.
  std::int64_t end_node() {
    first_.push_back(edge_count());
    return node_count() - 1;
  }
  // An edge into the node under way; `name` is the author's. Throws E_INVALID for more than
  // most_tails tails, and for tails that are no nodes that have ended.
  void add_edge(std::int64_t name, std::span<const std::int64_t> tails) {
    check_tails(tails);
    StoredEdge edge{name, {}, static_cast<std::int32_t>(tails.size())};
    std::copy(tails.begin(), tails.end(), edge.tail.begin());
    edges_.push_back(edge);
  }

  // Drops the nodes that no derivation of the goal uses, and the edges into them and out of them;
  // the others keep their order. After the last end_node(). The goal stays, derivable or not.
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
        bool keep = true;
        for (std::int32_t k = 0; k < edge.tail_count; ++k) {
          std::int64_t& tail = edge.tail[static_cast<std::size_t>(k)];
          tail = useful_[index(tail)];
          keep = keep && tail >= 0;
        }
        if (keep) edges_[index(edges++)] = edge;
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

  // The program with score[edge_count()]; both must live as long, and nothing may be added.
  class Scored {
   public:
    using Edge = program::Edge<most_tails>;
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
    std::array<std::int64_t, most_tails> tail;
    std::int32_t tail_count;
  };
  static std::size_t index(std::int64_t number) { return static_cast<std::size_t>(number); }

  void check_tails(std::span<const std::int64_t> tails) const {
    if (tails.size() > most_tails) {
      throw Error(SCULPT_E_INVALID, "an edge has " + std::to_string(tails.size()) +
                                        " tails, and this hypergraph room for " +
                                        std::to_string(most_tails));
    }
    for (const std::int64_t tail : tails) {
      if (tail >= 0 && tail < node_count()) continue;
      throw Error(SCULPT_E_INVALID, "an edge into node " + std::to_string(node_count()) +
                                        " has the tail " + std::to_string(tail) +
                                        "; tails are nodes that have ended");
    }
  }

  // useful_[node]: 0 when it can be derived and the goal uses it, else -1.
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
  // Tails lie below their heads, and of what lies below everything is marked already.
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
  std::vector<std::int64_t> useful_;  // [node_count]
};

}  // namespace sculpt::program
