// k_best.hpp - the k best derivations of a program, in order.
//
// SPDX-License-Identifier: Apache-2.0
//
// Algorithm 3 of Huang & Chiang, "Better k-best Parsing", IWPT 2005. One pass finds the best
// derivation. After that every node keeps a heap of candidates, and finds its next derivation only
// if a node above can use it. A derivation is an edge, and for each of its tails the rank of the
// tail's derivation. A successor has one of these ranks increased by 1. Here a rank increases only
// if all later ranks are 0, so each successor is made once. Ties: in the order of the edges, then
// of the ranks.
#pragma once

#include <algorithm>
#include <unordered_map>

#include "best.hpp"

namespace sculpt::program {

template <Program P>
class KBest {
 public:
  // Starts the search. `program` must outlive it.
  void begin(const P& program) {
    program_ = &program;
    nodes_.clear();
    goal_ = program.node_count() - 1;
    if (best_.find(program) == underivable) goal_ = -1;
  }

  // Writes the derivation of this rank; rank 0 is the best. Returns its value, or `underivable` if
  // there are fewer derivations.
  double find(std::int64_t rank, Derivation<P>& out) {
    out.clear();
    if (goal_ < 0 || !ensure(goal_, rank)) return underivable;
    unfold(rank, out);
    return nodes_.at(goal_).found[static_cast<std::size_t>(rank)].value;
  }

 private:
  using Edge = typename P::Edge;
  using Ranks = std::array<std::int32_t, std::tuple_size_v<decltype(Edge::tail_node)>>;
  // A derivation of a node: an edge, and the rank of each tail's derivation.
  struct Candidate {
    double value;
    std::int32_t edge;  // index in the edges of its node
    Ranks rank;
  };
  struct Node {
    std::vector<Edge> edges;
    std::vector<Candidate> found;  // in order of rank
    std::vector<Candidate> heap;
    std::size_t succeeded = 0;  // found[0 .. succeeded) have their successors in the heap
    bool has(std::int64_t rank) const { return rank < static_cast<std::int64_t>(found.size()); }
    bool exhausted() const { return heap.empty() && succeeded == found.size(); }
  };
  // True if b comes before a.
  static bool later(const Candidate& a, const Candidate& b) {
    if (a.value != b.value) return a.value < b.value;
    if (a.edge != b.edge) return a.edge > b.edge;
    return a.rank > b.rank;
  }

  Node& node(std::int64_t number) {
    const auto found = nodes_.find(number);
    if (found != nodes_.end()) return found->second;
    Node node;  // Built completely before it is stored, because each_edge() may throw.
    program_->each_edge(number, [&](const Edge& edge) {
      const double value = total(edge, best_.values());
      if (value == underivable) return;
      node.heap.push_back({value, static_cast<std::int32_t>(node.edges.size()), {}});
      node.edges.push_back(edge);
    });
    std::make_heap(node.heap.begin(), node.heap.end(), later);
    return nodes_.emplace(number, std::move(node)).first->second;
  }

  // Finds derivations of a node up to this rank. Returns false if there are fewer. Uses a stack
  // instead of recursion, because programs are deep.
  bool ensure(std::int64_t number, std::int64_t rank) {
    wanted_.assign(1, {number, rank});
    while (!wanted_.empty()) {
      const auto [here, up_to] = wanted_.back();
      Node& at = node(here);
      if (at.has(up_to) || at.exhausted()) {
        wanted_.pop_back();
      } else if (at.succeeded == at.found.size()) {
        std::pop_heap(at.heap.begin(), at.heap.end(), later);
        at.found.push_back(at.heap.back());
        at.heap.pop_back();
      } else if (tails_ready(at)) {
        add_successors(at);
        ++at.succeeded;
      }
    }
    return node(number).has(rank);
  }

  // True if the tails of the next derivation to expand are computed. Otherwise pushes the missing
  // tail on wanted_.
  bool tails_ready(const Node& at) {
    const Candidate& last = at.found[at.succeeded];
    const Edge& edge = at.edges[static_cast<std::size_t>(last.edge)];
    for (std::size_t k = first_to_grow(last); k < edge.tails().size(); ++k) {
      const std::int64_t tail = edge.tails()[k];
      const Node& below = node(tail);
      if (below.has(last.rank[k] + 1) || below.exhausted()) continue;
      wanted_.push_back({tail, last.rank[k] + 1});
      return false;
    }
    return true;
  }

  // Pushes the successors of the next derivation to expand on the heap of its node.
  void add_successors(Node& at) {
    const Candidate last = at.found[at.succeeded];
    const Edge& edge = at.edges[static_cast<std::size_t>(last.edge)];
    for (std::size_t k = first_to_grow(last); k < edge.tails().size(); ++k) {
      Candidate next = last;
      ++next.rank[k];
      if (!node(edge.tails()[k]).has(next.rank[k])) continue;
      next.value = edge.score;
      for (std::size_t tail = 0; tail < edge.tails().size(); ++tail) {
        next.value += value_of(edge.tails()[tail], next.rank[tail]);
      }
      at.heap.push_back(next);
      std::push_heap(at.heap.begin(), at.heap.end(), later);
    }
  }

  // Returns the value of a tail's derivation. Rank 0 needs no look at the tail's edges.
  double value_of(std::int64_t number, std::int32_t rank) {
    if (rank == 0) return best_.values()[static_cast<std::size_t>(number)];
    return nodes_.at(number).found[static_cast<std::size_t>(rank)].value;
  }

  // Returns the last rank that is not 0. Only this and later ranks increase in successors.
  static std::size_t first_to_grow(const Candidate& candidate) {
    std::size_t k = candidate.rank.size();
    while (k > 1 && candidate.rank[k - 1] == 0) --k;
    return k == 0 ? 0 : k - 1;
  }

  // Writes the edges of a derivation of the goal.
  void unfold(std::int64_t rank, Derivation<P>& out) {
    wanted_.assign(1, {goal_, rank});
    while (!wanted_.empty()) {
      const auto [number, which] = wanted_.back();
      wanted_.pop_back();
      ensure_best(number);
      const Node& at = nodes_.at(number);
      const Candidate& one = at.found[static_cast<std::size_t>(which)];
      out.push_back(at.edges[static_cast<std::size_t>(one.edge)]);
      const auto tails = out.back().tails();
      for (std::size_t k = tails.size(); k-- > 0;) wanted_.push_back({tails[k], one.rank[k]});
    }
  }

  // Finds rank 0 of a node that was not expanded yet.
  void ensure_best(std::int64_t number) {
    Node& at = node(number);
    if (!at.found.empty()) return;
    std::pop_heap(at.heap.begin(), at.heap.end(), later);
    at.found.push_back(at.heap.back());
    at.heap.pop_back();
  }

  struct Wanted {
    std::int64_t node;
    std::int64_t rank;
  };

  const P* program_ = nullptr;
  std::int64_t goal_ = -1;
  Best<P> best_;
  std::unordered_map<std::int64_t, Node> nodes_;
  std::vector<Wanted> wanted_;
};

}  // namespace sculpt::program
