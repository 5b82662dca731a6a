#include "qp/working_set/plane_limit.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace sculpt::core {
namespace {

// The ages of idle planes, the oldest first, each age once.
std::vector<std::int32_t> ages(const WorkingSet& working_set) {
  std::vector<std::int32_t> found;
  for (std::int64_t index = 0; index < working_set.block_count(); ++index) {
    const std::vector<std::int32_t>& idle = working_set.block(index).idle;
    found.insert(found.end(), idle.begin() + 1, idle.end());
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// Merges the two planes of a block with the smallest alpha. Returns the bytes it saves. Returns 0
// if there are no two planes, or if the block would not take fewer bytes.
std::size_t merge_lightest(WorkingSet& working_set, std::int64_t index) {
  const Block& block = working_set.block(index);
  if (block.size() < 3) return 0;
  std::vector<std::size_t> planes(block.size() - 1);
  std::iota(planes.begin(), planes.end(), std::size_t{1});
  std::partial_sort(
      planes.begin(), planes.begin() + 2, planes.end(),
      [&block](std::size_t p, std::size_t q) { return block.alpha[p] < block.alpha[q]; });
  const std::size_t before = block.bytes();
  const auto [p, q] = std::minmax(planes[0], planes[1]);
  if (!working_set.merge(index, p, q)) return 0;
  const std::size_t after = working_set.block(index).bytes();
  return before > after ? before - after : 0;
}

}  // namespace

bool keep_within(WorkingSet& working_set, std::size_t bytes) {
  if (working_set.bytes() <= bytes) return true;
  for (const std::int32_t age : ages(working_set)) {
    if (age == 0) break;
    working_set.drop_older(age);
    if (working_set.bytes() <= bytes) return true;
  }
  if (working_set.slack_term().is_forbidden()) return false;
  std::size_t taken = working_set.bytes();
  for (bool merged = true; merged;) {
    merged = false;
    for (std::int64_t index = 0; index < working_set.block_count(); ++index) {
      const std::size_t saved = merge_lightest(working_set, index);
      merged = merged || saved > 0;
      taken -= saved;
      if (taken <= bytes) return true;
    }
  }
  return false;
}

}  // namespace sculpt::core
