// count_loss.hpp - a loss that is a function of counts, Delta(truth, y) = g(c(truth, y)).
//
// Held by Frontier, called by FrontierScan and check; behind it is sculpt/ext/count_loss.h.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "problem/components/loss.hpp"

namespace sculpt::core {

// One number for each count; 0 where there are fewer.
using Counts = std::array<std::int64_t, SCULPT_MOST_COUNTS>;

// "3 errors", "2 matched, 5 predicted"
std::string counts_text(std::span<const sculpt_count> names, const Counts& counts);

class CountLoss {
 public:
  // Requires a sealed loss, which outlives it. Empty when the loss has no counts. Throws Failure
  // (Exit::plugin) when what it says of them cannot be.
  static std::optional<CountLoss> of(Loss& loss);

  std::span<const sculpt_count> counts() const { return counts_; }
  // g, finite and not negative, or a Failure. [worker]
  double value(int worker, std::int64_t example, sculpt_labels truth, const Counts& counts);

  Loss& loss() { return *loss_; }

 private:
  CountLoss(Loss& loss, const sculpt_ext_count_loss& table) : loss_(&loss), table_(&table) {}

  Loss* loss_;
  const sculpt_ext_count_loss* table_;
  std::span<const sculpt_count> counts_;  // lent by the loss
};

}  // namespace sculpt::core
