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

// Empty if too few other pairs have the column, or if all its values are equal within rounding. The
// mean and the weight leave out the entry itself.
std::optional<double> ConfusedClasses::Column::score(const Entry& entry) const {
  constexpr double rounding = 1e-12;
  constexpr double min_entries = 5;
  const double all_mean = values / count;
  const double variance = squares / count - all_mean * all_mean;
  if (count < min_entries || variance <= rounding * squares / count) return std::nullopt;
  const double mean = (values - entry.value) / (count - 1);
  const double weight = signed_values - entry.sign * entry.value - (signs - entry.sign) * mean;
  return weight * entry.sign * (entry.value - mean) / variance;
}

std::optional<double> ConfusedClasses::confused_fraction() const {
  constexpr double share_by_chance = 0.5;
  constexpr std::size_t min_pairs = 20;
  std::size_t scored_pairs = 0;
  std::size_t confused_pairs = 0;
  std::size_t begin = 0;
  for (const std::size_t end : end_) {
    double pair_score = 0;
    bool has_score = false;
    for (std::size_t k = begin; k < end; ++k) {
      const std::optional<double> entry_score = columns_.at(entries_[k].column).score(entries_[k]);
      pair_score += entry_score.value_or(0);
      has_score = has_score || entry_score;
    }
    if (has_score) ++scored_pairs;
    if (has_score && pair_score <= 0) ++confused_pairs;
    begin = end;
  }
  if (scored_pairs < min_pairs) return std::nullopt;
  return std::min(share_by_chance,
                  static_cast<double>(confused_pairs) / static_cast<double>(scored_pairs));
}

}  // namespace sculpt::core
