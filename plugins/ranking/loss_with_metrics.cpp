#include "loss_with_metrics.hpp"

#include "order_output.hpp"
#include "pair_counts.hpp"

namespace ranking {

std::vector<std::int32_t> LossWithMetrics::worst_order(sculpt::Labels grades) {
  std::vector<std::int32_t> y(grades.size());
  const auto value = [&](std::int64_t i) { return -grades[static_cast<std::size_t>(i)]; };
  write_order(value, grades, y);
  return y;
}

void LossWithMetrics::bind(const sculpt::Bindings& bindings) {
  data_ = QueryData(bindings.dataset);
  for (std::int64_t example = 0; example < data_.input().example_count(); ++example) {
    max_documents_ = std::max(max_documents_, data_.documents(example));
  }
  for (NdcgAtK& ndcg : ndcg_) ndcg.discounts = Discounts(ndcg.k, max_documents_);
}

void LossWithMetrics::add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                                  std::span<double> sums) const {
  if (!guess.known()) {  // counts as entirely wrong
    const std::vector<std::int32_t> worst = worst_order(truth);
    return add_metrics(example, truth, sculpt::Labels(worst), sums);
  }
  data_.check_order(example, guess);
  if (!groups_differ(truth)) {
    sums.back() += 1;
    return;
  }
  sculpt::add_to_mean(sums, Metric::pair_error, swapped_pair_share(truth, guess));
  std::vector<double> gain;
  for (const std::int32_t number : truth) {
    gain.push_back(exponential_gain(data_.values().of(number)));
  }
  const std::vector<sculpt::TiedRows> order = sculpt::count_ties(guess, [&](std::int64_t document) {
    return data_.values().of(truth[static_cast<std::size_t>(document)]) > 0;
  });
  const bool has_relevant =
      std::any_of(order.begin(), order.end(), [](const auto& tied) { return tied.positive > 0; });
  if (!has_relevant) return;
  sculpt::add_to_mean(sums, Metric::map, sculpt::average_precision(order));
  for (const NdcgAtK& ndcg : ndcg_) {
    sculpt::add_to_mean(sums, ndcg.metric,
                        discounted_gain(gain, guess, ndcg.discounts) /
                            discounted_gain(gain, truth, ndcg.discounts));
  }
  sculpt::add_to_mean(sums, Metric::precision_5, sculpt::found_among_first(5, order) / 5);
  sculpt::add_to_mean(sums, Metric::precision_10, sculpt::found_among_first(10, order) / 10);
  sculpt::add_to_mean(sums, Metric::mrr, reciprocal_rank(order));
}

}  // namespace ranking
