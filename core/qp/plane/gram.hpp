// gram.hpp - a symmetric matrix that grows and shrinks by rows and columns, in one piece.
//
// Held by each Block: the products of its planes. Blocks are many and small, so a row of its own in
// memory for each plane would cost more than the numbers in it.
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

  // Adds a row and a column, the same; requires row[size() + 1], the diagonal at the end.
  void add(std::span<const double> row) {
    if (size_ == stride_) restride(size_ + size_ / 2 + 2);
    const std::size_t last = size_++;
    std::copy(row.begin(), row.end(), (*this)[last]);
    for (std::size_t q = 0; q < last; ++q) (*this)[q][last] = row[q];
  }

  // Keeps these rows and columns, which increase.
  void keep(std::span<const std::size_t> kept) {
    for (std::size_t p = 0; p < kept.size(); ++p) {
      const double* from = (*this)[kept[p]];
      for (std::size_t q = 0; q < kept.size(); ++q) (*this)[p][q] = from[kept[q]];
    }
    size_ = kept.size();
    restride(size_);
  }

  // Of the numbers in use: what grew in steps and what was loaded are told to be of one size.
  std::size_t bytes() const { return size_ * size_ * sizeof(double); }

 private:
  void restride(std::size_t stride) {
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
