// limited.hpp - sums and products of nonnegative numbers that stop at a limit, so that nothing
// overflows. Used by derivations.hpp and frontier.hpp.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace sculpt::program {

// Returns min(a + b, limit). Requires 0 <= a <= limit and b >= 0.
constexpr std::int64_t limited_sum(std::int64_t a, std::int64_t b, std::int64_t limit) {
  return a + std::min(b, limit - a);
}

// Returns min(a b, limit). Requires a, b >= 0.
constexpr std::int64_t limited_product(std::int64_t a, std::int64_t b, std::int64_t limit) {
  return b != 0 && a > limit / b ? limit : a * b;
}

}  // namespace sculpt::program
