#include "columns.hpp"

#include <cmath>
#include <sculpt/cpp/sum_of_products.hpp>

namespace contingency {

namespace {

constexpr std::size_t entries_of_a_task = std::size_t{1} << 17;

// A sum of terms, and the sum of their absolute values.
struct Total {
  double sum = 0;
  double size = 0;

  double rise() const { return 0.5 * (size + sum); }  // sum of the positive terms
  double fall() const { return 0.5 * (sum - size); }

  friend Total operator+(const Total& one, const Total& other) {
    return {one.sum + other.sum, one.size + other.size};
  }
};

}  // namespace

Columns::Columns(const sculpt_sites& sites, std::int64_t feature_count) {
  const std::int64_t begin = sites.row_from[0];
  const std::int64_t end = sites.row_from[sites.site_count];
  std::vector<std::size_t> at(static_cast<std::size_t>(feature_count), 0);  // next places
  for (std::int64_t j = begin; j < end; ++j) ++at[static_cast<std::size_t>(sites.index[j])];
  std::size_t next = 0;
  for (std::size_t feature = 0; feature < at.size(); ++feature) {
    const std::size_t size = at[feature];
    at[feature] = next;
    if (size == 0) continue;
    if (task_.empty() || next - from_[task_.back()] >= entries_of_a_task) {
      task_.push_back(feature_.size());
    }
    feature_.push_back(static_cast<std::int32_t>(feature));
    from_.push_back(next);
    next += size;
  }
  from_.push_back(next);
  task_.push_back(feature_.size());
  row_.resize(next);
  value_.resize(next);
  for (std::int64_t i = 0; i < sites.site_count; ++i) {
    for (std::int64_t j = sites.row_from[i]; j < sites.row_from[i + 1]; ++j) {
      const std::size_t k = at[static_cast<std::size_t>(sites.index[j])]++;
      row_[k] = static_cast<std::int32_t>(i);
      value_[k] = sites.value[j];
    }
  }
}

void Columns::add(sculpt::Host host, std::span<const double> factor, sculpt::Sum& sum) const {
  std::vector<Total> total(feature_.size());
  host.parallel(static_cast<std::int64_t>(task_.size()) - 1, [&](std::int64_t task) {
    const auto t = static_cast<std::size_t>(task);
    for (std::size_t column = task_[t]; column < task_[t + 1]; ++column) {
      total[column] = sculpt::sum_of_products(from_[column], from_[column + 1], [&](std::size_t k) {
        const double term = factor[static_cast<std::size_t>(row_[k])] * value_[k];
        return Total{term, std::abs(term)};
      });
    }
  });
  for (std::size_t column = 0; column < feature_.size(); ++column) {
    if (total[column].rise() != 0) sum.add(feature_[column], total[column].rise());
    if (total[column].fall() != 0) sum.add(feature_[column], total[column].fall());
  }
}

}  // namespace contingency
