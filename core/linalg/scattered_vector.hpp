// scattered_vector.hpp - a sparse vector written into a dense one, as long as products with it are
// needed.
//
// Called by qp/. The dense vector is scratch memory that is zero between calls. The cost depends on
// the entries, not on the dimension.
#pragma once

#include <cstddef>
#include <cstdint>

#include "linalg/vector.hpp"

namespace sculpt::core {

class ScatteredVector {
 public:
  // Both must outlive this. `zeros`: [dimension] zeros before and afterwards.
  ScatteredVector(const SparseVector& x, Vector& zeros) : x_(x), dense_(zeros) {
    for (std::size_t k = 0; k < x.index.size(); ++k) {
      dense_[static_cast<std::size_t>(x.index[k])] = x.value[k];
    }
  }
  ~ScatteredVector() {
    for (const std::int32_t index : x_.index) dense_[static_cast<std::size_t>(index)] = 0;
  }
  ScatteredVector(const ScatteredVector&) = delete;
  ScatteredVector& operator=(const ScatteredVector&) = delete;

  const Vector& dense() const { return dense_; }

 private:
  const SparseVector& x_;
  Vector& dense_;
};

}  // namespace sculpt::core
