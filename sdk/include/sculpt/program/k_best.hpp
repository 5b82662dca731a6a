// k_best.hpp - the k best derivations of a program, in order.
//
// SPDX-License-Identifier: Apache-2.0
//
// Algorithm 3 of Huang & Chiang, "Better k-best Parsing", IWPT 2005. One pass finds the best
// derivation. After that every node keeps a heap of candidates, and finds its next derivation only
// if a node above can use it. A derivation is an edge, and for each of its tails the rank of the
// tail's derivation. A successor has one of these ranks increased by 1. Here a rank increases only
// if all later ranks are 0, so each successor is made once. Ties: in the order of the edges, then
// of the ranks. Used by oracle_session.hpp and by viterbi.
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
    if (goal_ < 0 || !compute_up_to(goal_, rank)) return underivable;
    write_derivation(rank, out);
    return nodes_.at(goal_).derivations[static_cast<std::size_t>(rank)].value;
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
    std::vector<Candidate> derivations;  // in order of rank
    std::vector<Candidate> heap;
    std::size_t expanded = 0;  // derivations[0 .. expanded) have their successors in the heap
    bool has(std::int64_t rank) const {
      return rank < static_cast<std::int64_t>(derivations.size());
    }
    bool exhausted() const { return heap.empty() && expanded == derivations.size(); }
  };
  // True if b comes before a.
  static bool comes_after(const Candidate& a, const Candidate& b) {
    if (a.value != b.value) return a.value < b.value;
    if (a.edge != b.edge) return a.edge > b.edge;
    return a.rank > b.rank;
  }

  // Returns the node of this number, which is built in the first call.
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
    std::make_heap(node.heap.begin(), node.heap.end(), comes_after);
    return nodes_.emplace(number, std::move(node)).first->second;
  }

  // Finds derivations of a node up to this rank. Returns false if there are fewer. Uses a stack
  // instead of recursion, because programs are deep.
  bool compute_up_to(std::int64_t number, std::int64_t rank) {
    requests_.assign(1, {number, rank});
    while (!requests_.empty()) {
      const Request request = requests_.back();
      Node& current = node(request.node);
      if (current.has(request.rank) || current.exhausted()) {
        requests_.pop_back();
      } else if (current.expanded == current.derivations.size()) {
        std::pop_heap(current.heap.begin(), current.heap.end(), comes_after);
        current.derivations.push_back(current.heap.back());
        current.heap.pop_back();
      } else if (tails_are_computed(current)) {
        add_successors(current);
        ++current.expanded;
      }
    }
    return node(number).has(rank);
  }

  // True if the tails of the next derivation to expand are computed. Otherwise pushes the missing
  // tail on requests_.
  bool tails_are_computed(const Node& current) {
    const Candidate& parent = current.derivations[current.expanded];
    const Edge& edge = current.edges[static_cast<std::size_t>(parent.edge)];
    for (std::size_t k = first_rank_to_increase(parent); k < edge.tails().size(); ++k) {
      const std::int64_t tail = edge.tails()[k];
      const Node& tail_node = node(tail);
      if (tail_node.has(parent.rank[k] + 1) || tail_node.exhausted()) continue;
      requests_.push_back({tail, parent.rank[k] + 1});
      return false;
    }
    return true;
  }

  // Pushes the successors of the next derivation to expand on the heap of its node.
  void add_successors(Node& current) {
    const Candidate parent = current.derivations[current.expanded];
    const Edge& edge = current.edges[static_cast<std::size_t>(parent.edge)];
    for (std::size_t k = first_rank_to_increase(parent); k < edge.tails().size(); ++k) {
      Candidate successor = parent;
      ++successor.rank[k];
      if (!node(edge.tails()[k]).has(successor.rank[k])) continue;
      successor.value = edge.score;
      for (std::size_t tail = 0; tail < edge.tails().size(); ++tail) {
        successor.value += value_of(edge.tails()[tail], successor.rank[tail]);
      }
      current.heap.push_back(successor);
      std::push_heap(current.heap.begin(), current.heap.end(), comes_after);
    }
  }

  // Returns the value of a tail's derivation. Rank 0 needs no look at the tail's edges.
  double value_of(std::int64_t number, std::int32_t rank) {
    if (rank == 0) return best_.values()[static_cast<std::size_t>(number)];
    return nodes_.at(number).derivations[static_cast<std::size_t>(rank)].value;
  }

  // Returns the last rank that is not 0. Only this and later ranks increase in successors.
  static std::size_t first_rank_to_increase(const Candidate& candidate) {
    std::size_t k = candidate.rank.size();
    while (k > 1 && candidate.rank[k - 1] == 0) --k;
    return k == 0 ? 0 : k - 1;
  }

  // Writes the edges of a derivation of the goal.
  void write_derivation(std::int64_t rank, Derivation<P>& out) {
    requests_.assign(1, {goal_, rank});
    while (!requests_.empty()) {
      const Request request = requests_.back();
      requests_.pop_back();
      compute_best(request.node);
      const Node& current = nodes_.at(request.node);
      const Candidate& candidate = current.derivations[static_cast<std::size_t>(request.rank)];
      out.push_back(current.edges[static_cast<std::size_t>(candidate.edge)]);
      const auto tails = out.back().tails();
      for (std::size_t k = tails.size(); k-- > 0;) {
        requests_.push_back({tails[k], candidate.rank[k]});
      }
    }
  }

  // Finds rank 0 of a node that was not expanded yet.
  void compute_best(std::int64_t number) {
    Node& current = node(number);
    if (!current.derivations.empty()) return;
    std::pop_heap(current.heap.begin(), current.heap.end(), comes_after);
    current.derivations.push_back(current.heap.back());
    current.heap.pop_back();
  }

  // A derivation that is needed: its node and its rank.
  struct Request {
    std::int64_t node;
    std::int64_t rank;
  };

  const P* program_ = nullptr;
  std::int64_t goal_ = -1;
  Best<P> best_;
  std::unordered_map<std::int64_t, Node> nodes_;
  std::vector<Request> requests_;
};

}  // namespace sculpt::program
