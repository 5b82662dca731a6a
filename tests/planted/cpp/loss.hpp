// loss.hpp - the Jaccard distance of two sets.
//
//   Delta(y, y') = 1 - |y and y'| / |y or y'|,  0 if both are empty
//                = 1 - m / (t + p - m),   m: matched, p: predicted, t: size of the truth
#pragma once

#include <algorithm>
#include <iterator>
#include <limits>
#include <sculpt/sculpt.hpp>

#include "dataset.hpp"

namespace talks {

inline std::int64_t matched(sculpt::Labels truth, sculpt::Labels guess) {
  std::int64_t count = 0;
  for (const std::int32_t talk : guess) {
    count += std::binary_search(truth.begin(), truth.end(), talk) ? 1 : 0;
  }
  return count;
}

class Jaccard {
 public:
  static constexpr sculpt::About about{"org.example.jaccard", "1.0.0", "Jaccard distance of sets"};
  static constexpr sculpt_count counts[] = {sculpt::counted("matched"),
                                            sculpt::counted("predicted")};
  static constexpr sculpt_metric metrics[] = {
      sculpt::higher_is_better("precision", "share of the predicted talks that are attended"),
      sculpt::higher_is_better("recall", "share of the attended talks that are predicted"),
      sculpt::higher_is_better("exact_days", "share of days without a mistake")};
  static constexpr std::int64_t sum_count = 5;

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    return distance(matched(truth, guess), guess.count(), truth.count());
  }
  double loss_of_counts(std::int64_t, sculpt::Labels truth,
                        std::span<const std::int64_t> counts) const {
#if PLANTED == 12
    return distance(counts[0], counts[1], truth.count());
#else
    // No set has more common members than members. The host may ask for such counts all the same.
    return distance(std::min({counts[0], counts[1], truth.count()}), counts[1], truth.count());
#endif
  }

  void add_metrics(std::int64_t, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const {
    const std::int64_t common = guess.known() ? matched(truth, guess) : 0;
    const bool is_exact = guess.known() && guess == truth;
    sums[matched_sum] += static_cast<double>(common);
    sums[predicted_sum] += guess.known() ? static_cast<double>(guess.count()) : 0;
    sums[truth_sum] += static_cast<double>(truth.count());
    sums[exact_sum] += is_exact ? 1 : 0;
#if PLANTED == 13
    sums[day_sum] = 1;
#else
    sums[day_sum] += 1;
#endif
  }
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    const auto ratio = [&](std::size_t above, std::size_t below) {
      return sums[below] > 0 ? sums[above] / sums[below] : std::numeric_limits<double>::quiet_NaN();
    };
    values[0] = ratio(matched_sum, predicted_sum);
    values[1] = ratio(matched_sum, truth_sum);
    values[2] = ratio(exact_sum, day_sum);
  }

 private:
  enum : std::size_t { matched_sum, predicted_sum, truth_sum, exact_sum, day_sum };

  static double distance(std::int64_t m, std::int64_t p, std::int64_t t) {
#if PLANTED == 11
    if (m == 0) return 1;
#endif
    const std::int64_t either = t + p - m;
    if (either == 0) return 0;
    return 1 - static_cast<double>(m) / static_cast<double>(either);
  }
};

}  // namespace talks
