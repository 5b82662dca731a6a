// alpha_snapshot.hpp - alpha as it was when D was computed from it last.
//
// Held by WorkingSet. Steps compute their gain from products of planes. If columns of 1e15 stand
// beside 1, these lose all digits, and D may be far less when the planes are summed up. The alpha
// of the last evaluation is then restored, so that D never falls but for rounding.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/file/state_stream.hpp"

namespace sculpt::core {

struct AlphaSnapshot {
  static constexpr double none = -std::numeric_limits<double>::infinity();

  double dual = none;               // none: nothing is noted
  double scale = 0;                 // of the terms of D
  std::vector<double> alpha;        // block after block, plane 0 included
  std::vector<std::uint64_t> size;  // [block_count] of the blocks then: they may have grown since

  void add_block(std::span<const double> alpha_of_block) {
    alpha.insert(alpha.end(), alpha_of_block.begin(), alpha_of_block.end());
    size.push_back(alpha_of_block.size());
  }

  void save(StateWriter& out) const;
  // Requires that `sizes` are those of the blocks now.
  void load(StateReader& in, const std::vector<std::size_t>& sizes);
};

}  // namespace sculpt::core
