#include "pair_features.hpp"

#include <cmath>
#include <sculpt/cpp/own_dataset.hpp>

#include "partition.hpp"

namespace clustering {

void PairFeatures::bind(const sculpt::Bindings& bindings) {
  dataset_ =
      sculpt::own_dataset<ItemPairs>(bindings.dataset, sculpt::Dataset<ItemPairs>::component);
  if (dataset_ == nullptr) {
    throw sculpt::unsupported_error(
        "needs features of pairs of items; set dataset.use to item_pairs");
  }
  input_ = sculpt::SiteInput(bindings.dataset);
  weights_ = sculpt::SiteWeights(input_.feature_count(), 1, bias_);
}

void PairFeatures::features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
  check_partition(y, item_count(example));
  add_shares(
      example, [y](std::size_t i, std::size_t j) { return y[i] == y[j] ? 1.0 : 0.0; }, sum);
}

std::int64_t PairFeatures::enumerate(std::int64_t example, std::int64_t limit,
                                     const sculpt::Visit& visit) const {
  const std::int64_t partitions = partition_count(item_count(example), limit);
  if (partitions > limit) return partitions;
  std::vector<std::int32_t> y(static_cast<std::size_t>(item_count(example)), 0);
  do {
    visit(sculpt::Labels(y));
  } while (next_partition(y));
  return partitions;
}

void PairFeatures::weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
  if (weight == input_.feature_count()) {
    out << "bias";
  } else {
    input_.feature_name(weight, out);
  }
}

void PairFeatures::write_scores(std::int64_t example, std::span<const double> w,
                                std::span<double> scores) const {
  const sculpt_sites pairs = input_.sites(example);
  weights_.scores_of_sites(pairs, 0, pairs.site_count, w.data(), scores.data());
}

void PairFeatures::scores(std::int64_t example, std::span<const double> w,
                          PairScores& scores) const {
  scores.reset(item_count(example));
  const sculpt_sites pairs = input_.sites(example);
  const std::int32_t* const items = dataset_->items_of_pairs(example);
  const double per_pair = pair_factor(example);
  double magnitude = 0;
  for (std::int64_t p = 0; p < pairs.site_count; ++p) {
    double score = 0;
    weights_.scores(pairs, p, w.data(), &score);
    scores.set(static_cast<std::size_t>(items[2 * p]), static_cast<std::size_t>(items[2 * p + 1]),
               per_pair * score);
    magnitude += std::abs(per_pair * score);
  }
  if (!std::isfinite(magnitude)) {
    throw sculpt::data_error("the scores of its pairs overflow; set \"scaling\" in \"dataset\"");
  }
}

double PairFeatures::pair_factor(std::int64_t example) const {
  return 1 / static_cast<double>(std::max<std::int64_t>(1, pairs_of(item_count(example))));
}

}  // namespace clustering
