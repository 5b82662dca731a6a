// ranking_features.hpp - psi of an order of a query's documents: a sum of these, each as often as
// the order says.
#pragma once

#include "measures.hpp"
#include "pair_counts.hpp"
#include "query_data.hpp"

namespace ranking {

// pairs:     psi(x, y) = 1/(2M) sum over the M pairs of documents of different kinds, i the better
//            one, of x_i - x_j where y has i before j, x_j - x_i where j before i, 0 where they
//            tie. Which one is better is known from the truth; without it psi is 0.
// positions: psi(x, y) = sum of D(place of i) x_i, by the sum of D over all places; documents that
//            tie share the mean of D over their places.
class RankingFeatures {
 public:
  static constexpr sculpt::About about{"org.sculpt.ranking", "1.0.0",
                                       "orders of documents, by one weight for each feature",
                                       "Joachims, KDD 2002; Yue et al., SIGIR 2007"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice(
          "psi", R"("pairs")", "pairs|positions",
          "pairs: which of two documents comes first; positions: at which place each is"),
      relevant_from_parameter(
          "0",
          "with pairs: only those of a document of this grade or more and another; 0: all "
          "pairs of different grades"),
      sculpt::integer("k", "10", 0, 1e9, "with positions: how many places count; 0: all",
                      "documents")};

  explicit RankingFeatures(const sculpt::Parameters& given)
      : positions_(given.choice("psi") == "positions"),
        kinds_(given.integer("relevant_from")),
        k_(given.integer("k")) {
    if (positions_ && kinds_.relevant_from() > 0) {
      throw sculpt::parameter_error("relevant_from is for pairs; with psi positions leave it out");
    }
  }

  void bind(const sculpt::Bindings& bindings) {
    data_ = QueryData(bindings.dataset, "ranking");
    weights_ = sculpt::SiteWeights(data_.input().feature_count(), 1, false);
    std::int64_t longest = 0;
    for (std::int64_t example = 0; example < data_.input().example_count(); ++example) {
      longest = std::max(longest, data_.documents(example));
    }
    discounts_ = Discounts(k_, longest);
  }
  std::int64_t dimension() const { return weights_.size(); }

  bool positions() const { return positions_; }
  std::int64_t k() const { return k_; }
  const Kinds& kinds() const { return kinds_; }
  const QueryData& data() const { return data_; }
  // 1 by the sum of D over all places of a query of so many documents.
  double share_of_all(std::int64_t documents) const { return 1 / discounts_.sum(documents); }

  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    const sculpt_sites sites = data_.input().sites(example);
    const std::vector<double> factor = coefficients(example, y);
    for (std::int64_t i = 0; i < sites.site_count; ++i) {
      const double once = factor[static_cast<std::size_t>(i)];
      if (once != 0) weights_.add(sites, i, 0, once, sum);
    }
  }
  // How often psi(x, y) has each document.
  std::vector<double> coefficients(std::int64_t example, sculpt::Labels y) const {
    const sculpt::Labels grades = data_.grades(example);
    if (!positions_ && grades.known()) {
      data_.check(example, y);
      return pair_coefficients(kinds_.of(grades), y);
    }
    data_.check_order(example, y);
    std::vector<double> factor(y.size(), 0.0);
    if (positions_) share_places(y, factor);
    return factor;
  }
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    data_.input().feature_name(weight, out);
  }

  // <w, x_i> of each document.
  void scores(std::int64_t example, std::span<const double> w, std::vector<double>& score) const {
    const sculpt_sites sites = data_.input().sites(example);
    score.resize(static_cast<std::size_t>(sites.site_count));
    for (std::int64_t i = 0; i < sites.site_count; ++i) {
      weights_.scores(sites, i, w.data(), &score[static_cast<std::size_t>(i)]);
    }
  }

 private:
  void share_places(sculpt::Labels y, std::span<double> factor) const {
    std::int64_t before = 0;
    sculpt::each_tie(y, [&](std::span<const std::int64_t> tied) {
      const auto size = static_cast<std::int64_t>(tied.size());
      const double mean = (discounts_.sum(before + size) - discounts_.sum(before)) /
                          (static_cast<double>(size) * discounts_.sum(y.count()));
      for (const std::int64_t document : tied) factor[static_cast<std::size_t>(document)] = mean;
      before += size;
    });
  }

  bool positions_;
  Kinds kinds_;
  std::int64_t k_;
  QueryData data_;
  sculpt::SiteWeights weights_;
  Discounts discounts_;
};

}  // namespace ranking
