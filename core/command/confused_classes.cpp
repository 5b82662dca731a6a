#include "command/confused_classes.hpp"

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

// 0 where no other entry tells anything, and where all values are the same up to rounding.
double ConfusedClasses::Column::score(const Entry& entry) const {
  constexpr double rounding = 1e-12;
  const double all_mean = values / count;
  const double variance = squares / count - all_mean * all_mean;
  if (count < 2 || variance <= rounding * squares / count) return 0;
  const double mean = (values - entry.value) / (count - 1);
  const double weight = signed_values - entry.sign * entry.value - (signs - entry.sign) * mean;
  return weight * entry.sign * (entry.value - mean) / variance;
}

double ConfusedClasses::part() const {
  constexpr double chance = 0.5;
  if (end_.empty()) return chance;
  std::size_t confused = 0;
  std::size_t begin = 0;
  for (const std::size_t end : end_) {
    double score = 0;
    for (std::size_t k = begin; k < end; ++k) {
      score += columns_.at(entries_[k].column).score(entries_[k]);
    }
    if (score <= 0) ++confused;
    begin = end;
  }
  return static_cast<double>(confused) / static_cast<double>(end_.size());
}

}  // namespace sculpt::core
