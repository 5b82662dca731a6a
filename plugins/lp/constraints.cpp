#include "constraints.hpp"

#include "cell_limit.hpp"

void Constraints::number_rows(const LocalPolytope& polytope) {
  row_count_ = 0;
  row_of_message_.assign(polytope.message_count(), -1);
  for (const LocalPolytope::Table& table : polytope.tables()) {
    for (std::size_t p = 0; p < table.place_count; ++p) {
      const LocalPolytope::Place& place = polytope.places(table)[p];
      const std::size_t rows = place.slices.states - (p > 0 ? 1 : 0);
      for (std::size_t k = 0; k < rows; ++k)
        row_of_message_[place.messages_from + k] = row_count_++;
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
  // each cell of a table stands in a row for each of its places, and so do the variables' states
  auto entries = static_cast<double>(polytope.unary_cells() + polytope.message_count());
  for (const LocalPolytope::Table& table : polytope.tables()) {
    entries += static_cast<double>(table.cell_count) * static_cast<double>(table.place_count);
  }
  check_cells("the equations of the linear program have", entries, bytes_of_an_entry, max_cells);
  number_rows(polytope);
  struct Entry {
    int row;
    double value;
  };
  std::vector<std::vector<Entry>> columns(polytope.belief_count());
  for (const LocalPolytope::Table& table : polytope.tables()) {
    for (const LocalPolytope::Place& place : polytope.places(table)) {
      const auto row = [&](std::size_t k) { return row_of_message_[place.messages_from + k]; };
      for (std::size_t k = 0; k < place.slices.states; ++k) {
        if (row(k) < 0) continue;
        columns[polytope.unaries_from(place.variable) + k].push_back({row(k), -1});
      }
      place.slices.each([&](std::size_t k, std::size_t cell) {
        if (row(k) >= 0) columns[table.cells_from + cell].push_back({row(k), 1});
      });
    }
  }
  for (std::size_t v = 0; v < polytope.variable_count(); ++v) {
    for (std::size_t k = 0; k < polytope.states(v); ++k) {
      columns[polytope.unaries_from(v) + k].push_back({row_of_variable(v), 1});
    }
  }
  column_from_.assign(1, 0);
  row_.clear();
  value_.clear();
  for (const auto& column : columns) {
    for (const Entry& entry : column) {
      row_.push_back(entry.row);
      value_.push_back(entry.value);
    }
    column_from_.push_back(static_cast<int>(row_.size()));
  }
}

void Constraints::to_messages(const double* rows, std::vector<double>& messages) const {
  messages.resize(row_of_message_.size());
  for (std::size_t m = 0; m < messages.size(); ++m) {
    messages[m] = row_of_message_[m] < 0 ? 0 : -rows[row_of_message_[m]];
  }
}
