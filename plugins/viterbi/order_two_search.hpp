// order_two_search.hpp - finds the best assignment of a graph of order two, over pairs of
// neighbours.
//
//   best_1(i, j) = u_0(i) + u_1(j) + p_1(i, j)
//   best_t(j, k) = u_t(k) + p_t(j, k) + max_i ( best_{t-1}(i, j) + q_t(i, j, k) )
//
// with pair tables p_t over (t - 1, t) and triple tables q_t over (t - 2, t - 1, t). Missing tables
// are 0. This is the recursion of Viterbi (1967) on the chain with pairs as states. O(T K^3) time
// and O(T K^2) memory. There are no back pointers: backtracking recomputes one column a position.
//
// Used by viterbi.cpp for graphs declared as order two that are no chains.
#pragma once

#include <sculpt/ext/factor_graph.h>
#include <sculpt/cpp/host.hpp>

#include <span>
#include <vector>

class OrderTwoSearch {
 public:
  explicit OrderTwoSearch(const sculpt::Host& host) : host_(host) {}

  // Writes a best assignment to y[variables]. Ties: the smallest last label, then the smallest
  // label before it, and so on. Requires a state for every variable. Throws E_INVALID with the
  // factor if the graph is not of order two. Throws E_CANCELLED if the host asks to stop.
  void find(const sculpt_factor_graph& graph, const double* theta, std::span<std::int32_t> y);

 private:
  // The tables that end at a position, or no_table.
  struct Position {
    std::size_t states;
    std::int64_t unary;
    std::int64_t pair;    // [states of t - 1][states]
    std::int64_t triple;  // [states of t - 2][states of t - 1][states]
    std::size_t from;     // begin of its best[states of t - 1][states]
  };

  void read_graph(const sculpt_factor_graph& graph);
  void forward_pass(const double* theta);
  void maximize_first(std::size_t t, const double* triple, double* best);
  void backtrack(const double* theta, std::span<std::int32_t> y) const;

  // After this number of cells, some milliseconds, the host is asked whether to stop.
  static constexpr std::size_t poll_interval = std::size_t{1} << 22;

  const sculpt::Host& host_;
  std::size_t cells_since_poll_ = 0;  // cells since the host was asked
  std::vector<Position> positions_;
  std::vector<double> best_;  // all positions from 1 on, each at its `from`
};
