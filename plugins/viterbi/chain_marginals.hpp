// chain_marginals.hpp - log Z, E[z] and Cov[z] v of a chain of order one or two by forward-backward
// passes over products, without logarithms.
//
// The positions are those of chain_shape.hpp, the weights those of chain_weights.hpp: e local, S of
// steps. In order one, for labels j at t - 1 and k at t:
//
//   a_t(k) = e_t(k) sum_j a_{t-1}(j) S_t(j, k) / c_t,     c_t such that sum_k a_t(k) = 1
//   g_t(k) = e_t(k) b_t(k) / c_t,                         b_{t-1}(j) = sum_k S_t(j, k) g_t(k)
//   p_t(k) = a_t(k) b_t(k),   p_t(j, k) = a_{t-1}(j) S_t(j, k) g_t(k),   log Z = sum_t log c_t
//
// with b = 1 at the last position, and the scale of the weights added to log Z. A step without a
// table has S = 1. Order two is the same over pairs of labels. A table that several positions share
// gets S times the sum of their products a g. Sources: Rabiner, Proceedings of the IEEE 77 (1989).
// Scaling instead of logarithms: CRFsuite (Okazaki, 2007).
//
// Dual numbers give the change of p along a change d of the scores, which is Cov[z] d. With d_t
// that of log e_t, and S d that of S:
//
//   a'_t(k) = e_t(k) sum_j [a'(j) S(j, k) + a(j) (S d)(j, k)] / c_t + a_t(k) (d_t(k) - r_t)
//   g'_t(k) = e_t(k) b'_t(k) / c_t + g_t(k) (d_t(k) - r_t)
//   b'_{t-1}(j) = sum_k S(j, k) g'(k) + (S d)(j, k) g(k)
//   p'_t(k) = a' b + a b',    p'_t(j, k) = S (a' g + a g') + (S d) a g
//
// with r_t such that sum_k a'_t(k) = 0. Both methods return nothing if the graph is no such chain,
// or if its scores spread too far for products. The caller then uses logarithms (distribution.hpp).
// Used by viterbi.cpp.
#pragma once

#include <sculpt/program/program.hpp>
#include <sculpt/sculpt.hpp>

#include <optional>
#include <vector>

#include "chain_shape.hpp"
#include "chain_weights.hpp"
#include "step_tables.hpp"

class ChainMarginals {
 public:
  explicit ChainMarginals(const sculpt::Host& host) : host_(host) {}

  // Returns log Z and writes mu[theta_size] = E[z]. Requires a state for every variable. Throws
  // E_CANCELLED if the host asks to stop.
  std::optional<double> mean(const sculpt::MapQuery& query, double* mu);

  // Writes out[theta_size] = Cov[z] direction and returns true. Requires and throws the same.
  bool covariance_times(const sculpt::MapQuery& query, const double* direction, double* out);

 private:
  using Table = ChainShape::Table;
  using Cells = std::vector<double>;  // of all positions

  bool prepare(const sculpt::MapQuery& query);
  void forward_pass();
  void backward_pass();
  void prepare_slopes(const double* direction);
  void forward_slopes();
  void backward_slopes();

  // Adds the marginals of all positions to the cells of unary and pair factors in `out`.
  void add_local(double* out);
  // Adds to products_[first][middle][last] the sum of left_t[first][middle] right_t[middle][last]
  // over the positions t that use the table; left_t is that of the position before.
  void add_products(const Table& table, const Cells& left, const Cells& right);
  void poll(std::size_t cells) { polls_.add(host_, static_cast<std::int64_t>(cells / 4)); }

  const sculpt::Host& host_;
  sculpt::program::PollCounter polls_;
  ChainShape shape_;
  ChainWeights weights_;
  Cells a_, g_;                   // g_ has b of a position before g
  Cells marginals_;               // p, or p'
  std::vector<double> inverse_;   // 1 / c, [positions]
  double log_normalizers_ = 0;    // sum of log c
  std::vector<double> products_;  // of one table
  std::vector<double> variable_;  // marginals of one variable
  Cells a_slope_, g_slope_;       // a', g'
  Cells local_slope_;             // d, then d - r
  StepTables step_slope_;         // S d
  std::vector<double> sums_;      // direction summed over the unary factors of each variable
};
