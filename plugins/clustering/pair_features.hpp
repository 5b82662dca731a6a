// pair_features.hpp - psi of a partition: the features of the pairs within its clusters.
//
//   psi(x, y) = 1 / (n (n - 1) / 2) sum over the pairs i < j with y_i = y_j of phi_ij
//
// over n items. Pairs without a row have no features, so they add nothing. Finley and Joachims,
// ICML 2005. Called by the host (clustering.cpp) and objective.cpp.
#pragma once

#include <algorithm>
#include <sculpt/cpp/site_weights.hpp>
#include <sculpt/sculpt.hpp>

#include "item_pairs.hpp"
#include "pair_scores.hpp"

namespace clustering {

class PairFeatures {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.clustering", "1.0.0",
      "partitions of items: the sum of the features of the pairs within clusters",
      "Finley and Joachims, ICML 2005"};
  static constexpr sculpt_parameter parameters[] = {sculpt::boolean(
      "bias", "true",
      "adds a feature that is 1 in every pair that has a row, so that its weight can "
      "keep pairs apart")};

  explicit PairFeatures(const sculpt::Parameters& given) : bias_(given.boolean("bias")) {}

  void bind(const sculpt::Bindings& bindings);
  std::int64_t dimension() const { return weights_.size(); }
  // A pair is an atom of kernels.
  sculpt::RowBlocks row_blocks() const { return weights_.row_blocks(); }
  sculpt::OutputShape output_shape(std::int64_t example) const {
    return sculpt::OutputShape::of_size(item_count(example),
                                        static_cast<std::int32_t>(item_count(example)));
  }

  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const;
  // Visits all partitions of a small document.
  std::int64_t enumerate(std::int64_t example, std::int64_t limit,
                         const sculpt::Visit& visit) const;
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const;

  // Scores: <w, phi> of the pairs with a row. Above 0 the weights favour joining the pair.
  std::uint32_t score_rule() const { return SCULPT_SCORES_WHOLE; }
  std::int64_t score_rows(std::int64_t example) const { return input_.sites(example).site_count; }
  void write_scores(std::int64_t example, std::span<const double> w,
                    std::span<double> scores) const;

  std::int64_t documents() const { return dataset_->count(); }
  std::int64_t item_count(std::int64_t example) const { return dataset_->item_count(example); }
  // Writes the scores of pairs: <w, psi> is their sum over the pairs within clusters. Throws if
  // they overflow.
  void scores(std::int64_t example, std::span<const double> w, PairScores& scores) const;
  // Adds psi of fractional pairs to the sum: each pair counts share(i, j) in [0, 1], i < j.
  template <class Share>
  void add_shares(std::int64_t example, Share share, sculpt::Sum& sum) const {
    const sculpt_sites pairs = input_.sites(example);
    const std::int32_t* const items = dataset_->items_of_pairs(example);
    const double per_pair = pair_factor(example);
    for (std::int64_t p = 0; p < pairs.site_count; ++p) {
      const double factor = per_pair * share(static_cast<std::size_t>(items[2 * p]),
                                             static_cast<std::size_t>(items[2 * p + 1]));
      if (factor != 0) weights_.add(pairs, p, 0, factor, sum);
    }
  }

 private:
  // Returns 1 / (number of all pairs), or 1 for a single item.
  double pair_factor(std::int64_t example) const;

  bool bias_;
  sculpt::SiteWeights weights_;         // for the rows of pairs
  sculpt::SiteInput input_;             // the rows of pairs; with a kernel atoms
  const ItemPairs* dataset_ = nullptr;  // items and outputs
};

}  // namespace clustering
