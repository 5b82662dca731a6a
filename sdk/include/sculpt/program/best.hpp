// best.hpp - the best derivation of a program: max-plus.
//
// SPDX-License-Identifier: Apache-2.0
//
//   value(v) = max over the edges e into v of   score(e) + sum of value(t) over its tails t
//
// No back pointers are stored. The upward pass writes one number a node. Backtracking visits again
// the edges of the nodes of one derivation. Used by oracle_session.hpp, k_best.hpp and plugins.
#pragma once

#include "max_plus.hpp"
#include "program.hpp"

namespace sculpt::program {

// Keeps its memory from one program to the next.
template <Program P>
class Best {
 public:
  // Returns the value of the goal, `underivable` if it has no derivation. O(edges).
  double find(const P& program) {
    const std::int64_t nodes = program.node_count();
    value_.resize(static_cast<std::size_t>(nodes));
    PollCounter polls;
    for (std::int64_t node = 0; node < nodes;) {
      if constexpr (HasRows<P>) {
        const Rows rows = program.rows(node);
        if (rows.nodes > 0) {
          find_rows(rows);
          polls.add(program, rows.nodes * (rows.tails + 1));
          node += rows.nodes;
          continue;
        }
      }
      double best = underivable;
      program.each_edge(node, [&](const typename P::Edge& edge) {
        const double value = total(edge, value_);
        best = value > best ? value : best;  // without a branch, because it would be unpredictable
      });
      value_[static_cast<std::size_t>(node++)] = best;
    }
    return nodes == 0 ? underivable : value_.back();
  }

  // Writes a derivation with the value of the goal: the first in the order of its edges. Requires
  // find() of the same program, with a value other than `underivable`.
  void derivation(const P& program, Derivation<P>& out) {
    derive(program, pending_, out, [&](std::int64_t node, typename P::Edge& best) {
      if constexpr (HasRows<P> && rows_describe_whole_edge) {
        const Rows rows = program.rows(node);
        if (rows.nodes > 0) return read_best_from_row(rows, node, best);
      }
      double best_value = underivable;
      program.each_edge(node, [&](const typename P::Edge& edge) {
        const double value = total(edge, value_);
        if (value > best_value) best_value = value, best = edge;
      });
    });
  }

  // The values of the last find(), [node_count].
  const std::vector<double>& values() const { return value_; }

 private:
  // Rows do not contain the members that a program adds to its edges. Only each_edge() sets them.
  static constexpr bool rows_describe_whole_edge =
      std::is_same_v<typename P::Edge,
                     Edge<std::tuple_size_v<decltype(std::declval<typename P::Edge>().tail_node)>>>;

  // Computes the values of these nodes, along the contiguous side of the table.
  void find_rows(const Rows& rows) {
    double* const value = value_.data() + rows.first;
    const double* const tail_values = value_.data() + rows.tail;
    if (rows.node_stride == 1 && rows.tail_step == 0 && rows.tails > 0) {
      return largest_of_columns(tail_values, rows.tails, rows.score, rows.edge_stride, rows.nodes,
                                value);
    }
    if (rows.node_stride == 1 && rows.tail_step == 1 && rows.tails == 1) {
      for (std::int64_t k = 0; k < rows.nodes; ++k) value[k] = tail_values[k] + rows.score[k];
      return;
    }
    for (std::int64_t k = 0; k < rows.nodes; ++k) {
      value[k] = largest_sum(tail_values + k * rows.tail_step, rows.score + k * rows.node_stride,
                             rows.edge_stride, rows.tails);
    }
  }

  // Writes the best edge into `node`. Ties: the first one.
  void read_best_from_row(const Rows& rows, std::int64_t node, typename P::Edge& best) const {
    const std::int64_t k = node - rows.first;
    const std::int64_t tail = rows.tail + k * rows.tail_step;
    const std::int64_t j = first_largest_sum(
        value_.data() + tail, rows.score + k * rows.node_stride, rows.edge_stride, rows.tails);
    const std::int64_t cell = j * rows.edge_stride + k * rows.node_stride;
    best.score = rows.score[cell];
    best.name = rows.name + cell;
    best.tail_node[0] = tail + j;
    best.tail_count = 1;
  }

  std::vector<double> value_;          // [node_count]
  std::vector<std::int64_t> pending_;  // scratch of derive()
};

}  // namespace sculpt::program
