// count_loss.hpp - a loss that is a function of counts, Delta(truth, y) = g(c(truth, y)).
//
// Implements sculpt/ext/count_loss.h. Held by Frontier, called by FrontierScan and check.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "problem/components/loss.hpp"

namespace sculpt::core {

// One number per count. The entries after the last count are 0.
using Counts = std::array<std::int64_t, SCULPT_MOST_COUNTS>;

// "3 errors", "2 matched, 5 predicted"
std::string counts_text(std::span<const sculpt_count> names, const Counts& counts);

// Delta = constant + sum over k of slope[k] * c_k(truth, y).
struct CountLine {
  double constant = 0;
  std::array<double, SCULPT_MOST_COUNTS> slope = {};  // 0 after the last count
};

// A loss that offers sculpt/ext/count_loss.h.
class CountLoss {
 public:
  // Returns the counts of the loss, nothing if it has none. Requires a sealed loss, which outlives
  // the result. Throws Failure (Exit::plugin) if the reported counts are invalid.
  static std::optional<CountLoss> if_offered(Loss& loss);

  std::span<const sculpt_count> counts() const { return counts_; }
  // Returns g, finite and not negative. Throws Failure if the plugin returns another value.
  // [worker]
  double value(int worker, std::int64_t example, sculpt_labels truth, const Counts& counts);

  // True if the loss says that it is linear in its counts.
  bool is_linear() const { return table_->slopes != nullptr; }
  // The line of a loss that is_linear(). Throws Failure if it is not finite. [worker]
  CountLine line(int worker, std::int64_t example, sculpt_labels truth);

  Loss& loss() { return *loss_; }

 private:
  CountLoss(Loss& loss, const sculpt_ext_count_loss& table) : loss_(&loss), table_(&table) {}

  Loss* loss_;
  const sculpt_ext_count_loss* table_;
  std::span<const sculpt_count> counts_;  // owned by the loss
};

}  // namespace sculpt::core
