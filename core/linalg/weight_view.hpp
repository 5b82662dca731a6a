// weight_view.hpp - a reference to w, for the ports of a problem and the working set.
//
// It refers to a dense vector, which must outlive it. A copy costs nothing. Code that only
// multiplies by w calls dot(). Code that reads single weights calls dense(). So w may get another
// form later: a sum over the atoms of a kernel has products, but no single weights.
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
