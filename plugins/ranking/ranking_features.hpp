// ranking_features.hpp - psi of an order of a query's documents: a sum of the documents with
// coefficients from the order. Joachims, KDD 2002; Yue et al., SIGIR 2007.
//
// Called by the host (ranking.cpp) and ranking_oracle.cpp.
#pragma once

#include "pair_counts.hpp"
#include "query_data.hpp"

namespace ranking {

//   psi(x, y) = 1/(2M) sum over the M pairs of documents of different groups, i the better one, of
//                      sign_ij (x_i - x_j)
//
// Without normalization, 1/2 replaces 1/(2M). sign_ij: 1 if y has i before j, -1 if it has j before
// i, 0 if they tie. The truth tells which document is better. Without a truth, psi is 0.
class RankingFeatures {
 public:
  static constexpr sculpt::About about{"org.sculpt.ranking", "1.0.0",
                                       "orders of documents, with one weight for each feature",
                                       "Joachims, KDD 2002; Yue et al., SIGIR 2007"};
  static constexpr sculpt_parameter parameters[] = {
      relevant_from_parameter(
          "0",
          "uses only pairs of a document of at least this grade and one below it; 0: all pairs of "
          "different grades"),
      normalize_parameter("divides psi by the number of pairs of the query")};

  explicit RankingFeatures(const sculpt::Parameters& given)
      : groups_(given.real("relevant_from")), normalize_(given.boolean("normalize")) {}

  void bind(const sculpt::Bindings& bindings) {
    data_ = QueryData(bindings.dataset);
    groups_.set_values(data_.values());
    weights_ = sculpt::SiteWeights(data_.input().feature_count(), 1, false);
  }
  std::int64_t dimension() const { return weights_.size(); }
  // An order, or the counts of swapped pairs (pair_counts.hpp): two numbers for each document.
  sculpt::OutputShape output_shape(std::int64_t example) const {
    const std::int64_t documents = data_.documents(example);
    return sculpt::OutputShape::between(documents, 2 * documents);
  }

  const GradeGroups& groups() const { return groups_; }
  bool normalizes() const { return normalize_; }
  // Returns the weight of a pair.
  double weight(std::span<const std::int32_t> group) const {
    return pair_weight(group, normalize_);
  }
  const QueryData& data() const { return data_; }

  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    const sculpt_sites sites = data_.input().sites(example);
    const std::vector<double> factors = coefficients(example, y);
    for (std::int64_t i = 0; i < sites.site_count; ++i) {
      const double factor = factors[static_cast<std::size_t>(i)];
      if (factor != 0) weights_.add(sites, i, 0, factor, sum);
    }
  }
  // Returns the coefficient of each document in psi(x, y).
  std::vector<double> coefficients(std::int64_t example, sculpt::Labels y) const {
    const sculpt::Labels grades = data_.grades(example);
    if (grades.known()) {
      data_.check(example, y);
      const std::vector<std::int32_t> group = groups_.groups_of(grades);
      return pair_coefficients(group, y, weight(group));
    }
    data_.check_order(example, y);
    return std::vector<double>(y.size(), 0.0);
  }
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    data_.input().feature_name(weight, out);
  }
  std::int64_t weight_column(std::int64_t weight) const { return weights_.column(weight); }
  sculpt::RowBlocks row_blocks() const { return weights_.row_blocks(); }

  // Scores: <w, x_i> of each document. Orders are sorted by them.
  std::uint32_t score_rule() const { return SCULPT_SCORES_ORDER; }
  std::int64_t score_rows(std::int64_t example) const { return data_.documents(example); }
  void write_scores(std::int64_t example, std::span<const double> w,
                    std::span<double> scores) const {
    const sculpt_sites sites = data_.input().sites(example);
    weights_.scores_of_sites(sites, 0, sites.site_count, w.data(), scores.data());
  }

 private:
  GradeGroups groups_;
  bool normalize_;
  QueryData data_;
  sculpt::SiteWeights weights_;
};

}  // namespace ranking
