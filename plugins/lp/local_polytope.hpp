// local_polytope.hpp - the local polytope of a factor graph, its linear program and the dual
// program.
//
//   maximize   sum_v <u_v, mu_v> + sum_f <p_f, mu_f>
//   subject to mu >= 0,  sum_k mu_v(k) = 1,  sum over the cells of f with y_v = k of mu_f = mu_v(k)
//
// over the beliefs mu: first those of the variables, then those of the tables over at least two
// variables. Tables over one variable are part of u_v, tables over none are part of the constant.
// The dual moves score from the tables to the variables by messages m, one for each table f,
// variable v of its scope and state k:
//
//   minimize   constant + sum_v max_k (u_v(k) + sum_f m_fv(k)) + sum_f max_y (p_f(y) - sum_v m_fv)
//
// It bounds the maximum for all messages m, so every method gives a valid bound. Used by
// relaxation.cpp, by branch_and_bound, and by the methods that solve the program.
#pragma once

#include "slices.hpp"

#include <sculpt/cpp/factor_tables.hpp>

#include <vector>

class LocalPolytope {
 public:
  // A table over at least two variables.
  struct Table {
    std::int64_t factor;     // its number in the graph
    std::size_t cells_from;  // in the beliefs
    std::size_t cell_count;
    std::size_t edges_from;  // of its edges
    std::size_t scope_size;
  };
  // Joins a table to a variable of its scope.
  struct Edge {
    std::size_t variable;
    std::size_t messages_from;
    Slices slices;
  };

  // Stores a pointer to the graph, which must outlive this object. Requires a state for every
  // variable. Throws if the sum of the scores is not finite, or for more than max_cells beliefs and
  // messages (cell_limit.hpp).
  void build(const sculpt_factor_graph& graph, const double* theta, std::int64_t max_cells);

  const sculpt_factor_graph& graph() const { return *graph_; }
  std::size_t variable_count() const { return unaries_from_.size() - 1; }
  std::size_t states(std::size_t v) const { return unaries_from_[v + 1] - unaries_from_[v]; }
  std::size_t unaries_from(std::size_t v) const { return unaries_from_[v]; }  // in the beliefs
  std::size_t unary_cells() const { return unaries_from_.back(); }
  std::size_t belief_count() const { return scores_.size(); }
  std::size_t message_count() const { return message_count_; }
  const std::vector<Table>& tables() const { return tables_; }
  // Returns the edges of a table, in the order of its scope.
  std::span<const Edge> edges(const Table& table) const {
    return {edges_.data() + table.edges_from, table.scope_size};
  }

  // The score of each belief, and the constant of the program.
  const std::vector<double>& scores() const { return scores_; }  // [beliefs]
  double constant() const { return constant_; }
  // Returns the sum over the factors of their largest absolute score. Rounding is relative to it.
  double magnitude() const { return magnitude_; }

  // Returns the dual value at these messages, [messages].
  double bound(const std::vector<double>& messages);

  // Moves beliefs that nearly satisfy the constraints to beliefs that do, up to rounding. First
  // each variable is scaled to sum 1. Then each table is reduced where it exceeds a variable. The
  // missing part is added back as a product of the deficits of its variables (Altschuler, Weed &
  // Rigollet 2017).
  void make_consistent(std::vector<double>& beliefs);

  // Writes the uniform beliefs, which are in the interior.
  void write_uniform(std::vector<double>& beliefs) const;

  // Writes mu[theta_size] of these beliefs, summed over the factors that share a cell.
  void scatter(const std::vector<double>& beliefs, std::span<double> mu) const;

 private:
  void assign_offsets(std::int64_t max_cells);
  void read_scores(const double* theta);
  void make_table_consistent(const Table& table, std::vector<double>& beliefs);

  const sculpt_factor_graph* graph_ = nullptr;
  std::vector<std::size_t> unaries_from_;  // [variables + 1]
  std::vector<Table> tables_;
  std::vector<Edge> edges_;
  std::size_t message_count_ = 0;
  std::vector<double> scores_;
  double constant_ = 0;
  double magnitude_ = 0;
  std::vector<double> scratch_;   // [cells of a table], or [states of a variable]
  std::vector<double> deficits_;  // [states of a variable]
  std::vector<double> unaries_;   // [unary cells]
};
