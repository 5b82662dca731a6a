// cell_limit.hpp - refuses a linear program that would not fit into memory, before it is allocated.
//
// Used by lp and branch_and_bound before allocations that may be much larger than the graph. A
// table that factors share is stored for each factor. The equations of a variable grow with the
// square of its number of tables.
#pragma once

#include <sculpt/cpp/count_tables.hpp>

#include <cstdint>
#include <string>

// Eigen and CLP number cells by int.
inline constexpr double max_int32_cells = 2147483647;

inline constexpr int bytes_of_an_entry = 12;  // of a sparse matrix: value and index

// `subject`: subject and verb of the message, such as "the linear program has". Throws
// unsupported_error.
inline void check_cells(const std::string& subject, double cells, int bytes_of_a_cell,
                        std::int64_t max_cells) {
  if (cells <= static_cast<double>(max_cells)) return;
  throw sculpt::unsupported_error(
      subject + " " + sculpt::whole_number(cells) + " cells of " + std::to_string(bytes_of_a_cell) +
      " bytes, more than max_cells = " + std::to_string(max_cells) +
      "; raise max_cells if every thread has memory for them, or use a map_solver "
      "without a linear program: belief_propagation, greedy, icm");
}
