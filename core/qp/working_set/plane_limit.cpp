#include "qp/working_set/plane_limit.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace sculpt::core {
namespace {

// The ages of all planes, the oldest first, each age once.
std::vector<std::int32_t> plane_ages(const WorkingSet& working_set) {
  std::vector<std::int32_t> ages;
  for (std::int64_t index = 0; index < working_set.block_count(); ++index) {
    const std::vector<std::int32_t>& age = working_set.block(index).age;
    ages.insert(ages.end(), age.begin() + 1, age.end());
  }
  std::sort(ages.begin(), ages.end(), std::greater<>());
  ages.erase(std::unique(ages.begin(), ages.end()), ages.end());
  return ages;
}

// Merges the two planes of a block with the smallest alpha. Returns the bytes it saves. Returns 0
// if there are no two planes, or if the block would not take fewer bytes.
std::size_t merge_two_smallest(WorkingSet& working_set, std::int64_t index) {
  const Block& block = working_set.block(index);
  if (block.size() < 3) return 0;
  std::vector<std::size_t> planes(block.size() - 1);
  std::iota(planes.begin(), planes.end(), std::size_t{1});
  std::partial_sort(
      planes.begin(), planes.begin() + 2, planes.end(),
      [&block](std::size_t p, std::size_t q) { return block.alpha[p] < block.alpha[q]; });
  const std::size_t bytes_before = block.bytes();
  const auto [p, q] = std::minmax(planes[0], planes[1]);
  if (!working_set.merge(index, p, q)) return 0;
  const std::size_t bytes_after = working_set.block(index).bytes();
  return bytes_before > bytes_after ? bytes_before - bytes_after : 0;
}

}  // namespace

bool limit_plane_bytes(WorkingSet& working_set, std::size_t max_bytes) {
  if (working_set.bytes() <= max_bytes) return true;
  for (const std::int32_t age : plane_ages(working_set)) {
    if (age == 0) break;
    working_set.drop_from_age(age);
    if (working_set.bytes() <= max_bytes) return true;
  }
  if (working_set.slack_term().is_forbidden()) return false;
  std::size_t bytes = working_set.bytes();
  for (bool has_merged = true; has_merged;) {
    has_merged = false;
    for (std::int64_t index = 0; index < working_set.block_count(); ++index) {
      const std::size_t saved = merge_two_smallest(working_set, index);
      has_merged = has_merged || saved > 0;
      bytes -= saved;
      if (bytes <= max_bytes) return true;
    }
  }
  return false;
}

}  // namespace sculpt::core
