// gram.hpp - a symmetric matrix in one piece of memory. Rows and columns can be added and removed.
//
// Held by each Block, for the products of its planes. Blocks are many and small, so separate memory
// for each row would cost more than its numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace sculpt::core {

class Gram {
 public:
  std::size_t size() const { return size_; }
  double* operator[](std::size_t row) { return data_.get() + row * stride_; }
  const double* operator[](std::size_t row) const { return data_.get() + row * stride_; }

  // Adds equal row and column. Requires row[size() + 1], with the diagonal at the end.
  void add(std::span<const double> row) {
    if (size_ == stride_) reallocate(size_ + size_ / 2 + 2);
    const std::size_t last = size_++;
    std::copy(row.begin(), row.end(), (*this)[last]);
    for (std::size_t q = 0; q < last; ++q) (*this)[q][last] = row[q];
  }

  // Keeps only these rows and columns. Requires increasing indices.
  void keep(std::span<const std::size_t> indices) {
    for (std::size_t p = 0; p < indices.size(); ++p) {
      const double* from = (*this)[indices[p]];
      for (std::size_t q = 0; q < indices.size(); ++q) (*this)[p][q] = from[indices[q]];
    }
    size_ = indices.size();
    reallocate(size_);
  }

  // Bytes of the numbers in use. So a matrix that grew and one that was loaded report the same
  // size.
  std::size_t bytes() const { return size_ * size_ * sizeof(double); }

 private:
  void reallocate(std::size_t stride) {
    auto data = std::make_unique_for_overwrite<double[]>(stride * stride);
    for (std::size_t p = 0; p < size_; ++p) {
      std::copy((*this)[p], (*this)[p] + size_, data.get() + p * stride);
    }
    data_ = std::move(data);
    stride_ = stride;
  }

  std::unique_ptr<double[]> data_;  // [stride][stride], of which [size][size] are in use
  std::size_t size_ = 0;
  std::size_t stride_ = 0;
};

}  // namespace sculpt::core
