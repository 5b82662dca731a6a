// all_choices.hpp - enumerates all choices of k among n documents, for brute force.
//
// Called by coverage_features.cpp.
#pragma once

#include <numeric>
#include <sculpt/sculpt.hpp>

namespace diversity {

// Returns the number of choices, or limit + 1 if there are more than `limit`.
inline std::int64_t choice_count(std::int64_t documents, std::int64_t size, std::int64_t limit) {
  const std::int64_t max_factor = std::numeric_limits<std::int64_t>::max() / documents;
  const std::int64_t smaller_size = std::min(size, documents - size);
  std::int64_t count = 1;  // choices of k among documents - fewer + k, which grow with k
  for (std::int64_t k = 1; k <= smaller_size; ++k) {
    if (count > max_factor) return limit + 1;
    count = count * (documents - smaller_size + k) / k;
    if (count > limit) return limit + 1;
  }
  return count;
}

// Visits all choices in ascending order, each [size] ascending. Visits none if there are more than
// `limit`. Returns choice_count(). Requires 1 <= size <= documents.
inline std::int64_t each_choice(std::int64_t documents, std::int64_t size, std::int64_t limit,
                                const sculpt::Visit& visit) {
  const std::int64_t count = choice_count(documents, size, limit);
  if (count > limit) return count;
  std::vector<std::int32_t> y(static_cast<std::size_t>(size));
  std::iota(y.begin(), y.end(), 0);
  for (;;) {
    visit(sculpt::Labels(y));
    std::size_t index = y.size();  // the last entry that can increase
    const auto offset = static_cast<std::int32_t>(documents - size);
    while (index > 0 && y[index - 1] == offset + static_cast<std::int32_t>(index) - 1) --index;
    if (index == 0) return count;
    std::iota(y.begin() + static_cast<std::ptrdiff_t>(index) - 1, y.end(), y[index - 1] + 1);
  }
}

}  // namespace diversity
