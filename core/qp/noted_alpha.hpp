// noted_alpha.hpp - alpha as it was when D was computed from it last.
//
// Held by WorkingSet. D never falls from one evaluation of Sweeps to the next, but for rounding:
// where columns of 1e15 stand beside 1, steps may gain on paper what the sum of the planes shows as
// a loss of more than all that was reached. Then alpha of before is put back.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "state_stream.hpp"

namespace sculpt::core {

struct NotedAlpha {
  static constexpr double none = -std::numeric_limits<double>::infinity();

  double dual = none;               // none: nothing is noted
  double scale = 0;                 // of the terms of D
  std::vector<double> alpha;        // block after block, plane 0 included
  std::vector<std::uint64_t> size;  // [block_count] of the blocks then: they may have grown since

  void save(StateWriter& out) const;
  // Requires that `sizes` are those of the blocks now.
  void load(StateReader& in, const std::vector<std::size_t>& sizes);
};

}  // namespace sculpt::core
