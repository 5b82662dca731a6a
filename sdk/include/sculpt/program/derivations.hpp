// derivations.hpp - how many derivations a program has, and all of them.
//
// SPDX-License-Identifier: Apache-2.0
//
// Scores matter only where they are `underivable`: such edges are none.
#pragma once

#include <algorithm>

#include "program.hpp"

namespace sculpt::program {

template <Program P>
class Derivations {
 public:
  // The number of derivations of the goal, or `most` when there are at least as many. Sums and
  // products are cut off on the way, so that nothing overflows; most < 2^31.
  std::int64_t count(const P& program, std::int64_t most) {
    const std::int64_t nodes = program.node_count();
    count_.resize(static_cast<std::size_t>(nodes));
    for (std::int64_t node = 0; node < nodes; ++node) {
      std::int64_t sum = 0;
      program.each_edge(node, [&](const typename P::Edge& edge) {
        if (edge.score == underivable) return;
        std::int64_t product = 1;
        for (const std::int64_t tail : edge.tails()) {
          product = std::min(product * count_[static_cast<std::size_t>(tail)], most);
        }
        sum = std::min(sum + product, most);
      });
      count_[static_cast<std::size_t>(node)] = sum;
    }
    return nodes == 0 ? 0 : count_.back();
  }

  // visit(const Derivation<P>&) for each, after count() of the same program: the edges of the goal
  // in their order, for each of them what is below its first tail, and so on.
  template <class Visit>
  void each(const P& program, Visit visit) {
    if (program.node_count() == 0) return;
    derivation_.clear();
    open_.assign(1, program.node_count() - 1);
    expand(program, visit);
  }

 private:
  // As deep as a derivation is long, which is short where there are few.
  template <class Visit>
  void expand(const P& program, Visit& visit) {
    if (open_.empty()) return visit(std::as_const(derivation_));
    const std::int64_t node = open_.back();
    open_.pop_back();
    program.each_edge(node, [&](const typename P::Edge& edge) {
      const auto tails = edge.tails();
      const bool derivable = std::all_of(tails.begin(), tails.end(), [&](std::int64_t tail) {
        return count_[static_cast<std::size_t>(tail)] > 0;
      });
      if (!derivable || edge.score == underivable) return;
      derivation_.push_back(edge);
      open_.insert(open_.end(), tails.rbegin(), tails.rend());
      expand(program, visit);
      open_.resize(open_.size() - tails.size());
      derivation_.pop_back();
    });
    open_.push_back(node);
  }

  std::vector<std::int64_t> count_;  // [node]
  std::vector<std::int64_t> open_;
  Derivation<P> derivation_;
};

}  // namespace sculpt::program
