#include "command/data/confused_classes.hpp"

#include <algorithm>

namespace sculpt::core {

void ConfusedClasses::add(const SparseVector& truth, const SparseVector& other) {
  add(truth, 1);
  add(other, -1);
  end_.push_back(entries_.size());
}

void ConfusedClasses::add(const SparseVector& psi, double sign) {
  for (std::size_t k = 0; k < psi.index.size(); ++k) {
    const double value = psi.value[k];
    Column& column = columns_[psi.index[k]];
    column.count += 1;
    column.signs += sign;
    column.values += value;
    column.signed_values += sign * value;
    column.squares += value * value;
    entries_.push_back({psi.index[k], sign, value});
  }
}

// Empty if too few other pairs have the column, or if all its values are equal within rounding.
std::optional<double> ConfusedClasses::Column::score(const Entry& entry) const {
  constexpr double rounding = 1e-12;
  constexpr double enough = 5;  // entries
  const double all_mean = values / count;
  const double variance = squares / count - all_mean * all_mean;
  if (count < enough || variance <= rounding * squares / count) return std::nullopt;
  const double mean = (values - entry.value) / (count - 1);
  const double weight = signed_values - entry.sign * entry.value - (signs - entry.sign) * mean;
  return weight * entry.sign * (entry.value - mean) / variance;
}

std::optional<double> ConfusedClasses::part() const {
  constexpr double chance = 0.5;
  constexpr std::size_t fewest_pairs = 20;
  std::size_t told = 0;
  std::size_t confused = 0;
  std::size_t begin = 0;
  for (const std::size_t end : end_) {
    double score = 0;
    bool is_told = false;
    for (std::size_t k = begin; k < end; ++k) {
      const std::optional<double> part = columns_.at(entries_[k].column).score(entries_[k]);
      score += part.value_or(0);
      is_told = is_told || part;
    }
    if (is_told) ++told;
    if (is_told && score <= 0) ++confused;
    begin = end;
  }
  if (told < fewest_pairs) return std::nullopt;
  return std::min(chance, static_cast<double>(confused) / static_cast<double>(told));
}

}  // namespace sculpt::core
