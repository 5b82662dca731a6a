// random_blocks.hpp - small random working sets for the tests of the QP.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "objective/plane_source.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core::test {

using Blocks = std::vector<std::vector<Plane>>;

// `a`: [dimension] any vector class.
template <class Values = std::vector<double>>
Plane plane(const Values& a, double b) {
  Plane result;
  result.b = b;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] == 0) continue;
    result.a.index.push_back(static_cast<std::int32_t>(k));
    result.a.value.push_back(a[k]);
  }
  return result;
}

// `count` blocks of up to max_planes planes each. Some planes are zero, duplicates or multiples of
// others. Entries are small integers, so there are ties.
inline Blocks random_blocks(unsigned seed, std::size_t count, std::size_t max_planes,
                            std::size_t dimension) {
  std::mt19937_64 random(seed);
  Blocks blocks(count);
  for (auto& block : blocks) {
    const std::size_t size = 1 + random() % max_planes;
    for (std::size_t p = 0; p < size; ++p) {
      const std::uint64_t kind = random() % 6;
      if (kind == 0 && p > 0) {
        block.push_back(block[random() % p]);
      } else if (kind == 1 && p > 0) {
        Plane multiple = block[random() % p];
        for (double& value : multiple.a.value) value *= 2;
        multiple.b = static_cast<double>(random() % 5);
        block.push_back(std::move(multiple));
      } else if (kind == 2) {
        block.push_back(plane(std::vector<double>(dimension, 0.0), random() % 2 == 0 ? 0.0 : 0.5));
      } else {
        std::vector<double> a(dimension);
        for (double& value : a) value = static_cast<double>(random() % 7) - 3;
        block.push_back(plane(a, static_cast<double>(random() % 5)));
      }
    }
  }
  return blocks;
}

// Adds the planes of `blocks`, as dense or as sparse vectors.
inline void fill(WorkingSet& working_set, const Blocks& blocks, bool dense = false) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (std::size_t p = 0; p < blocks[i].size(); ++p) {
      const Plane& added = blocks[i][p];
      Vector a(working_set.w().dense().size(), 0.0);
      for (std::size_t k = 0; k < added.a.index.size(); ++k) {
        a[static_cast<std::size_t>(added.a.index[k])] = added.a.value[k];
      }
      const auto block = static_cast<std::int64_t>(i);
      const bool is_new = dense ? working_set.add(block, PlaneVector(a), added.b, p)
                                : working_set.add(block, PlaneVector(added.a), added.b, p);
      REQUIRE(is_new);
    }
  }
}

}  // namespace sculpt::core::test
