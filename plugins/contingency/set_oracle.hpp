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
// scores above 0 as positive, and orders all rows by score.
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
                                       "which rows of a set to take for positive, exact for losses "
                                       "on how many, and how many rightly",
                                       "Joachims, ICML 2005", SCULPT_TRAIT_SEPARATION_SET};
  static constexpr sculpt_parameter parameters[] = {sculpt::integer(
      "max_cells", "100000000", 1, 1e15,
      "no frontier of sets with more pairs of counts, and none at all under foreign losses",
      "cells")};
  static constexpr std::array<std::string_view, 2> known_counts{"matched", "predicted"};

  SetOracle(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host), max_cells_(given.integer("max_cells")) {}

  void bind(const sculpt::Bindings& bindings);

  // False if a frontier has more cells than max_cells and argmax does not need it.
  bool offers_frontier() const { return own_ == nullptr || frontiers_fit_; }

  class Session {
   public:
    explicit Session(const SetOracle& owner) : owner_(owner), loss_(owner.counts_) {}

    void argmax(const sculpt::Query& query, sculpt::Answer& answer);

    void begin_frontier(const sculpt::FrontierQuery& asked, sculpt::FrontierShape& shape);
    void frontier_slice(std::int64_t matched, std::span<double> scores);
    void frontier_output(const sculpt::CountVector& counts, sculpt::LabelOutput& out);

    std::int64_t enumerate(std::int64_t example, std::int64_t limit, const sculpt::Visit& visit);

   private:
    struct Choice {
      std::int64_t right = 0;  // a
      std::int64_t wrong = 0;  // b
      double value = 0;
    };

    void score(std::int64_t example, std::span<const double> w);
    void rank(const sculpt::Query& query);
    void predict(const sculpt::Query& query, sculpt::Answer& answer);
    void find_order(const sculpt::Query& query, sculpt::Answer& answer);
    // S(a, a + b)
    double score_of(std::int64_t right, std::int64_t wrong) const {
      return (2 * (positive_.sum(right) + others_.sum(wrong)) - all_) / rows_;
    }
    Contingency counted(std::int64_t right, std::int64_t wrong) const {
      return {positive_.count(), others_.count(), right, right + wrong};
    }
    // Calls visit(a, b) for pairs that include the best one.
    template <class VisitPair>
    void each_candidate(const sculpt::Query& query, VisitPair visit) const;
    // Returns the best number of false positives in `among`, given `right` true positives.
    std::int64_t best_wrong(std::int64_t right, double loss_weight, const PredictedRange& among,
                            std::int64_t near) const;
    double loss(const sculpt::Query& query, std::int64_t right, std::int64_t wrong) const;
    // Calls visit(a, b) for all pairs of the current frontier with this first count.
    template <class VisitPair>
    void each_counted(std::int64_t matched, VisitPair visit) const;
    void write(std::int64_t right, std::int64_t wrong, sculpt::LabelOutput& out) const;

    const SetOracle& owner_;
    sculpt::program::LossCountsSession loss_;
    std::vector<double> score_;
    sculpt::RankedRows positive_;
    sculpt::RankedRows others_;
    Interleaving order_;
    sculpt::Cursor cursor_;
    double rows_ = 1;
    double all_ = 0;        // sum of all scores, with costs
    PredictedRange range_;  // of the current frontier
  };

 private:
  void bind_counts(sculpt::Ref loss);
  // Returns (a, a + b), limited to the limits of the loss.
  sculpt::CountVector counts(std::int64_t right, std::int64_t wrong) const {
    return {std::min(right, limits_[0]), std::min(right + wrong, limits_[1])};
  }
  // Returns the range of the number of rows predicted positive for a set with this many rows of
  // both kinds.
  PredictedRange taken(std::int64_t positive, std::int64_t others) const;
  // Returns the largest counts matched and predicted of any output. Requires a labelled set.
  sculpt::CountVector largest_counts(std::int64_t example) const;
  // True if max_cells allows a table of them. refuse_table() throws the error.
  bool fits(std::int64_t example) const;
  [[noreturn]] void refuse_table(std::int64_t example) const;
  // Checks whether the frontiers of the training data fit. Throws for sets that need a frontier
  // which does not fit.
  void measure_tables();

  sculpt::Host host_;
  std::int64_t max_cells_;
  const SetFeatures* features_ = nullptr;
  sculpt::program::LossCounts counts_;
  sculpt::CountVector limits_{};           // of the counts
  const SetLoss* own_ = nullptr;           // the loss if it is of this library
  const OrderLoss* order_loss_ = nullptr;  // the same for losses of orders
  bool frontiers_fit_ = true;
  bool ranks_ = false;  // the dataset has outputs with an order
};

}  // namespace contingency
