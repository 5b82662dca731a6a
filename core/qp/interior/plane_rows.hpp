// plane_rows.hpp - planes of a working set as sparse rows over the columns that occur in them.
//
// Held by InteriorPoint, which reads every plane some hundred times. So indices increase, values
// are doubles, and columns without a plane are left out (w is 0 there). Rows are ordered by block.
// Zero planes are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/vector.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

class PlaneRows {
 public:
  // Copies the planes p of block i with chosen[i][p] != 0. Uses scratch() of the working set, and
  // leaves it zero.
  void gather(WorkingSet& working_set, const std::vector<std::vector<std::uint8_t>>& chosen);
  // Frees the memory.
  void clear();

  std::size_t columns() const { return column_.size(); }
  std::size_t rows() const { return b_.size(); }
  std::size_t entries() const { return index_.size(); }
  std::size_t blocks() const { return block_end_.size(); }

  struct Row {
    std::span<const std::int32_t> index;  // increasing, < columns()
    const double* value;                  // [index]
  };
  Row row(std::size_t p) const {
    return {std::span(index_).subspan(begin_[p], begin_[p + 1] - begin_[p]),
            value_.data() + begin_[p]};
  }
  std::size_t plane_index(std::size_t p) const { return plane_[p]; }  // its index in the block
  double b(std::size_t p) const { return b_[p]; }
  std::span<const double> b() const { return b_; }  // [rows]
  std::size_t block_begin(std::size_t i) const { return i == 0 ? 0 : block_end_[i - 1]; }
  std::size_t block_end(std::size_t i) const { return block_end_[i]; }

  // [columns] the largest |a_pj| of each column; > 0
  std::vector<double> largest_in_columns() const;

  // product[p] = <a_p, x>;   x[columns], product[rows]
  void multiply(std::span<const double> x, std::span<double> product) const;
  // sum = sum of scale[p] a_p;   sum[columns], scale[rows]
  void sum(std::span<const double> scale, std::span<double> sum) const;

  // The index of a column's weight, and conversions of x from all weights to the columns and back.
  std::size_t weight_index(std::size_t column) const { return column_[column]; }
  void to_columns(const SparseVector& weights, std::span<double> x) const;
  void to_weights(std::span<const double> x, SparseVector& weights) const;  // zero elsewhere

 private:
  void number_columns(Vector& zeros);
  void append(const PlaneVector& a, const Vector& scattered);

  std::vector<std::size_t> column_;     // [columns] the weight of each column, increasing
  std::vector<std::size_t> begin_;      // [rows + 1] offsets in index_ and value_
  std::vector<std::int32_t> index_;     // [entries]
  std::vector<double> value_;           // [entries]
  std::vector<double> b_;               // [rows]
  std::vector<std::size_t> plane_;      // [rows]
  std::vector<const PlaneVector*> a_;   // [rows] only while planes are gathered
  std::vector<std::size_t> block_end_;  // [blocks] in rows
};

}  // namespace sculpt::core
