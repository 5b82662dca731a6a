// best.hpp - the best derivation of a program: max-plus.
//
// SPDX-License-Identifier: Apache-2.0
//
//   value(v) = max over the edges e into v of   score(e) + sum of value(t) over its tails t
//
// There are no back pointers: the way down looks at the edges of the nodes it meets once more,
// which is a derivation's worth of nodes, and the way up writes one number a node.
#pragma once

#include "program.hpp"

namespace sculpt::program {

template <Program P>
class Best {
 public:
  // The value of the goal; `underivable` when nothing derives it. O(edges).
  double find(const P& program) {
    const std::int64_t nodes = program.node_count();
    value_.resize(static_cast<std::size_t>(nodes));
    for (std::int64_t node = 0; node < nodes; ++node) {
      double best = underivable;
      program.each_edge(node, [&](const typename P::Edge& edge) {
        const double value = total(edge, value_);
        best = value > best ? value : best;  // no branch: nobody can foretell it
      });
      value_[static_cast<std::size_t>(node)] = best;
    }
    return nodes == 0 ? underivable : value_.back();
  }

  // After find() of the same program has found something: a derivation with that value.
  void derivation(const P& program, Derivation<P>& out) {
    derive(program, open_, out, [&](std::int64_t node) {
      typename P::Edge best;
      double best_value = underivable;
      program.each_edge(node, [&](const typename P::Edge& edge) {
        const double value = total(edge, value_);
        if (value > best_value) best_value = value, best = edge;
      });
      return best;
    });
  }

  // [node_count], of the last find().
  const std::vector<double>& values() const { return value_; }

 private:
  std::vector<double> value_;
  std::vector<std::int64_t> open_;
};

}  // namespace sculpt::program
