// square_sum.hpp - sums of squares x x' of dense vectors.
//
// Called by NormalMatrix, for which it is most of the work where planes are dense. Compiled twice:
// for the vectors of four doubles that most processors have, and without. Both give the same bits.
#pragma once

#include <cstddef>
#include <span>

namespace sculpt::core {

// Of the lower triangle of a matrix, column by column; what lies above may change, too.
struct LowerColumns {
  double* data;           // of the whole matrix
  std::size_t dimension;  // rows, and the distance of columns
  std::size_t begin;      // of the columns that are meant
  std::size_t end;
};

// matrix += sum_k sign[k] x_k x_k', summed up before it is added;   x_k = rows[k * dimension ..].
// Any thread, for columns of its own.
void add_square_sum(const LowerColumns& matrix, const double* rows, std::span<const double> sign);

}  // namespace sculpt::core
