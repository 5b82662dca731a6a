// derivations.hpp - counts the derivations of a program, and lists them.
//
// SPDX-License-Identifier: Apache-2.0
//
// Scores are ignored, except that edges with the score `underivable` are skipped. Used by
// oracle_session.hpp for enumerate().
#pragma once

#include <algorithm>

#include "limited.hpp"
#include "program.hpp"

namespace sculpt::program {

template <Program P>
class Derivations {
 public:
  // Returns the number of derivations of the goal, or `max_count` if there are at least that many.
  // Sums and products stop at `max_count`. Requires max_count >= 1.
  std::int64_t count(const P& program, std::int64_t max_count) {
    const std::int64_t nodes = program.node_count();
    count_.resize(static_cast<std::size_t>(nodes));
    for (std::int64_t node = 0; node < nodes; ++node) {
      std::int64_t sum = 0;
      program.each_edge(node, [&](const typename P::Edge& edge) {
        if (edge.score == underivable) return;
        std::int64_t product = 1;
        for (const std::int64_t tail : edge.tails()) {
          product = limited_product(product, count_[static_cast<std::size_t>(tail)], max_count);
        }
        sum = limited_sum(sum, product, max_count);
      });
      count_[static_cast<std::size_t>(node)] = sum;
    }
    return nodes == 0 ? 0 : count_.back();
  }

  // Calls visit(const Derivation<P>&) for each derivation. Requires count() of the same program
  // before. Order: by the edge of the goal, then by the derivation of its first tail, and so on.
  // Works without recursion, because derivations are long. Memory: the edges of the nodes of one
  // derivation.
  template <class Visit>
  void each(const P& program, Visit visit) {
    if (program.node_count() == 0 || count_.back() == 0) return;
    derivation_.clear();
    choices_.clear();
    edges_.clear();
    pending_.assign(1, program.node_count() - 1);
    do {
      while (!pending_.empty()) choose_first(program);
      visit(std::as_const(derivation_));
    } while (choose_next());
  }

 private:
  // A node of the current derivation, and its chosen edge.
  struct Choice {
    std::int64_t node;
    std::size_t first;  // its edges in edges_ end where those of the next choice begin
    std::size_t edge;   // index of the chosen one in edges_
  };

  // Chooses the first edge of the next node. Every node visited has a derivation.
  void choose_first(const P& program) {
    const std::int64_t node = pending_.back();
    pending_.pop_back();
    choices_.push_back({node, edges_.size(), edges_.size()});
    program.each_edge(node, [&](const typename P::Edge& edge) {
      const auto tails = edge.tails();
      const bool derivable = std::all_of(tails.begin(), tails.end(), [&](std::int64_t tail) {
        return count_[static_cast<std::size_t>(tail)] > 0;
      });
      if (derivable && edge.score != underivable) edges_.push_back(edge);
    });
    append_chosen_edge();
  }
  // Goes back to the last node with another edge, and chooses that edge. Returns false if there is
  // none.
  bool choose_next() {
    while (!choices_.empty()) {
      Choice& last = choices_.back();
      pending_.resize(pending_.size() - derivation_.back().tails().size());
      derivation_.pop_back();
      if (++last.edge < edges_.size()) {
        append_chosen_edge();
        return true;
      }
      pending_.push_back(last.node);
      edges_.resize(last.first);
      choices_.pop_back();
    }
    return false;
  }
  // Appends the chosen edge of the last choice, and makes its tails pending.
  void append_chosen_edge() {
    derivation_.push_back(edges_[choices_.back().edge]);
    const auto tails = derivation_.back().tails();
    pending_.insert(pending_.end(), tails.rbegin(), tails.rend());
  }

  std::vector<std::int64_t> count_;    // [node]
  std::vector<std::int64_t> pending_;  // nodes of the current derivation without an edge yet
  std::vector<Choice> choices_;
  std::vector<typename P::Edge> edges_;  // edges of the choices, grouped by node
  Derivation<P> derivation_;
};

}  // namespace sculpt::program
