// matrix_table.hpp - a table of numbers from a text file: a row a line, numbers separated by
// blanks, tabs, commas or semicolons. Text behind # is skipped, and so are blank lines.
//
// Called by matrix_kernel.cpp.
#pragma once

#include <cstdint>
#include <sculpt/sculpt.hpp>
#include <vector>

namespace kernel {

// Two values of a pair of atoms may differ by this share of sqrt(k(a, a) k(b, b)), because
// programs that write matrices round.
inline constexpr double symmetry_tolerance = 1e-10;
bool are_symmetric(double value, double mirrored, double of_a, double of_b);

class MatrixTable {
 public:
  MatrixTable() = default;
  // Throws a data error with the place of what is no finite number, or of a row whose length is not
  // that of the first. If `is_kernel`, the same for a matrix that is not square or not symmetric.
  MatrixTable(const sculpt::Source& source, bool is_kernel);

  std::int64_t row_count() const { return rows_; }
  std::int64_t column_count() const { return columns_; }
  double at(std::int64_t row, std::int64_t column) const {
    return values_[static_cast<std::size_t>(row * columns_ + column)];
  }

 private:
  void read_row(const sculpt::LineReader& reader, const std::vector<sculpt::Field>& fields);
  void require_symmetry(const sculpt::LineReader& reader,
                        const std::vector<sculpt::Field>& fields) const;

  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::vector<double> values_;  // [rows][columns]
};

}  // namespace kernel
