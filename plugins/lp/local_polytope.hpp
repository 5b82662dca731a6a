// local_polytope.hpp - the local polytope of a factor graph, its linear program and the dual of it.
//
//   maximize   sum_v <u_v, mu_v> + sum_f <p_f, mu_f>
//   subject to mu >= 0,  sum_k mu_v(k) = 1,  sum over the cells of f with y_v = k of mu_f = mu_v(k)
//
// over the beliefs mu: first those of the variables, then those of the tables over two variables or
// more. Tables over one variable count in u_v, those over none in a constant. The dual moves score
// from the tables to the variables by messages m, one for each table f, place v in it and state k:
//
//   minimize   constant + sum_v max_k (u_v(k) + sum_f m_fv(k)) + sum_f max_y (p_f(y) - sum_v m_fv)
//
// which bounds the maximum for every m whatever, so that no method has to be trusted for its bound.
// Used by lp and branch_and_bound, and by the methods that solve the program.
#pragma once

#include "slices.hpp"

#include <sculpt/cpp/factor_tables.hpp>

#include <vector>

class LocalPolytope {
 public:
  // A table over two variables or more.
  struct Table {
    std::int64_t factor;     // its number in the graph
    std::size_t cells_from;  // in the beliefs
    std::size_t cell_count;
    std::size_t places_from;  // in places()
    std::size_t place_count;
  };
  struct Place {
    std::size_t variable;
    std::size_t messages_from;
    Slices slices;
  };

  // Keeps the graph, which has to live on. Requires a state everywhere, and refuses scores whose
  // sum is not finite, and more than max_cells beliefs and messages, by cell_limit.hpp.
  void build(const sculpt_factor_graph& graph, const double* theta, std::int64_t max_cells);

  const sculpt_factor_graph& graph() const { return *graph_; }
  std::size_t variable_count() const { return unaries_from_.size() - 1; }
  std::size_t states(std::size_t v) const { return unaries_from_[v + 1] - unaries_from_[v]; }
  std::size_t unaries_from(std::size_t v) const { return unaries_from_[v]; }  // in the beliefs
  std::size_t unary_cells() const { return unaries_from_.back(); }
  std::size_t belief_count() const { return scores_.size(); }
  std::size_t message_count() const { return message_count_; }
  const std::vector<Table>& tables() const { return tables_; }
  std::span<const Place> places(const Table& table) const {
    return {places_.data() + table.places_from, table.place_count};
  }

  // What each belief is worth, and what is there in any case.
  const std::vector<double>& scores() const { return scores_; }  // [beliefs]
  double constant() const { return constant_; }
  // The sum of the largest scores, by absolute value, of every factor: rounding is relative to it.
  double size() const { return size_; }

  // The dual at these messages [messages].
  double bound(const std::vector<double>& messages);

  // Moves beliefs that fulfil the constraints nearly to ones that do, up to rounding: variables are
  // made to sum to 1; a table gives up what is too much for a variable, and what is missing then
  // comes back as a product of what each variable lacks (Altschuler, Weed & Rigollet 2017).
  void make_consistent(std::vector<double>& beliefs);

  // The uniform beliefs, a point inside.
  void start(std::vector<double>& beliefs) const;

  // mu[theta_size] of these beliefs, summed over the factors that share a cell.
  void scatter(const std::vector<double>& beliefs, std::span<double> mu) const;

 private:
  void lay_out(std::int64_t max_cells);
  void read_scores(const double* theta);
  void make_table_consistent(const Table& table, std::vector<double>& beliefs);

  const sculpt_factor_graph* graph_ = nullptr;
  std::vector<std::size_t> unaries_from_;  // [variables + 1]
  std::vector<Table> tables_;
  std::vector<Place> places_;
  std::size_t message_count_ = 0;
  std::vector<double> scores_;
  double constant_ = 0;
  double size_ = 0;
  std::vector<double> scratch_;  // of a table, or of all variables
  std::vector<double> missing_;  // [messages of a table]
};
