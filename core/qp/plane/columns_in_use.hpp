// columns_in_use.hpp - the columns (weights) that planes touch, if these are few of many.
//
// Held by WorkingSet. Hashed words, or one index far above all others, make vectors that are nearly
// all 0. A loop over all columns then costs more than everything else in a QP. If few columns are
// in use, loops visit only these.
//
// All vectors are [dimension], and 0 in every column that no plane has touched. If columns may be
// few, sums run in the order of the columns, one by one, whether they are few or not. So columns of
// dropped planes change no bit, and a resumed run need not know them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/products.hpp"
#include "linalg/vector.hpp"
#include "qp/plane/few_columns.hpp"
#include "qp/plane/plane_vector.hpp"

namespace sculpt::core {

class ColumnsInUse {
 public:
  explicit ColumnsInUse(std::size_t dimension)
      : dimension_(dimension),
        has_few_(dimension >= large_dimension),
        is_listed_(has_few_ ? dimension : 0, false) {}

  // Adds the columns of a plane.
  void add_columns_of(const PlaneVector& a) {
    if (!has_few_) return;
    is_sorted_ = false;
    a.for_each_entry([this](std::size_t j, double value) {
      if (!has_few_ || value == 0 || is_listed_[j]) return;
      is_listed_[j] = true;
      columns_.push_back(static_cast<std::int32_t>(j));
      has_few_ = are_few_columns(columns_.size(), dimension_);
    });
    if (has_few_) return;
    std::vector<bool>().swap(is_listed_);
    std::vector<std::int32_t>().swap(columns_);
  }

  // True if few of many columns are in use. False: loops over all columns are as fast, and the list
  // is not kept any more.
  bool has_few() const { return has_few_; }

  // Increasing. Requires has_few(). [main]; after such a call any thread, until the next
  // add_columns_of().
  std::span<const std::int32_t> list() const {
    if (!is_sorted_) {
      std::sort(columns_.begin(), columns_.end());
      is_sorted_ = true;
    }
    return columns_;
  }

  // Calls function(j) for every column that may differ from 0. This and all functions below:
  // [main]; any thread after a call of list(), until the next add_columns_of().
  template <class Function>
  void for_each(Function&& function) const {
    if (has_few()) {
      for (const std::int32_t j : list()) function(static_cast<std::size_t>(j));
    } else {
      for (std::size_t j = 0; j < dimension_; ++j) function(j);
    }
  }

  // x = 0
  void clear(Vector& x) const {
    if (!has_few()) std::fill(x.begin(), x.end(), 0.0);
    if (has_few()) for_each([&](std::size_t j) { x[j] = 0; });
  }
  // y = x
  void copy(const Vector& x, Vector& y) const {
    for_each([&](std::size_t j) { y[j] = x[j]; });
  }
  // x *= factor
  void scale(double factor, Vector& x) const {
    for_each([&](std::size_t j) { x[j] *= factor; });
  }
  // y += x
  void add(const Vector& x, Vector& y) const {
    if (!has_few()) return axpy(1, x, y);
    for_each([&](std::size_t j) { y[j] += x[j]; });
  }
  // <x, y>
  double dot(const Vector& x, const Vector& y) const {
    if (dimension_ < large_dimension) return core::dot(x, y);
    double sum = 0;
    for_each([&](std::size_t j) { sum += x[j] * y[j]; });
    return sum;
  }

 private:
  std::size_t dimension_;
  bool has_few_;
  std::vector<bool> is_listed_;  // [dimension]; empty if columns are never few
  mutable std::vector<std::int32_t> columns_;
  mutable bool is_sorted_ = true;
};

}  // namespace sculpt::core
