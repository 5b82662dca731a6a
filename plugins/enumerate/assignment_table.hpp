// assignment_table.hpp - sums over the factors of all assignments, as one table, and back.
//
//   spread    table[y]  = sum over factors f of cells[f, y_f]
//   collect   cells[c] += sum of table[y] over the y that use cell c
//
// Both go through the variables. Variable v cuts the table into slices, one for each of its states.
// Factors that contain v act on each slice as smaller factors. The others see the sum of all
// slices. For pairwise graphs this takes a few additions for each assignment, however many factors
// there are. Used by the session in enumerate.cpp, for probabilities.
#pragma once

#include <sculpt/ext/factor_graph.h>
#include <sculpt/cpp/host.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

class AssignmentTable {
 public:
  // Requires a state for every variable. The graph must outlive the other calls.
  void read(const sculpt_factor_graph& graph);

  std::size_t size() const { return sizes_.front(); }  // the number of assignments

  // Writes table[size()] from cells[theta_size]. Throws E_CANCELLED if the host asks to stop.
  void spread(const double* cells, std::vector<double>& table, const sculpt::Host& host);
  // Adds table[size()] to cells[theta_size]. Throws likewise.
  void collect(const std::vector<double>& table, double* cells, const sculpt::Host& host);

  // Writes the labels of the assignment with this number in the table to y[variables].
  void write(std::size_t number, std::span<std::int32_t> y) const;

 private:
  // A variable of a factor.
  struct Axis {
    std::size_t variable;
    std::int64_t stride;  // distance between the cells of neighbouring states
  };
  // A factor whose variables before the current one have labels: the cell of these, and the axes
  // that are left, [next, end) of axes_.
  struct Part {
    std::int64_t cell;
    std::size_t next, end;
  };
  // The scratch memory of the calls about one variable.
  struct Level {
    std::vector<Part> with, without, slice_parts;
    std::vector<double> sum;  // over all slices, or to be added to each
  };

  Level& split(std::size_t v, std::span<const Part> parts);
  void advance(Level& level, std::int64_t state) const;
  void spread_from(std::size_t v, std::span<const Part> parts, const double* cells, double* table,
                   const sculpt::Host& host);
  void collect_from(std::size_t v, std::span<const Part> parts, const double* table, double* cells,
                    const sculpt::Host& host);
  std::size_t states(std::size_t v) const { return sizes_[v] / sizes_[v + 1]; }

  std::vector<std::size_t> sizes_;  // assignments of the variables from v on, [variables + 1]
  std::vector<Axis> axes_;          // of all factors, by variable within each
  std::vector<Part> factors_;
  std::vector<Level> levels_;  // [variables + 1]
};
