// loss_with_metrics.hpp - base class of the losses of this library: the data they are bound to, and
// the measures that every run reports.
//
// Measures are means over the queries with documents of different grades. They are the same for all
// losses and parameters: a document is relevant above grade 0, gains are 2^grade - 1. Measures of
// relevant documents leave out queries without one. In queries of one grade all orders are equally
// good; these queries are counted. Used by ranking_losses.hpp.
#pragma once

#include <array>
#include <sculpt/cpp/metric_means.hpp>
#include <sculpt/sculpt.hpp>

#include "measures.hpp"
#include "query_data.hpp"

namespace ranking {

class LossWithMetrics {
 public:
  static constexpr sculpt_metric metrics[] = {
      sculpt::higher_is_better("map",
                               "mean over the relevant documents of the precision down to each"),
      sculpt::higher_is_better(
          "ndcg@1", "discounted gain of the first document, divided by the largest possible"),
      sculpt::higher_is_better(
          "ndcg@3", "discounted gain of the first 3 documents, divided by the largest possible"),
      sculpt::higher_is_better(
          "ndcg@5", "discounted gain of the first 5 documents, divided by the largest possible"),
      sculpt::higher_is_better(
          "ndcg@10", "discounted gain of the first 10 documents, divided by the largest possible"),
      sculpt::higher_is_better("precision@5", "relevant documents among the first 5, divided by 5"),
      sculpt::higher_is_better("precision@10",
                               "relevant documents among the first 10, divided by 10"),
      sculpt::higher_is_better("mrr", "1 / rank of the first relevant document"),
      sculpt::lower_is_better(
          "pair_error", "share of the pairs of documents of different grades in the wrong order"),
      sculpt::lower_is_better("counted_loss",
                              "mean loss without the queries on which all orders are equally good, "
                              "which `loss` counts as 0"),
      sculpt::metric("skipped",
                     "queries whose documents all have the same grade; no measure includes them")};
  // The means, in the order of metrics[]. `skipped` comes last, in metrics[] and in the sums.
  enum class Metric {
    map,
    ndcg_1,
    ndcg_3,
    ndcg_5,
    ndcg_10,
    precision_5,
    precision_10,
    mrr,
    pair_error,
    counted_loss  // by the derived class
  };
  static constexpr std::size_t mean_count = std::size(metrics) - 1;
  static constexpr std::int64_t sum_count = sculpt::sums_of_means(mean_count) + 1;

  void bind(const sculpt::Bindings& bindings);

  // An unknown guess counts as the worst order: the lowest grade first.
  void add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const;
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    sculpt::finish_means(sums, values.first(mean_count));
    values.back() = sums.back();
  }

 protected:
  // Returns the worst order: the lowest grade first.
  static std::vector<std::int32_t> worst_order(sculpt::Labels grades);
  const QueryData& data() const { return data_; }
  // The number of documents of the longest query.
  std::int64_t max_documents() const { return max_documents_; }

 private:
  struct NdcgAtK {
    Metric metric;
    std::int64_t k;
    Discounts discounts;
  };

  QueryData data_;
  std::int64_t max_documents_ = 0;
  std::array<NdcgAtK, 4> ndcg_{{{Metric::ndcg_1, 1, {}},
                                {Metric::ndcg_3, 3, {}},
                                {Metric::ndcg_5, 5, {}},
                                {Metric::ndcg_10, 10, {}}}};
};

}  // namespace ranking
