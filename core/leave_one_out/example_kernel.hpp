// example_kernel.hpp - the products of planes of one example under a kernel, in double precision.
//
// Solvers take the values of their steps from floats (kernel_rows.hpp). A float may be off by 2^-24
// of a value, and much more of a sum in which values cancel. What loo proves has no such rounding.
// Held by ExampleProduct.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "linalg/vector.hpp"
#include "problem/kernel/kernel_layout.hpp"

namespace sculpt::core {

class ExampleKernel {
 public:
  // `atoms`: of the example, counted from the first training atom. `values`: [atoms][atoms] k.
  ExampleKernel(const KernelLayout& layout, Range atoms, std::vector<double> values)
      : count_(static_cast<std::size_t>(layout.training_count())),
        linear_from_(static_cast<std::size_t>(layout.linear_from())),
        first_(static_cast<std::size_t>(atoms.begin)),
        size_(static_cast<std::size_t>(atoms.size())),
        values_(std::move(values)) {}

  // x += M a at the coordinates of the example. All entries of `a` are its own, in the layout of
  // the solvers.
  void scatter(const SparseVector& a, Vector& x) const {
    for (std::size_t k = 0; k < a.index.size(); ++k) {
      const auto j = static_cast<std::size_t>(a.index[k]);
      if (j >= linear_from_) {
        x[j] += a.value[k];
        continue;
      }
      const double* const row = values_.data() + (j % count_ - first_) * size_;
      double* const to = x.data() + first_of(j);
      for (std::size_t t = 0; t < size_; ++t) to[t] += a.value[k] * row[t];
    }
  }
  // Sets x to 0 where scatter() has written.
  void unscatter(const SparseVector& a, Vector& x) const {
    for (const std::int32_t index : a.index) {
      const auto j = static_cast<std::size_t>(index);
      x[j] = 0;
      if (j < linear_from_) std::fill_n(x.data() + first_of(j), size_, 0.0);
    }
  }

  // The square root of the product of coordinate j with itself.
  double length(std::size_t j) const {
    if (j >= linear_from_) return 1;
    const std::size_t t = j % count_ - first_;
    return std::sqrt(std::max(0.0, values_[t * size_ + t]));
  }

 private:
  // The coordinate of the first atom of the example, in the block of j.
  std::size_t first_of(std::size_t j) const { return j / count_ * count_ + first_; }

  std::size_t count_;  // of the training atoms
  std::size_t linear_from_;
  std::size_t first_;
  std::size_t size_;
  std::vector<double> values_;
};

}  // namespace sculpt::core
