// label_errors.hpp - the metrics label_error and sequence_error, for losses that compare outputs
// label by label.
//
// SPDX-License-Identifier: Apache-2.0
//
//   class MyLoss : public sculpt::LabelErrors { ... };
//
// Entries of the truth that are -1 (unobserved) do not count. Guesses for unseen_label are wrong.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "error.hpp"
#include "extensions.hpp"
#include "unseen_labels.hpp"

namespace sculpt {

class LabelErrors {
 public:
  static constexpr sculpt_metric metrics[] = {
      lower_is_better("label_error", "share of the labels that are wrong"),
      lower_is_better("sequence_error", "share of the examples with a wrong label")};
  static constexpr std::int64_t sum_count = 4;  // wrong labels, labels, wrong examples, examples

  // An unknown guess (no output) is wrong at every observed label.
  void add_metrics(std::int64_t, Labels truth, Labels guess, std::span<double> sums) const {
    const Count count = compare(truth, guess);
    sums[0] += count.wrong;
    sums[1] += count.observed;
    sums[2] += count.wrong > 0 || !guess.known() ? 1 : 0;
    sums[3] += 1;
  }
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    values[0] = share(sums[0], sums[1]);
    values[1] = share(sums[2], sums[3]);
  }

 protected:
  struct Count {
    double wrong = 0;
    double observed = 0;  // labels of the truth
  };
  // An unknown guess is wrong everywhere. Throws E_INVALID if the outputs have different lengths.
  static Count compare(Labels truth, Labels guess) {
    if (guess.known()) require_same_size(truth, guess);
    Count count;
    for (std::size_t v = 0; v < truth.size(); ++v) {
      if (truth[v] == -1) continue;
      count.observed += 1;
      count.wrong += !guess.known() || is_wrong_label(truth[v], guess[v]) ? 1 : 0;
    }
    return count;
  }
  // Throws E_INVALID if the outputs have different lengths.
  static void require_same_size(Labels truth, Labels guess) {
    if (truth.size() == guess.size()) return;
    throw Error(SCULPT_E_INVALID, "compares outputs of equal length, but the truth has " +
                                      std::to_string(truth.count()) + " labels and the guess " +
                                      std::to_string(guess.count()));
  }

 private:
  static double share(double part, double whole) {
    return whole > 0 ? part / whole : std::numeric_limits<double>::quiet_NaN();
  }
};

}  // namespace sculpt
