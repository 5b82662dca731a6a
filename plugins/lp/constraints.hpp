// constraints.hpp - the equations of the local polytope as a sparse matrix, A mu = b.
//
//   rows, first   sum over the cells of f with y_v = k of mu_f - mu_v(k) = 0,  a message each
//         then    sum_k mu_v(k) = 1,                                           a variable each
//
// For all edges of f but the first, the row of the last state follows from the others. These rows
// are left out, so that A has full rank. Used by the interior point method and by CLP.
#pragma once

#include "local_polytope.hpp"

class Constraints {
 public:
  // Throws for more than max_cells entries (cell_limit.hpp).
  void build(const LocalPolytope& polytope, std::int64_t max_cells);

  int row_count() const { return row_count_; }
  int column_count() const { return static_cast<int>(column_from_.size()) - 1; }
  // The matrix by columns: the entries of column c are [column_from()[c], column_from()[c + 1]).
  const std::vector<int>& column_from() const { return column_from_; }
  const std::vector<int>& row() const { return row_; }
  const std::vector<double>& value() const { return value_; }
  const std::vector<double>& right_side() const { return right_side_; }  // [rows]

  int row_of_message(std::size_t message) const { return row_of_message_[message]; }  // or -1
  int row_of_variable(std::size_t v) const { return first_variable_row_ + static_cast<int>(v); }

  // Converts multipliers of the rows to messages: with the opposite sign, and 0 for a missing row.
  void to_messages(const double* rows, std::vector<double>& messages) const;

 private:
  void number_rows(const LocalPolytope& polytope);
  template <class Visit>
  void each_entry(const LocalPolytope& polytope, Visit visit) const;

  int row_count_ = 0;
  int first_variable_row_ = 0;
  std::vector<int> row_of_message_;
  std::vector<int> column_from_;
  std::vector<int> row_;
  std::vector<double> value_;
  std::vector<double> right_side_;
  std::vector<int> next_;  // the next entry to fill in each column, [columns]
};
