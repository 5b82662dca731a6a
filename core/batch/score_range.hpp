// score_range.hpp - finds scores that cannot be used, at the speed of reading them.
//
// Called by this folder for every score that enters. Sums of scores in the range do not overflow.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace sculpt::core {

inline constexpr double largest_score = 1e100;

// Returns the index of the first number that is NaN or outside [-largest_score, largest_score], or
// the size if there is none.
inline std::size_t first_out_of_range(std::span<const double> numbers) {
  // The product overflows for a number out of range, and 0 times the overflow is NaN. Four sums do
  // not wait for each other.
  constexpr double scale = std::numeric_limits<double>::max() / largest_score;
  double sums[4] = {0, 0, 0, 0};
  std::size_t k = 0;
  for (; k + 4 <= numbers.size(); k += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += 0 * (scale * numbers[k + lane]);
  }
  for (; k < numbers.size(); ++k) sums[0] += 0 * (scale * numbers[k]);
  if ((sums[0] + sums[1]) + (sums[2] + sums[3]) == 0) return numbers.size();
  const auto wrong = std::find_if(numbers.begin(), numbers.end(),
                                  [](double number) { return !std::isfinite(scale * number); });
  return static_cast<std::size_t>(wrong - numbers.begin());
}

}  // namespace sculpt::core
