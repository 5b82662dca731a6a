// weight_view.hpp - w as it crosses the ports of a problem, and as the working set lends it.
//
// Made of a dense vector, which outlives it, wherever one is handed over; a copy costs nothing. Who
// only multiplies by w asks for dot(), so that weights can take other forms: coefficients over the
// atoms of a kernel have no numbers to read one by one. dense() is for who cannot do without.
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
