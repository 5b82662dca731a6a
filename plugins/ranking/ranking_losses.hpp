// ranking_losses.hpp - losses on the order of a query's documents; 0 if all documents are of one
// group. All are shares from 0 to 1, except the number of pairs.
//
//   pair_error              the share, or the number, of the pairs of different groups in the wrong
//                           order
//   mean_average_precision  1 - the mean of the precision at each relevant document
//   ndcg                    1 - DCG@k / DCG@k of the best order
//   reciprocal_rank         1 - 1 / rank of the first relevant document
//
// Sources: Joachims, KDD 2002 and 2006; Yue, Finley, Radlinski and Joachims, SIGIR 2007; Jarvelin
// and Kekalainen, ACM TOIS 2002. Called by the host (ranking.cpp) and the oracle.
#pragma once

#include <utility>

#include "loss_with_metrics.hpp"
#include "pair_counts.hpp"

namespace ranking {

class RankingLoss : public LossWithMetrics {
 public:
  virtual ~RankingLoss() = default;

  // Throws if no query of the split train has documents of different groups.
  void bind(const sculpt::Bindings& bindings);
  double loss(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const;

  // Adds to the metric counted_loss, too.
  void add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const;

  const GradeGroups& groups() const { return groups_; }

 protected:
  explicit RankingLoss(GradeGroups groups) : groups_(std::move(groups)) {}

 private:
  // The loss of an order, or of counts of swapped pairs if these are outputs. `group` has several
  // groups.
  virtual double value(sculpt::Labels truth, std::span<const std::int32_t> group,
                       sculpt::Labels guess) const = 0;
  virtual bool accepts_swapped_pairs() const { return false; }

  GradeGroups groups_;
};

class PairError : public RankingLoss {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.pair_error", "1.0.0",
      "the share, or the number, of the pairs of documents of different grades in the wrong order",
      "Joachims, KDD 2002 and 2006"};
  static constexpr const char* experiments[] = {R"({
    "name": "pair_error_of_two_queries",
    "dataset": {"use": "svmrank", "train": {"text":
      "2 qid:1 1:1\n1 qid:1 2:1\n0 qid:1 1:1 2:1\n1 qid:1 3:-1\n1 qid:2 1:1\n0 qid:2\n0 qid:2 2:1\n"
    }},
    "features": "ranking", "loss": "pair_error", "oracle": "ranking",
    "solver": {"use": "one_slack", "C": 10}})",
                                                R"({
    "name": "pair_error_of_numbers",
    "dataset": {"use": "svmrank", "train": {"text":
      "2 qid:1 1:1\n1 qid:1 2:1\n0 qid:1 1:1 2:1\n1 qid:1 3:-1\n1 qid:2 1:1\n0 qid:2\n0 qid:2 2:1\n"
    }},
    "features": {"use": "ranking", "normalize": false},
    "loss": {"use": "pair_error", "normalize": false}, "oracle": "ranking",
    "solver": {"use": "one_slack", "C": 10}})"};
  static constexpr sculpt_parameter parameters[] = {
      relevant_from_parameter("0",
                              "counts only pairs of a document of at least this grade and one "
                              "below it; 0: all pairs of "
                              "different grades"),
      normalize_parameter("counts the share of the pairs, not their number")};

  explicit PairError(const sculpt::Parameters& given)
      : RankingLoss(GradeGroups(given.real("relevant_from"))),
        normalize_(given.boolean("normalize")) {}

  bool normalizes() const { return normalize_; }
  // Returns the weight of a pair. group[documents]
  double weight(std::span<const std::int32_t> group) const {
    return pair_weight(group, normalize_);
  }

 private:
  double value(sculpt::Labels truth, std::span<const std::int32_t> group,
               sculpt::Labels guess) const override;
  bool accepts_swapped_pairs() const override { return true; }

  bool normalize_;
};

// A loss that is a sum of gains, one for each document at its rank:
//
//   1 - loss = 1 / max_gain_sum * sum over the documents, the first one first, of gain
//
// The groups are those that the loss distinguishes.
class GainLoss : public RankingLoss {
 public:
  // `relevant_ahead`: the number of documents of group 1 before it. Ranks count from 1.
  virtual double gain(std::int32_t group, std::int64_t relevant_ahead, std::int64_t rank) const = 0;
  // Returns the sum for the best order. Requires documents of different groups.
  virtual double max_gain_sum(sculpt::Labels truth) const = 0;

 protected:
  using RankingLoss::RankingLoss;
};

// The least `relevant_from` where it must divide the documents.
inline constexpr double lowest_relevant = 1e-6;

class MeanAveragePrecision : public GainLoss {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.mean_average_precision", "1.0.0",
      "1 - the mean over the relevant documents of the precision down to each",
      "Yue, Finley, Radlinski and Joachims, SIGIR 2007"};
  static constexpr const char* experiments[] = {R"({
    "name": "mean_average_precision_of_two_queries",
    "dataset": {"use": "svmrank", "train": {"text":
      "2 qid:1 1:1\n1 qid:1 2:1\n0 qid:1 1:1 2:1\n0 qid:1 3:-1\n0 qid:1 2:1 3:1\n1 qid:2 1:1\n0 qid:2\n"
    }},
    "features": "ranking", "loss": "mean_average_precision", "oracle": "ranking",
    "solver": {"use": "one_slack", "C": 10, "rescaling": "slack"}})"};
  static constexpr sculpt_parameter parameters[] = {relevant_from_parameter(
      "1", "documents of this grade or more are relevant", lowest_relevant)};

  explicit MeanAveragePrecision(const sculpt::Parameters& given)
      : GainLoss(GradeGroups(given.real("relevant_from"))) {}
  double gain(std::int32_t group, std::int64_t relevant_ahead, std::int64_t rank) const override;
  double max_gain_sum(sculpt::Labels truth) const override;

 private:
  double value(sculpt::Labels truth, std::span<const std::int32_t> group,
               sculpt::Labels guess) const override;
};

class ReciprocalRank : public GainLoss {
 public:
  static constexpr sculpt::About about{"org.sculpt.reciprocal_rank", "1.0.0",
                                       "1 - 1 / rank of the first relevant document"};
  static constexpr const char* experiments[] = {R"({
    "name": "reciprocal_rank_of_two_queries",
    "dataset": {"use": "svmrank", "train": {"text":
      "1 qid:1 1:1\n1 qid:1 2:1\n0 qid:1 1:1 2:1\n0 qid:1 3:-1\n0 qid:1 2:1 3:1\n1 qid:2 1:1\n0 qid:2\n"
    }},
    "features": "ranking", "loss": "reciprocal_rank", "oracle": "ranking",
    "solver": {"use": "n_slack", "C": 10}})"};
  static constexpr sculpt_parameter parameters[] = {relevant_from_parameter(
      "1", "documents of this grade or more are relevant", lowest_relevant)};

  explicit ReciprocalRank(const sculpt::Parameters& given)
      : GainLoss(GradeGroups(given.real("relevant_from"))) {}
  double gain(std::int32_t group, std::int64_t relevant_ahead, std::int64_t rank) const override;
  double max_gain_sum(sculpt::Labels truth) const override;

 private:
  double value(sculpt::Labels truth, std::span<const std::int32_t> group,
               sculpt::Labels guess) const override;
};

class Ndcg : public GainLoss {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.ndcg", "1.0.0",
      "1 - the discounted gain of the first documents, divided by that of the best order",
      "Jarvelin and Kekalainen, ACM TOIS 2002"};
  static constexpr const char* experiments[] = {
      R"({
    "name": "ndcg_of_three_grades",
    "dataset": {"use": "svmrank", "train": {"text":
      "2 qid:1 1:1\n1 qid:1 2:1\n0 qid:1 1:1 2:1\n1 qid:1 3:-1\n1 qid:2 1:1\n0 qid:2\n0 qid:2 2:1\n2 qid:3 1:2\n0 qid:3 2:1\n1 qid:3\n"
    }},
    "features": "ranking", "loss": {"use": "ndcg", "k": 3}, "oracle": "ranking",
    "solver": {"use": "n_slack", "C": 10}})",
      R"({
    "name": "ndcg_of_two_kinds",
    "dataset": {"use": "svmrank", "train": {"text":
      "2 qid:1 1:1\n1 qid:1 2:1\n0 qid:1 1:1 2:1\n1 qid:1 3:-1\n1 qid:2 1:1\n0 qid:2\n0 qid:2 2:1\n"
    }},
    "features": {"use": "ranking", "relevant_from": 1}, "loss": {"use": "ndcg", "relevant_from": 1},
    "oracle": "ranking", "solver": {"use": "n_slack", "C": 10, "slack_norm": 2}})"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("k", "10", 0, 1e9, "how many of the first documents count; 0: all",
                      "documents"),
      sculpt::choice("gain", R"("exponential")", "exponential|linear",
                     "gain of a document; exponential: 2^grade - 1; linear: the grade"),
      relevant_from_parameter(
          "0", "the gain is 1 from this grade on and 0 below; 0: the gain of `gain`")};

  explicit Ndcg(const sculpt::Parameters& given);
  void bind(const sculpt::Bindings& bindings);

  double gain(std::int32_t group, std::int64_t relevant_ahead, std::int64_t rank) const override;
  double max_gain_sum(sculpt::Labels truth) const override;

 private:
  double value(sculpt::Labels truth, std::span<const std::int32_t> group,
               sculpt::Labels guess) const override;
  // Throws unless all grades of the experiment have a gain.
  void check_grades() const;
  double gain_of(std::int32_t group) const;
  // Returns the gains of the documents.
  std::vector<double> gains_of(sculpt::Labels truth) const;

  std::int64_t k_;
  bool is_linear_;
  Discounts discounts_;
};

}  // namespace ranking
