// scattered.hpp - a sparse vector in a dense one, for as long as products with it are needed.
//
// Used where a dense vector of the dimension, zero between calls, is at hand: what it costs follows
// the entries, not the dimension.
#pragma once

#include <cstddef>
#include <cstdint>

#include "linalg/vector.hpp"

namespace sculpt::core {

class Scattered {
 public:
  // Both outlive this. `zeros` is [dimension], and zero again afterwards.
  Scattered(const SparseVector& x, Vector& zeros) : x_(x), dense_(zeros) {
    for (std::size_t k = 0; k < x.index.size(); ++k) {
      dense_[static_cast<std::size_t>(x.index[k])] = x.value[k];
    }
  }
  ~Scattered() {
    for (const std::int32_t index : x_.index) dense_[static_cast<std::size_t>(index)] = 0;
  }
  Scattered(const Scattered&) = delete;
  Scattered& operator=(const Scattered&) = delete;

  const Vector& dense() const { return dense_; }

 private:
  const SparseVector& x_;
  Vector& dense_;
};

}  // namespace sculpt::core
