// dual_ascent.hpp - messages that lower the bound of a local polytope, table by table.
//
//   delta_v = u_v + sum over the tables g other than f of m_gv
//   m_fv(k) <- 1/|f| max over y with y_v = k of (p_f(y) + sum_w delta_w(y_w)) - delta_v(k)
//
// No step raises the bound. It may converge above the maximum of the linear program. If the program
// has an integral solution, this is rare, and the best state of each variable is that solution.
// Globerson & Jaakkola, NIPS 20 (2007). Used by lp as the first attempt, and by branch_and_bound,
// which starts from the messages of the parent node.
#pragma once

#include "local_polytope.hpp"

#include <cstdint>

class DualAscent {
 public:
  // Starts from `messages`, with these scores of the states of the variables, [unary cells].
  void begin(const LocalPolytope& polytope, const std::vector<double>& unaries,
             const std::vector<double>& messages);
  // Makes one pass over the tables. Returns the new bound.
  double sweep();

  const std::vector<double>& messages() const { return messages_; }
  // Returns u_v + sum of all messages to v, [states of v]. decode() takes its largest state.
  const double* unary(std::size_t v) const { return unaries_.data() + polytope_->unaries_from(v); }
  // Writes the best state of each variable to y[variables].
  void decode(std::span<std::int32_t> y) const;

 private:
  void update(const LocalPolytope::Table& table);

  const LocalPolytope* polytope_ = nullptr;
  std::vector<double> unaries_;
  std::vector<double> messages_;
  std::vector<double> scratch_;  // of a table
  std::vector<double> largest_;  // [states of one variable]
};
