// alpha_snapshot.hpp - the alpha from which D was last computed.
//
// Held by WorkingSet. Steps compute their gain from products of planes. If columns of 1e15 stand
// next to 1, the products lose all digits, and D may be far smaller when the planes are summed.
// Then the alpha of the last evaluation is restored, so D never falls beyond rounding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/file/state_stream.hpp"
#include "base/infinity.hpp"

namespace sculpt::core {

struct AlphaSnapshot {
  static constexpr double none = -infinity;

  double dual = none;         // none: nothing is stored
  double dual_magnitude = 0;  // as WorkingSet::dual_magnitude()
  std::vector<double> alpha;  // block after block, with plane 0
  // [block_count] planes of each block then; blocks may have grown
  std::vector<std::uint64_t> block_sizes;

  void add_block(std::span<const double> alpha_of_block) {
    alpha.insert(alpha.end(), alpha_of_block.begin(), alpha_of_block.end());
    block_sizes.push_back(alpha_of_block.size());
  }

  void save(StateWriter& out) const;
  // Requires the current sizes of the blocks.
  void load(StateReader& in, const std::vector<std::size_t>& current_sizes);
};

}  // namespace sculpt::core
