// learned_width.hpp - the part of a problem's dimension that a state holds, for the tests of the
// group state.
//
// Without a kernel that is the whole dimension. With one, each atom of the data has a weight in
// each block. So only the number of blocks and the linear part are learned.
#pragma once

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "base/text/message_text.hpp"
#include "check/fixture/weight_generator.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {

struct LearnedWidth {
  std::int64_t blocks = 0;   // 0: no kernel
  std::int64_t weights = 0;  // without those of atoms

  bool operator==(const LearnedWidth&) const = default;
};

inline LearnedWidth learned_width(const Problem& problem) {
  if (problem.kernel() == nullptr) return {0, problem.dimension()};
  const KernelLayout& layout = problem.kernel()->layout();
  return {layout.blocks, layout.linear_count()};
}

// "12", or "3 blocks and 4 weights without atoms".
inline std::string text_of(const LearnedWidth& width) {
  if (width.blocks == 0) return std::to_string(width.weights);
  return count_text(width.blocks, "block") + " and " + count_text(width.weights, "weight") +
         " without atoms";
}

// Draws all weights of a problem whose atoms are others than those of the tested problem.
inline WeightGenerator weights_of(const Problem& problem) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(problem.dimension()));
  std::iota(all.begin(), all.end(), 0);
  return {problem.dimension(), std::move(all), problem.nonnegative()};
}

}  // namespace sculpt::core
