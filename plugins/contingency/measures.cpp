#include "measures.hpp"

namespace contingency {

Contingency count(std::span<const std::int32_t> truth, std::span<const std::int32_t> y) {
  Contingency counted;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const bool positive = truth[i] == 1;
    const bool taken = is_positive(y[i]);
    ++(positive ? counted.positive : counted.negative);
    counted.predicted += taken ? 1 : 0;
    counted.matched += positive && taken ? 1 : 0;
  }
  return counted;
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
    const auto others = static_cast<double>(tied.negative);
    right += others * (before + 0.5 * static_cast<double>(tied.positive));
    before += static_cast<double>(tied.positive);
    negative += others;
  }
  return right / (before * negative);
}

}  // namespace contingency
