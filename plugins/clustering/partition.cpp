#include "partition.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace clustering {

void make_canonical(std::span<std::int32_t> y) {
  constexpr std::int32_t none = -1;
  std::vector<std::int32_t> new_numbers(y.size(), none);
  std::int32_t next = 0;
  for (std::int32_t& cluster : y) {
    std::int32_t& new_number = new_numbers[static_cast<std::size_t>(cluster)];
    if (new_number == none) new_number = next++;
    cluster = new_number;
  }
}

void check_partition(sculpt::Labels y, std::int64_t items) {
  if (y.count() != items) {
    throw sculpt::Error(SCULPT_E_INVALID, "an output of this document has " +
                                              std::to_string(items) + " numbers, not " +
                                              std::to_string(y.count()));
  }
  std::int32_t next = 0;
  for (const std::int32_t cluster : y) {
    if (cluster < 0 || cluster > next) {
      throw sculpt::Error(
          SCULPT_E_INVALID,
          "cluster " + std::to_string(cluster) +
              " is out of order; number clusters from 0 in the order of their first "
              "items");
    }
    if (cluster == next) ++next;
  }
}

bool next_partition(std::span<std::int32_t> y) {
  std::vector<std::int32_t> clusters_before(y.size() + 1, 0);
  for (std::size_t i = 0; i < y.size(); ++i) {
    clusters_before[i + 1] = std::max(clusters_before[i], y[i] + 1);
  }
  for (std::size_t i = y.size(); i-- > 1;) {
    if (y[i] == clusters_before[i]) continue;  // already alone among the items before it
    ++y[i];
    std::fill(y.begin() + static_cast<std::ptrdiff_t>(i) + 1, y.end(), 0);
    return true;
  }
  return false;
}

// Bell's triangle: a row begins with the last number of the previous row. Each further number is
// the sum of its left neighbour and the number above that neighbour.
std::int64_t partition_count(std::int64_t items, std::int64_t limit) {
  std::vector<std::int64_t> row{1};
  for (std::int64_t n = 1; n < items && row.back() <= limit; ++n) {
    std::vector<std::int64_t> next{row.back()};
    for (const std::int64_t above : row) {
      next.push_back(next.back() > limit - above ? limit + 1 : next.back() + above);
      if (next.back() > limit) return limit + 1;
    }
    row = std::move(next);
  }
  return row.back() <= limit ? row.back() : limit + 1;
}

}  // namespace clustering
