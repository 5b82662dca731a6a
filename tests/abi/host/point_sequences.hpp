// point_sequences.hpp - the problem of the stubs "points" and "sequence", and test vectors.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "linalg/products.hpp"
#include "stub_problem.hpp"

namespace sculpt::core::stub {

inline const Parts sequences{"points", "sequence", "count_errors", "brute_force", "{}"};
inline const char* const points = "2 0.5 -1.0\n0 1.5 0.25 | 1 -0.5 2.0 | 2 1.0 1.0\n";

inline Vector some_weights(std::int64_t dimension, double phase) {
  Vector w(static_cast<std::size_t>(dimension));
  for (std::size_t j = 0; j < w.size(); ++j) w[j] = std::sin(phase + static_cast<double>(j));
  return w;
}

// What was summed; ends the sum.
inline Vector dense(SparseAccumulator& sum, std::int64_t dimension) {
  CHECK(sum.fault().empty());
  SparseVector sparse;
  sum.merge(sparse);
  Vector out(static_cast<std::size_t>(dimension), 0.0);
  axpy(1, sparse, out);
  return out;
}

}  // namespace sculpt::core::stub
