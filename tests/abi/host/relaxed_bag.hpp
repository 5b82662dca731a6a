// relaxed_bag.hpp - the problem of the stub "bag", and its best relaxed outputs by brute force.
#pragma once

#include <vector>

#include "stub_problem.hpp"

namespace sculpt::core::stub {

inline const Parts bag{"bag", "bag", "bag", "bag", "{}"};
inline const char* const items = "0 1.0 2.0 0.5\n-1 -1.0 0.5 0.25\n2 0.1 0.1 3.0\n";

// The value of the best y in [0, 1]^3 with at most one whole item and half of another. Values are
// affine in y.
struct Relaxed {
  double value;
  bool fractional;
};
inline Relaxed best_relaxed(Problem& problem, std::int64_t example, const Vector& w) {
  const double empty = score(problem, example, {0, 0, 0}, w, 1);
  Relaxed best{empty, false};
  for (std::size_t whole = 0; whole < 3; ++whole) {
    std::vector<std::int32_t> y(3, 0);
    y[whole] = 1;
    const double one = score(problem, example, y, w, 1);
    if (one > best.value) best = {one, false};
    for (std::size_t half = 0; half < 3; ++half) {
      if (half == whole) continue;
      std::vector<std::int32_t> z(3, 0);
      z[half] = 1;
      const double value = one + 0.5 * (score(problem, example, z, w, 1) - empty);
      if (value > best.value) best = {value, true};
    }
  }
  return best;
}

}  // namespace sculpt::core::stub
