#include "matrix_table.hpp"

#include <cmath>
#include <string>

namespace kernel {

bool are_symmetric(double value, double mirrored, double of_a, double of_b) {
  const double scale = std::sqrt(std::abs(of_a)) * std::sqrt(std::abs(of_b));
  return value == mirrored || std::abs(value - mirrored) <= symmetry_tolerance * scale;
}

MatrixTable::MatrixTable(const sculpt::Source& source, bool is_kernel) {
  sculpt::LineReader reader(source, sculpt::LineLife::until_next);
  std::vector<sculpt::Field> fields;
  while (reader.next()) {
    reader.cut_comment('#');
    sculpt::split_fields(reader.line(), " \t,;", fields);
    if (fields.empty()) continue;
    if (is_kernel && rows_ > 0 && rows_ == columns_) {
      throw reader.error(fields[0].column, "row " + std::to_string(rows_ + 1) +
                                               " of a matrix with " + std::to_string(columns_) +
                                               " columns; a kernel matrix is square");
    }
    read_row(reader, fields);
    if (is_kernel) require_symmetry(reader, fields);
  }
  if (rows_ == 0) throw reader.error_at(1, 0, "no numbers; write a row of the matrix in each line");
  if (is_kernel && rows_ < columns_) {
    throw reader.error(0, "the last of " + std::to_string(rows_) + " rows, but the matrix has " +
                              std::to_string(columns_) + " columns; a kernel matrix is square");
  }
}

void MatrixTable::read_row(const sculpt::LineReader& reader,
                           const std::vector<sculpt::Field>& fields) {
  const std::int64_t size = std::ssize(fields);
  if (rows_ == 0) columns_ = size;
  if (size != columns_) {
    const sculpt::Field& last = fields.back();
    throw reader.error(
        size < columns_ ? last.end() : fields[static_cast<std::size_t>(columns_)].column,
        "this row has " + std::to_string(size) + " numbers, but the first row has " +
            std::to_string(columns_) + "; write rows of the same length");
  }
  for (const sculpt::Field& field : fields) values_.push_back(reader.real(field, "a kernel value"));
  ++rows_;
}

// Compares the last row with the rows before it.
void MatrixTable::require_symmetry(const sculpt::LineReader& reader,
                                   const std::vector<sculpt::Field>& fields) const {
  const std::int64_t i = rows_ - 1;
  for (std::int64_t j = 0; j < i; ++j) {
    if (are_symmetric(at(i, j), at(j, i), at(i, i), at(j, j))) continue;
    const std::string row = std::to_string(i + 1);
    const std::string column = std::to_string(j + 1);
    const sculpt::Field& field = fields[static_cast<std::size_t>(j)];
    throw reader.error(field.column, "the matrix is not symmetric: row " + row + ", column " +
                                         column + " has " + std::string(field.text) + ", but row " +
                                         column + ", column " + row +
                                         " has another value; write the same value in both");
  }
}

}  // namespace kernel
