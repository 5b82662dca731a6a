#include "constraints.hpp"

#include "cell_limit.hpp"

#include <numeric>

// Numbers the rows that build() will fill, and sets the right side.
void Constraints::number_rows(const LocalPolytope& polytope) {
  row_count_ = 0;
  row_of_message_.assign(polytope.message_count(), -1);
  for (const LocalPolytope::Table& table : polytope.tables()) {
    for (std::size_t p = 0; p < table.scope_size; ++p) {
      const LocalPolytope::Edge& edge = polytope.edges(table)[p];
      const std::size_t rows = edge.slices.states - (p > 0 ? 1 : 0);
      for (std::size_t k = 0; k < rows; ++k) row_of_message_[edge.messages_from + k] = row_count_++;
    }
  }
  first_variable_row_ = row_count_;
  row_count_ += static_cast<int>(polytope.variable_count());
  right_side_.assign(static_cast<std::size_t>(row_count_), 0.0);
  for (std::size_t v = 0; v < polytope.variable_count(); ++v) {
    right_side_[static_cast<std::size_t>(row_of_variable(v))] = 1;
  }
}

void Constraints::build(const LocalPolytope& polytope, std::int64_t max_cells) {
  // Each cell of a table is in one row for each of its edges, and so are the states of the
  // variables.
  auto entries = static_cast<double>(polytope.unary_cells() + polytope.message_count());
  for (const LocalPolytope::Table& table : polytope.tables()) {
    entries += static_cast<double>(table.cell_count) * static_cast<double>(table.scope_size);
  }
  check_cells("the equations of the linear program have", entries, bytes_of_an_entry, max_cells);
  number_rows(polytope);
  column_from_.assign(polytope.belief_count() + 1, 0);
  each_entry(polytope, [this](std::size_t column, int, double) { ++column_from_[column + 1]; });
  std::partial_sum(column_from_.begin(), column_from_.end(), column_from_.begin());
  row_.resize(static_cast<std::size_t>(column_from_.back()));
  value_.resize(row_.size());
  next_.assign(column_from_.begin(), column_from_.end() - 1);
  each_entry(polytope, [this](std::size_t column, int row, double value) {
    const auto entry = static_cast<std::size_t>(next_[column]++);
    row_[entry] = row;
    value_[entry] = value;
  });
}

// Calls visit(column, row, value). The rows of a column come in ascending order.
template <class Visit>
void Constraints::each_entry(const LocalPolytope& polytope, Visit visit) const {
  for (const LocalPolytope::Table& table : polytope.tables()) {
    for (const LocalPolytope::Edge& edge : polytope.edges(table)) {
      const auto row = [&](std::size_t k) { return row_of_message_[edge.messages_from + k]; };
      const std::size_t unaries_from = polytope.unaries_from(edge.variable);
      for (std::size_t k = 0; k < edge.slices.states; ++k) {
        if (row(k) >= 0) visit(unaries_from + k, row(k), -1);
      }
      edge.slices.each([&](std::size_t k, std::size_t cell) {
        if (row(k) >= 0) visit(table.cells_from + cell, row(k), 1);
      });
    }
  }
  for (std::size_t v = 0; v < polytope.variable_count(); ++v) {
    for (std::size_t k = 0; k < polytope.states(v); ++k) {
      visit(polytope.unaries_from(v) + k, row_of_variable(v), 1);
    }
  }
}

void Constraints::to_messages(const double* rows, std::vector<double>& messages) const {
  messages.resize(row_of_message_.size());
  for (std::size_t m = 0; m < messages.size(); ++m) {
    messages[m] = row_of_message_[m] < 0 ? 0 : -rows[row_of_message_[m]];
  }
}
