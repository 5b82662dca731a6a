// ranking_oracle.hpp - finds the best order of a query's documents, exact for the losses of this
// library.
//
//   pair_error         swaps each pair independently: swapped_pairs.hpp, O(n log n)
//   the other losses   grade_group_order.hpp, K times the product over the groups of 1 + their
//                      documents
//
// A prediction orders by score, which maximizes psi. Joachims, KDD 2006; Yue et al., SIGIR 2007.
// Called by the host (ranking.cpp).
#pragma once

#include <sculpt/sculpt.hpp>

#include "grade_group_order.hpp"
#include "ranking_features.hpp"
#include "ranking_losses.hpp"

namespace ranking {

class RankingOracle {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.ranking", "1.0.0", "orders of documents, exact for the losses of this library",
      "Joachims, KDD 2006; Yue et al., SIGIR 2007", SCULPT_TRAIT_SEPARATION_SET};
  static constexpr sculpt_parameter parameters[] = {sculpt::integer(
      "max_cells", "10000000", 1, 1e9,
      "refuses queries before training if the product over their grades of 1 + the number of "
      "documents is larger; not for pair_error",
      "cells")};

  RankingOracle(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host), max_cells_(given.integer("max_cells")) {}

  void bind(const sculpt::Bindings& bindings);

  class Session {
   public:
    explicit Session(const RankingOracle& owner) : owner_(owner) {}
    void argmax(const sculpt::Query& query, sculpt::Answer& answer);
    std::int64_t enumerate(std::int64_t example, std::int64_t limit, const sculpt::Visit& visit);

   private:
    void predict(const sculpt::Query& query, sculpt::Answer& answer);
    // Answers with a set of swapped pairs, for pair_error, or with an order.
    void swap_pairs(const sculpt::Query& query, sculpt::Answer& answer);
    void find_order(const sculpt::Query& query, sculpt::Answer& answer);
    // <w, psi(x, y)>
    double score_of(std::int64_t example, sculpt::Labels y) const;

    const RankingOracle& owner_;
    std::vector<double> scores_;
    GradeGroupOrder order_;
  };

 private:
  void check_groups(std::int64_t example, const std::string& loss_id) const;
  void check_cells(std::int64_t example, sculpt::Labels grades) const;

  sculpt::Host host_;
  std::int64_t max_cells_;
  const RankingFeatures* features_ = nullptr;
  const RankingLoss* loss_ = nullptr;
  const GainLoss* gain_loss_ = nullptr;    // the loss, unless it is pair_error
  const PairError* pair_error_ = nullptr;  // the loss, if it is pair_error
};

}  // namespace ranking
