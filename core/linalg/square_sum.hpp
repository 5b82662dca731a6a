// square_sum.hpp - adds sums of squares x x' of dense vectors to a matrix (a symmetric rank
// update).
//
// Called by NormalMatrix, where it is most of the work if planes are dense. Compiled twice: for
// vectors of four doubles, which most processors have, and without. Both give the same bits.
#pragma once

#include <cstddef>
#include <span>

namespace sculpt::core {

// Columns of the lower triangle of a matrix, stored by column. Values above it may change, too.
struct LowerColumns {
  double* data;           // of the whole matrix
  std::size_t dimension;  // number of rows, and distance between columns
  std::size_t begin;      // range of columns
  std::size_t end;
};

// matrix += sum_k sign[k] x_k x_k', x_k = rows[k * dimension ..]. The sum is computed before it is
// added. Any thread, if each has its own columns.
void add_square_sum(const LowerColumns& matrix, const double* rows, std::span<const double> sign);

}  // namespace sculpt::core
