// weight_point.hpp - a point at which verify and prune ask the oracle: its weights, and what they
// are made of.
//
//   w = M v,   ||w||^2 = <v, w>,   <w, w'> = <v, w'>
//
// M is that of an InnerProduct. Without one, w and v are the same (qp/plane/inner_product.hpp).
// Used by Verification, dual_value() and prune.
#pragma once

#include <utility>

#include "linalg/products.hpp"
#include "linalg/vector.hpp"
#include "qp/plane/inner_product.hpp"

namespace sculpt::core {

struct WeightPoint {
  Vector v = {};  // [dimension], or empty: the same as w
  Vector w = {};  // [dimension]

  const Vector& coefficients() const { return v.empty() ? w : v; }
  double squared_norm() const { return product_with(*this); }
  double product_with(const WeightPoint& other) const { return dot(coefficients(), other.w); }
};

// The point of these coefficients. `inner_product`: nullptr if w = v.
inline WeightPoint point_of(Vector v, InnerProduct* inner_product) {
  if (inner_product == nullptr) return {{}, std::move(v)};
  WeightPoint point{std::move(v), {}};
  point.w.assign(point.v.size(), 0.0);
  inner_product->multiply_exactly(point.v, point.w);
  return point;
}

}  // namespace sculpt::core
