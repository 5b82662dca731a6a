// pivoted_factor.hpp - the Cholesky factor of a kernel's matrix, one column for each atom that is
// chosen as a pivot.
//
//   K = L L' at the pivots        L[t][q] = <phi(t), direction q>
//
// Direction q is what is left of phi of pivot q after the directions before it, at length 1. Held
// by the selection of atoms (atom_selection.cpp).
//
// A column costs the products with all columns before it. Rows ahead make them cheap: they are the
// residual rows of atoms that may be chosen next. They are brought up to date together, so L is
// read once for them all. Pivots leave the rows and columns, which halves time and memory: n pivots
// of n atoms take n^3 / 3 operations and n^2 / 2 numbers. Each value is one sum in the order of the
// pivots, so it depends neither on the rows ahead nor on the threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/vector.hpp"
#include "parallel/workers.hpp"
#include "problem/kernel/kernel.hpp"

namespace sculpt::core {

// Atoms have positions, the pivots first and in their order. A position changes only in add().
class PivotedFactor {
 public:
  // `atoms`: by their numbers in the dataset. All references must outlive it.
  PivotedFactor(Kernel& kernel, Workers& workers, std::span<const std::int64_t> atoms);

  std::size_t size() const { return order_.size(); }    // n
  std::size_t rank() const { return columns_.size(); }  // pivots
  // The number in the list of the atom at a position.
  std::size_t at(std::size_t position) const { return order_[position]; }
  // L, for position >= q.
  double value(std::size_t position, std::size_t q) const { return columns_[q][position - q]; }

  // True if add() of this position is cheap.
  bool is_ahead(std::size_t position) const { return slot_of_position_[position] >= 0; }
  // Brings the residual rows of these positions up to date, and forgets all others. Requires
  // positions from rank() on, each once.
  void look_ahead(std::span<const std::size_t> positions);

  // Makes the atom at this position the next pivot: it changes its place with the one at rank().
  // Returns the new column of L, from that position on. Requires is_ahead(), and the length > 0 of
  // what is left of its phi.
  std::span<const double> add(std::size_t position, double length);

 private:
  struct RowAhead {
    std::size_t position = 0;
    Vector values;  // [positions] of which those before rank() are unused
  };

  void compute(std::span<RowAhead> rows);
  void swap_positions(std::size_t a, std::size_t b);
  void reduce(std::span<RowAhead> rows, std::size_t first);

  Kernel& kernel_;
  Workers& workers_;
  std::span<const std::int64_t> atoms_;
  std::vector<std::size_t> order_;              // [positions]
  std::vector<Vector> columns_;                 // of L, each from its pivot on
  std::vector<RowAhead> ahead_;                 // in no particular order
  std::vector<std::int32_t> slot_of_position_;  // [positions] of ahead_; -1: none
  std::size_t up_to_date_ = 0;                  // the columns that all rows ahead have lost
};

}  // namespace sculpt::core
