// random_planes.hpp - a working set about as large as that of ocr_small, for the micro-benchmarks.
#pragma once

#include <cstdint>
#include <numeric>
#include <random>
#include <utility>

#include "qp/working_set/working_set.hpp"

namespace sculpt::core::bench {

constexpr std::int64_t blocks = 600;
constexpr std::int64_t dimension = 4030;
constexpr std::uint64_t planes_of_block = 12;
constexpr std::size_t entries_of_plane = 250;

// Returns a sparse plane with whole numbers, as in planes of counts.
inline PlaneVector random_plane(std::mt19937& random) {
  SparseVector a;
  const auto stride = static_cast<std::int32_t>(dimension / entries_of_plane);
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(entries_of_plane); ++k) {
    a.index.push_back(k * stride + static_cast<std::int32_t>(random() % 16));
    a.value.push_back(static_cast<double>(1 + random() % 2) * (random() % 2 == 0 ? 1 : -1));
  }
  return PlaneVector(std::move(a));
}

inline WorkingSet random_working_set() {
  std::mt19937 random(1);
  WorkingSet working_set(blocks, dimension, SlackTerm::linear(100.0 / static_cast<double>(blocks)));
  for (std::int64_t block = 0; block < blocks; ++block) {
    for (std::uint64_t output = 1; output <= planes_of_block; ++output) {
      working_set.add(block, random_plane(random), static_cast<double>(1 + random() % 8), output);
    }
  }
  return working_set;
}

}  // namespace sculpt::core::bench
