// frontier.hpp - the best score of a program for each vector of counts.
//
// SPDX-License-Identifier: Apache-2.0
//
//   S(v, c) = max over the edges e into v, and c = counts(e) + sum of c_t, of
//             score(e) + sum of S(t, c_t)
//
// with counts limited to their limit. A node has a value for each vector up to its largest counts.
// So an edge with two tails costs the product of the sizes of their tables. The frontier makes
// losses that are functions of counts exact, and also slack rescaling and norm 2 (ext/frontier.h).
// Source: Tsochantaridis et al., ICML 2004, section 5.4, for trees and F1. Used by
// counted_search.hpp.
#pragma once

#include <algorithm>

#include "limited.hpp"
#include "max_plus.hpp"
#include "program.hpp"

namespace sculpt::program {

// Two counts. If there is only one, the second is always 0.
using Counts = std::array<std::int64_t, 2>;

template <Program P>
class Frontier {
 public:
  // The memory of begin() for each node of the program.
  static constexpr std::int64_t bytes_of_node = sizeof(std::int64_t) + sizeof(Counts);

  // Measures the tables: O(edges), with bytes_of_node of memory for each node. counts_of(edge)
  // returns Counts that are not negative. Each `limit` is >= 1. Sizes stop at 2^63 - 1, so that
  // cells() shows sizes that cannot be allocated. Exceptions of the program (watched.hpp) pass
  // through. Call begin() again afterwards.
  template <class CountsOf>
  void begin(const P& program, CountsOf counts_of, const Counts& limit) {
    for (std::size_t k = 0; k < limit.size(); ++k) limit_[k] = std::min(limit[k], max_number - 1);
    value_.clear();
    const std::int64_t nodes = program.node_count();
    from_.assign(index(nodes) + 1, 0);
    size_.assign(index(nodes), Counts{0, 0});
    for (std::int64_t node = 0; node < nodes; ++node) {
      Counts& size = size_[index(node)];
      program.each_edge(node, [&](const typename P::Edge& edge) {
        if (edge.score == underivable) return;
        Counts largest = limited(counts_of(edge));
        for (const std::int64_t tail : edge.tails()) {
          const Counts& tail_size = size_[index(tail)];
          if (tail_size[0] == 0) return;
          largest = sum(largest, {tail_size[0] - 1, tail_size[1] - 1});
        }
        for (std::size_t k = 0; k < size.size(); ++k) size[k] = std::max(size[k], largest[k] + 1);
      });
      const std::int64_t cells = limited_product(size[0], size[1], max_number);
      from_[index(node) + 1] = limited_sum(from_[index(node)], cells, max_number);
    }
  }
  // Returns the size: counts of the goal are in [0, size()[0]) x [0, size()[1]). 0 x 0 if the goal
  // has no derivation.
  Counts size() const { return size_.empty() ? Counts{0, 0} : size_.back(); }
  // Returns the number of values that solve() writes, 8 bytes each.
  std::int64_t cells() const { return from_.back(); }

  // Computes the values of all nodes. Requires the program and counts of begin(). May be called
  // again after an exception.
  template <class CountsOf>
  void solve(const P& program, CountsOf counts_of) {
    value_.assign(index(cells()), underivable);
    for (std::int64_t node = 0; node < program.node_count(); ++node) {
      program.each_edge(node, [&](const typename P::Edge& edge) {
        if (combine_tables(program, node, edge, counts_of)) return;
        each_combination(program, edge, counts_of,
                         [&](double value, const Counts& counts, const TailCounts&) {
                           double& best = value_[cell(node, counts)];
                           if (value > best) best = value;
                         });
      });
    }
  }

  // Returns S(goal, counts), `underivable` if no output has them. Requires solve(), and counts
  // within [0, size()[0]) x [0, size()[1]), which are not checked here.
  double value(const Counts& counts) const {
    return value_[cell(static_cast<std::int64_t>(size_.size()) - 1, counts)];
  }

  // Writes a best output with these counts. Requires that value(counts) is not `underivable`.
  template <class CountsOf>
  void derivation(const P& program, CountsOf counts_of, const Counts& counts, Derivation<P>& out) {
    out.clear();
    pending_.assign(1, {program.node_count() - 1, counts});
    while (!pending_.empty()) {
      const Pending current = pending_.back();
      pending_.pop_back();
      typename P::Edge best_edge;
      TailCounts best_tail_counts{};
      double best = underivable;
      program.each_edge(current.node, [&](const typename P::Edge& edge) {
        each_combination(
            program, edge, counts_of,
            [&](double value, const Counts& total_counts, const TailCounts& tail_counts) {
              if (total_counts != current.counts || value <= best) return;
              best = value;
              best_edge = edge;
              best_tail_counts = tail_counts;
            });
      });
      out.push_back(best_edge);
      const auto tails = best_edge.tails();
      for (std::size_t k = tails.size(); k-- > 0;) {
        pending_.push_back({tails[k], best_tail_counts[k]});
      }
    }
  }

 private:
  // The limit of all sizes.
  static constexpr std::int64_t max_number = std::numeric_limits<std::int64_t>::max();
  static constexpr std::size_t max_tails = std::tuple_size_v<decltype(P::Edge::tail_node)>;
  using TailCounts = std::array<Counts, max_tails>;  // the counts of each tail
  // A node of the derivation without an edge yet, and its counts.
  struct Pending {
    std::int64_t node;
    Counts counts;
  };

  static std::size_t index(std::int64_t number) { return static_cast<std::size_t>(number); }
  std::size_t cell(std::int64_t node, const Counts& counts) const {
    return index(from_[index(node)] + counts[0] * size_[index(node)][1] + counts[1]);
  }
  // Returns the counts, at most their limits.
  Counts limited(const Counts& a) const {
    return {std::min(a[0], limit_[0]), std::min(a[1], limit_[1])};
  }
  Counts sum(const Counts& a, const Counts& b) const {
    return {limited_sum(a[0], b[0], limit_[0]), limited_sum(a[1], b[1], limit_[1])};
  }

  // For edges with at most two tails whose counts stay below the limits: adds a row of the second
  // table at a time, without branches. Returns false for other edges, which each_combination()
  // handles.
  template <class CountsOf>
  bool combine_tables(const P& program, std::int64_t node, const typename P::Edge& edge,
                      CountsOf& counts_of) {
    if (edge.tail_count > 2 || edge.score == underivable) return edge.tail_count <= 2;
    struct Table {
      const double* value;
      Counts size;
    };
    const double empty = 0;  // the table of a missing tail
    std::array<Table, 2> tables{Table{&empty, {1, 1}}, Table{&empty, {1, 1}}};
    const Counts own = limited(counts_of(edge));
    Counts largest = own;
    for (std::size_t k = 0; k < edge.tails().size(); ++k) {
      const std::int64_t tail = edge.tails()[k];
      const Counts& size = size_[index(tail)];
      if (size[0] == 0) return true;
      tables[k] = {value_.data() + from_[index(tail)], size};
      largest = {largest[0] + size[0] - 1, largest[1] + size[1] - 1};
    }
    if (largest[0] > limit_[0] || largest[1] > limit_[1]) return false;

    const auto& [first, second] = tables;
    const std::int64_t row = size_[index(node)][1];
    double* const target = value_.data() + cell(node, own);
    for (Counts i{0, 0}; i[0] < first.size[0]; ++i[0]) {
      for (i[1] = 0; i[1] < first.size[1]; ++i[1]) {
        const double value = edge.score + first.value[i[0] * first.size[1] + i[1]];
        if (value == underivable) continue;
        polls_.add(program, second.size[0] * second.size[1]);
        for (std::int64_t j = 0; j < second.size[0]; ++j) {
          raise_row(target + (i[0] + j) * row + i[1], second.value + j * second.size[1],
                    second.size[1], value);
        }
      }
    }
    return true;
  }

  // Calls visit(value, counts, tail_counts) for each combination of counts of the tails.
  template <class CountsOf, class Visit>
  void each_combination(const P& program, const typename P::Edge& edge, CountsOf& counts_of,
                        Visit visit) {
    if (edge.score == underivable) return;
    TailCounts tail_counts{};
    const Counts own = limited(counts_of(edge));
    each_combination_from<0>(program, edge, edge.score, own, tail_counts, visit);
  }
  // The tails from k on.
  template <std::size_t k, class Visit>
  void each_combination_from(const P& program, const typename P::Edge& edge, double value,
                             const Counts& counts, TailCounts& tail_counts, Visit& visit) {
    if constexpr (k == max_tails) {
      visit(value, counts, std::as_const(tail_counts));
    } else {
      if (k == edge.tails().size()) return visit(value, counts, std::as_const(tail_counts));
      const std::int64_t tail = edge.tails()[k];
      const Counts& size = size_[index(tail)];
      Counts& counts_of_tail = tail_counts[k];
      std::size_t tail_cell = cell(tail, {0, 0});
      polls_.add(program, size[0] * size[1]);
      for (counts_of_tail[0] = 0; counts_of_tail[0] < size[0]; ++counts_of_tail[0]) {
        for (counts_of_tail[1] = 0; counts_of_tail[1] < size[1]; ++counts_of_tail[1]) {
          const double tail_value = value_[tail_cell++];
          if (tail_value == underivable) continue;
          each_combination_from<k + 1>(program, edge, value + tail_value,
                                       sum(counts, counts_of_tail), tail_counts, visit);
        }
      }
    }
  }

  Counts limit_{};
  std::vector<std::int64_t> from_;  // [node + 1] into value_
  std::vector<Counts> size_;        // [node]
  std::vector<double> value_;       // S, [node][size 0][size 1]
  std::vector<Pending> pending_;
  PollCounter polls_;
};

}  // namespace sculpt::program
