// finite.hpp - finds numbers that are not finite, at the speed of reading them.
//
// Called by this folder for every score that enters.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace sculpt::core {

// Returns the index of the first NaN or infinity, or the size if there is none.
inline std::size_t first_not_finite(std::span<const double> numbers) {
  // 0 * x is NaN for these numbers alone. Four sums do not wait for each other.
  double sums[4] = {0, 0, 0, 0};
  std::size_t k = 0;
  for (; k + 4 <= numbers.size(); k += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += 0 * numbers[k + lane];
  }
  for (; k < numbers.size(); ++k) sums[0] += 0 * numbers[k];
  if ((sums[0] + sums[1]) + (sums[2] + sums[3]) == 0) return numbers.size();
  const auto wrong = std::find_if_not(numbers.begin(), numbers.end(),
                                      [](double number) { return std::isfinite(number); });
  return static_cast<std::size_t>(wrong - numbers.begin());
}

}  // namespace sculpt::core
