// random.hpp - random numbers for oracles and map_solvers that sample, from the seed of a query.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sculpt {

// Generator: splitmix64 (Steele, Lea & Flood, OOPSLA 2014). The same numbers with every standard
// library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  // Returns a number in [0, limit), limit <= 2^31. The bias of the remainder is below 2^-32.
  std::int32_t draw(std::int32_t limit) {
    return static_cast<std::int32_t>(next() % static_cast<std::uint64_t>(limit));
  }
  // Returns a number in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace sculpt
