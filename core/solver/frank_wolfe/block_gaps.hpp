// block_gaps.hpp - the gaps of the blocks of frank_wolfe, as they were last measured.
//
// Held by BlockSteps, read by FrankWolfePasses. Each gap belongs to the w at which it was measured,
// so it is an estimate.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "base/file/state_stream.hpp"

namespace sculpt::core {

class BlockGaps {
 public:
  explicit BlockGaps(std::int64_t count) : gap_(static_cast<std::size_t>(count), 0.0) {}

  double at(std::int64_t example) const { return gap_[static_cast<std::size_t>(example)]; }
  // Keeps the gap finite, also if the square of a slack overflows.
  void set(std::int64_t example, double gap) {
    gap_[static_cast<std::size_t>(example)] = std::min(gap, std::numeric_limits<double>::max());
  }
  const std::vector<double>& all() const { return gap_; }  // [n]
  double total() const {
    const double sum = std::accumulate(gap_.begin(), gap_.end(), 0.0);
    return std::min(sum, std::numeric_limits<double>::max());
  }

  void save(StateWriter& out) const {
    out.put_array(gap_);
    out.put(proved_gap);
    out.put(proved_pass);
  }
  void load(StateReader& in) {
    const std::size_t count = gap_.size();
    in.get_array(gap_);
    in.require(gap_.size() == count, "gaps of another number of examples");
    proved_gap = in.get<double>();
    for (const double gap : gap_) require_gap(in, gap);
    require_gap(in, proved_gap);
    proved_pass = in.get_count();
  }

  double proved_gap = 0;         // P - D of the last pass at one w
  std::int64_t proved_pass = 0;  // the number of that pass

 private:
  static void require_gap(const StateReader& in, double gap) {
    in.require(std::isfinite(gap) && gap >= 0, "a gap that is negative or not finite");
  }

  std::vector<double> gap_;
};

}  // namespace sculpt::core
