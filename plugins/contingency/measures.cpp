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

std::vector<TiedRows> tied_rows(std::span<const std::int32_t> truth,
                                std::span<const std::int32_t> y) {
  std::vector<TiedRows> order;
  std::int32_t previous = -1;
  const std::vector<std::int64_t> rows = by_number(y);
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    const auto i = static_cast<std::size_t>(*row);
    if (y[i] != previous) order.emplace_back();
    previous = y[i];
    const bool positive = truth[i] == 1;
    ++(positive ? order.back().positive : order.back().negative);
  }
  return order;
}

double found_among_first(std::int64_t k, std::span<const TiedRows> order) {
  double found = 0;
  std::int64_t left = k;
  for (const TiedRows& tied : order) {
    if (left <= 0) break;
    const double share =
        left >= tied.size() ? 1 : static_cast<double>(left) / static_cast<double>(tied.size());
    found += share * static_cast<double>(tied.positive);
    left -= tied.size();
  }
  return found;
}

double roc_area(std::span<const TiedRows> order) {
  double right = 0;
  double before = 0;  // positive rows further up
  double negative = 0;
  for (const TiedRows& tied : order) {
    const auto others = static_cast<double>(tied.negative);
    right += others * (before + 0.5 * static_cast<double>(tied.positive));
    before += static_cast<double>(tied.positive);
    negative += others;
  }
  return right / (before * negative);
}

// McSherry and Najork, ECIR 2008: a row that ties is positive with the share of those that tie, and
// so is each of the others that tie and come before it.
double average_precision(std::span<const TiedRows> order) {
  double sum = 0;
  double positive = 0;
  double rows = 0;
  for (const TiedRows& tied : order) {
    const auto found = static_cast<double>(tied.positive);
    const auto size = static_cast<double>(tied.size());
    if (found > 0) {
      const double among_others = size > 1 ? (found - 1) / (size - 1) : 0;
      for (std::int64_t k = 0; k < tied.size(); ++k) {
        const auto before = static_cast<double>(k);
        sum += found / size * (positive + 1 + before * among_others) / (rows + 1 + before);
      }
    }
    positive += found;
    rows += size;
  }
  return sum / positive;
}

}  // namespace contingency
