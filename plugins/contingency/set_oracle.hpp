// set_oracle.hpp - finds the rows to predict positive, exact for every loss on their counts. Or
// finds their order, exact for the losses of order_losses.hpp.
//
// Consider outputs that predict a of P positive rows and b of N negative rows positive. The best
// one uses the rows with the highest scores (Joachims, ICML 2005, Algorithm 2). With both kinds
// sorted, the score
//
//   S(a, a + b) = 1/n ( 2 (first a of the positive) + 2 (first b of the negative) - all )
//
// is the frontier. argmax over a and b of S + loss_weight * Delta takes
//   O(P log N)   for losses of this library: Delta is concave in b, so the best b of each a is
//                where one more row does not gain, or an end of the range
//   O(P N)       for other losses on `matched` and `predicted`
// in addition to scoring and sorting. interleaving.hpp finds orders. A prediction has the rows with
// scores above 0 as positive, and orders all rows by score. Called by the host (contingency.cpp).
#pragma once

#include <array>
#include <sculpt/cpp/cursor.hpp>
#include <sculpt/program/loss_counts.hpp>
#include <sculpt/sculpt.hpp>

#include "order_losses.hpp"
#include "set_features.hpp"
#include "set_loss.hpp"

namespace contingency {

class SetOracle {
 public:
  static constexpr sculpt::About about{"org.sculpt.contingency", "1.0.0",
                                       "the rows of a set to predict positive: exact for losses on "
                                       "how many are predicted, and how many of them correctly",
                                       "Joachims, ICML 2005", SCULPT_TRAIT_SEPARATION_SET};
  static constexpr sculpt_parameter parameters[] = {sculpt::integer(
      "max_cells", "100000000", 1, 1e15,
      "offers no frontier for sets with more pairs of counts; with losses of other libraries "
      "refuses such sets",
      "cells")};
  static constexpr const char* known_counts[] = {"matched", "predicted"};

  SetOracle(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host), max_cells_(given.integer("max_cells")) {}

  void bind(const sculpt::Bindings& bindings);

  // False if a frontier has more cells than max_cells and argmax does not need it.
  bool offers_frontier() const { return set_loss_ == nullptr || frontiers_fit_; }

  class Session {
   public:
    explicit Session(const SetOracle& owner) : owner_(owner), loss_(owner.counts_) {}

    void argmax(const sculpt::Query& query, sculpt::Answer& answer);

    void begin_frontier(const sculpt::FrontierQuery& frontier_query, sculpt::FrontierShape& shape);
    void frontier_slice(std::int64_t matched, std::span<double> scores);
    void frontier_output(const sculpt::CountVector& counts, sculpt::LabelOutput& out);

    std::int64_t enumerate(std::int64_t example, std::int64_t limit, const sculpt::Visit& visit);

   private:
    struct Candidate {
      std::int64_t true_positives = 0;   // a
      std::int64_t false_positives = 0;  // b
      double value = 0;
    };

    // Sets scores_ and row_count_. Throws if sums of the scores overflow.
    void compute_scores(std::int64_t example, std::span<const double> w);
    // Sets positive_ and negative_: the rows of both kinds, sorted by score.
    void rank_rows(const sculpt::Query& query);
    void predict(const sculpt::Query& query, sculpt::Answer& answer);
    void find_order(const sculpt::Query& query, sculpt::Answer& answer);
    // S(a, a + b)
    double score_of(std::int64_t true_positives, std::int64_t false_positives) const {
      return (2 * (positive_.sum(true_positives) + negative_.sum(false_positives)) - score_sum_) /
             row_count_;
    }
    Contingency outcomes_of(std::int64_t true_positives, std::int64_t false_positives) const {
      return {positive_.count(), negative_.count(), true_positives,
              true_positives + false_positives};
    }
    // Calls visit(a, b) for pairs that include the best one.
    template <class VisitPair>
    void each_candidate(const sculpt::Query& query, VisitPair visit) const;
    // Returns the best number of false positives in `range`, given the true positives. The search
    // begins at `start`.
    std::int64_t best_false_positives(std::int64_t true_positives, double loss_weight,
                                      const PredictedRange& range, std::int64_t start) const;
    double loss(const sculpt::Query& query, std::int64_t true_positives,
                std::int64_t false_positives) const;
    // Calls visit(a, b) for all pairs of the current frontier with this first count.
    template <class VisitPair>
    void each_cell(std::int64_t matched, VisitPair visit) const;
    void write_labels(std::int64_t true_positives, std::int64_t false_positives,
                      sculpt::LabelOutput& out) const;

    const SetOracle& owner_;
    sculpt::program::LossCountsSession loss_;
    std::vector<double> scores_;
    sculpt::RankedRows positive_;
    sculpt::RankedRows negative_;
    Interleaving order_;
    sculpt::Cursor cursor_;
    double row_count_ = 1;
    double score_sum_ = 0;  // sum of all scores, with costs
    PredictedRange range_;  // of the current frontier
  };

 private:
  void bind_counts(sculpt::Ref loss);
  // Returns (a, a + b), limited to the limits of the loss.
  sculpt::CountVector counts(std::int64_t true_positives, std::int64_t false_positives) const {
    return {std::min(true_positives, limits_[0]),
            std::min(true_positives + false_positives, limits_[1])};
  }
  // Returns the range of the number of rows predicted positive for a set with this many rows of
  // both kinds.
  PredictedRange predicted_range(std::int64_t positive, std::int64_t negative) const;
  // Returns the largest counts matched and predicted of any output. Requires a labelled set.
  sculpt::CountVector max_counts(std::int64_t example) const;
  // True if max_cells allows a table of all pairs of counts. refuse_table() throws the error.
  bool table_fits(std::int64_t example) const;
  [[noreturn]] void refuse_table(std::int64_t example) const;
  // Checks whether the frontiers of the training data fit. Throws for sets that need a frontier
  // which does not fit.
  void check_table_sizes();

  sculpt::Host host_;
  std::int64_t max_cells_;
  const SetFeatures* features_ = nullptr;
  sculpt::program::LossCounts counts_;
  sculpt::CountVector limits_{};           // of the counts
  const SetLoss* set_loss_ = nullptr;      // the loss if it is of this library, on counts
  const OrderLoss* order_loss_ = nullptr;  // the loss if it is of this library, on orders
  bool frontiers_fit_ = true;
  bool outputs_have_order_ = false;  // the dataset has outputs with an order
};

}  // namespace contingency
