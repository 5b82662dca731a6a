#include "columns.hpp"

#include <cmath>
#include <sculpt/cpp/sum_of_products.hpp>

namespace contingency {

namespace {

constexpr std::size_t entries_per_task = std::size_t{1} << 17;

// A sum of terms, and the sum of their absolute values.
struct Total {
  double sum = 0;
  double magnitude = 0;

  double positive_part() const { return 0.5 * (magnitude + sum); }  // sum of the positive terms
  double negative_part() const { return 0.5 * (sum - magnitude); }

  friend Total operator+(const Total& a, const Total& b) {
    return {a.sum + b.sum, a.magnitude + b.magnitude};
  }
};

}  // namespace

Columns::Columns(const sculpt_sites& sites, std::int64_t feature_count) {
  const std::int64_t begin = sites.row_from[0];
  const std::int64_t end = sites.row_from[sites.site_count];
  // First the number of entries of each feature, then the position of its next entry.
  std::vector<std::size_t> next_entry(static_cast<std::size_t>(feature_count), 0);
  for (std::int64_t j = begin; j < end; ++j) ++next_entry[static_cast<std::size_t>(sites.index[j])];
  std::size_t next = 0;
  for (std::size_t feature = 0; feature < next_entry.size(); ++feature) {
    const std::size_t entries = next_entry[feature];
    next_entry[feature] = next;
    if (entries == 0) continue;
    if (task_begin_.empty() || next - column_begin_[task_begin_.back()] >= entries_per_task) {
      task_begin_.push_back(features_.size());
    }
    features_.push_back(static_cast<std::int32_t>(feature));
    column_begin_.push_back(next);
    next += entries;
  }
  column_begin_.push_back(next);
  task_begin_.push_back(features_.size());
  rows_.resize(next);
  values_.resize(next);
  for (std::int64_t i = 0; i < sites.site_count; ++i) {
    for (std::int64_t j = sites.row_from[i]; j < sites.row_from[i + 1]; ++j) {
      const std::size_t k = next_entry[static_cast<std::size_t>(sites.index[j])]++;
      rows_[k] = static_cast<std::int32_t>(i);
      values_[k] = sites.value[j];
    }
  }
}

void Columns::add(sculpt::Host host, std::span<const double> factors, sculpt::Sum& sum) const {
  std::vector<Total> totals(features_.size());
  host.parallel(static_cast<std::int64_t>(task_begin_.size()) - 1, [&](std::int64_t task) {
    const auto t = static_cast<std::size_t>(task);
    for (std::size_t column = task_begin_[t]; column < task_begin_[t + 1]; ++column) {
      totals[column] = sculpt::sum_of_products(
          column_begin_[column], column_begin_[column + 1], [&](std::size_t k) {
            const double term = factors[static_cast<std::size_t>(rows_[k])] * values_[k];
            return Total{term, std::abs(term)};
          });
    }
  });
  for (std::size_t column = 0; column < features_.size(); ++column) {
    if (totals[column].positive_part() != 0) {
      sum.add(features_[column], totals[column].positive_part());
    }
    if (totals[column].negative_part() != 0) {
      sum.add(features_[column], totals[column].negative_part());
    }
  }
}

}  // namespace contingency
