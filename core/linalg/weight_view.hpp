// weight_view.hpp - w as it crosses the ports of a problem, and as the working set lends it.
//
// Refers to a dense vector, which outlives it; a copy costs nothing. Code that only multiplies by w
// calls dot(). dense() is for code that reads single weights. So w may take another form one day:
// a sum over the atoms of a kernel has products, but no single weights to read.
#pragma once

#include <cstdint>

#include "linalg/products.hpp"
#include "linalg/vector.hpp"

namespace sculpt::core {

class WeightView {
 public:
  WeightView(const Vector& dense) : dense_(&dense) {}  // NOLINT(google-explicit-constructor)

  std::int64_t dimension() const { return static_cast<std::int64_t>(dense_->size()); }
  const Vector& dense() const { return *dense_; }  // [dimension]

 private:
  const Vector* dense_;
};

inline double dot(const SparseVector& x, WeightView w) {
  return dot(x, w.dense());
}

}  // namespace sculpt::core
