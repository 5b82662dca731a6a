// limited.hpp - sums and products of numbers that are never negative, cut off at a limit, so that
// nothing overflows. Used by derivations.hpp and frontier.hpp.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace sculpt::program {

// min(a + b, most), of 0 <= a <= most and b >= 0
constexpr std::int64_t limited_sum(std::int64_t a, std::int64_t b, std::int64_t most) {
  return a + std::min(b, most - a);
}

// min(a b, most), of a, b >= 0
constexpr std::int64_t limited_product(std::int64_t a, std::int64_t b, std::int64_t most) {
  return b != 0 && a > most / b ? most : a * b;
}

}  // namespace sculpt::program
