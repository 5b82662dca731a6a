// set_oracle.hpp - the rows to be taken for positive, exact for every loss on their counts; or
// their order, exact for the losses of order_losses.hpp.
//
// Of all outputs that take a of P positive rows and b of N others, the best takes those with the
// highest scores (Joachims, ICML 2005, Algorithm 2). So with both kinds sorted, the score
//
//   S(a, a + b) = 1/n ( 2 (first a of the positive) + 2 (first b of the others) - all )
//
// is the frontier, and argmax over a and b of S + loss_weight * Delta takes
//   O(P log N)   losses of this library: Delta grows ever slower with b, so that the best b of each
//                a lies where one more does not pay, or at an end of what is compared
//   O(P N)       other losses on `matched` and `predicted`
// beside the scores and the sorting. Orders are put together by interleaving.hpp. A prediction
// takes the rows with scores above 0 and orders all by score.
#pragma once

#include <array>
#include <sculpt/cpp/conversation.hpp>
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

  // Not of more pairs of counts than max_cells, where argmax has a way that does without.
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
    // Calls visit(a, b) for pairs among which the best one is.
    template <class VisitPair>
    void each_candidate(const sculpt::Query& query, VisitPair visit) const;
    // How many of `among` to take wrongly beside so many right ones.
    std::int64_t best_wrong(std::int64_t right, double loss_weight, const TakenRange& among,
                            std::int64_t near) const;
    double loss(const sculpt::Query& query, std::int64_t right, std::int64_t wrong) const;
    // Calls visit(a, b) for all pairs of the frontier under way that have this first count.
    template <class VisitPair>
    void each_counted(std::int64_t matched, VisitPair visit) const;
    void write(std::int64_t right, std::int64_t wrong, sculpt::LabelOutput& out) const;

    const SetOracle& owner_;
    sculpt::program::LossCountsSession loss_;
    std::vector<double> score_;
    sculpt::RankedRows positive_;
    sculpt::RankedRows others_;
    Interleaving order_;
    sculpt::Conversation talk_;
    double rows_ = 1;
    double all_ = 0;    // the sum of all scores, at their costs
    TakenRange range_;  // of the frontier under way
  };

 private:
  void bind_counts(sculpt::Ref loss);
  // (a, a + b) as far as the loss tells them apart.
  sculpt::CountVector counts(std::int64_t right, std::int64_t wrong) const {
    return {std::min(right, limits_[0]), std::min(right + wrong, limits_[1])};
  }
  // How many rows the outputs of a set with so many of both kinds take for positive.
  TakenRange taken(std::int64_t positive, std::int64_t others) const;
  // The largest counts matched and predicted of any output of a set whose truth is known.
  sculpt::CountVector largest_counts(std::int64_t example) const;
  // Whether max_cells allows a table of them; refuse_table() says that it does not.
  bool fits(std::int64_t example) const;
  [[noreturn]] void refuse_table(std::int64_t example) const;
  // Of the training: whether the frontiers fit. Refuses sets that cannot do without.
  void measure_tables();

  sculpt::Host host_;
  std::int64_t max_cells_;
  const SetFeatures* features_ = nullptr;
  sculpt::program::LossCounts counts_;
  sculpt::CountVector limits_{};           // of these
  const SetLoss* own_ = nullptr;           // the loss, where it is of this library
  const OrderLoss* order_loss_ = nullptr;  // the same, of orders
  bool frontiers_fit_ = true;
  bool ranks_ = false;  // the dataset knows outputs with an order
};

}  // namespace contingency
