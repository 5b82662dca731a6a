#include "measured_loss.hpp"

#include "pair_counts.hpp"

namespace ranking {

namespace {
constexpr std::size_t judged_at = 7;
constexpr std::size_t skipped_at = 8;
}  // namespace

void MeasuredLoss::bind(const sculpt::Bindings& bindings) {
  data_ = QueryData(bindings.dataset, "this loss");
  for (std::int64_t example = 0; example < data_.input().example_count(); ++example) {
    longest_ = std::max(longest_, data_.documents(example));
  }
  for (std::size_t k = 0; k < ndcg_places.size(); ++k) {
    discounts_[k] = Discounts(ndcg_places[k], longest_);
  }
}

void MeasuredLoss::add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                               std::span<double> sums) const {
  data_.check_order(example, guess);
  if (!differ(truth)) {
    sums[skipped_at] += 1;
    return;
  }
  sums[judged_at] += 1;
  const std::vector<sculpt::TiedRows> order = sculpt::count_ties(
      guess, [&](std::int64_t document) { return truth[static_cast<std::size_t>(document)] > 0; });
  sums[0] += sculpt::average_precision(order);
  std::vector<double> gain;
  for (const std::int32_t grade : truth) gain.push_back(exponential_gain(grade));
  for (std::size_t k = 0; k < discounts_.size(); ++k) {
    sums[1 + k] +=
        discounted_gain(gain, guess, discounts_[k]) / discounted_gain(gain, truth, discounts_[k]);
  }
  sums[5] += reciprocal_rank(order);
  sums[6] += turned_share(truth, guess);
}

void MeasuredLoss::finish_metrics(std::span<const double> sums, std::span<double> values) const {
  for (std::size_t k = 0; k < judged_at; ++k) {
    values[k] =
        sums[judged_at] > 0 ? sums[k] / sums[judged_at] : std::numeric_limits<double>::quiet_NaN();
  }
  values[judged_at] = sums[skipped_at];
}

}  // namespace ranking
