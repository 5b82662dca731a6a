#include "measures.hpp"

namespace contingency {

Contingency count_outcomes(std::span<const std::int32_t> truth, std::span<const std::int32_t> y) {
  Contingency outcomes;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const bool positive = truth[i] == 1;
    const bool predicted = is_positive(y[i]);
    ++(positive ? outcomes.positive : outcomes.negative);
    outcomes.predicted += predicted ? 1 : 0;
    outcomes.matched += positive && predicted ? 1 : 0;
  }
  return outcomes;
}

std::vector<sculpt::TiedRows> tied_rows(std::span<const std::int32_t> truth,
                                        std::span<const std::int32_t> y) {
  return sculpt::count_ties(
      y, [&](std::int64_t row) { return truth[static_cast<std::size_t>(row)] == 1; });
}

double roc_area(std::span<const sculpt::TiedRows> order) {
  double right = 0;
  double before = 0;  // positive rows before
  double negative = 0;
  for (const sculpt::TiedRows& tied : order) {
    const auto tied_negative = static_cast<double>(tied.negative);
    right += tied_negative * (before + 0.5 * static_cast<double>(tied.positive));
    before += static_cast<double>(tied.positive);
    negative += tied_negative;
  }
  return right / (before * negative);
}

}  // namespace contingency
