// ranking_oracle.hpp - the best order of a query's documents, exact for the losses of this library.
//
//   psi pairs,     pair_error       each pair is turned by itself: turned_pairs.hpp, O(n log n)
//   psi pairs,     the other losses two kinds of documents are put together: kind_order.hpp, O(P N)
//   psi positions, ndcg, same k     with G_i the gain of document i by that of the best order, s_i
//                                   its score and Z the sum of D,
//                                     <w, psi> + l loss = l + sum over the places r of
//                                                         D(r) (s_i / Z - l G_i),  i at place r
//                                   is largest where documents descend by s_i / Z - l G_i: a sort
//
// A prediction orders by score, for which psi of both forms is largest.
#pragma once

#include <sculpt/sculpt.hpp>

#include "kind_order.hpp"
#include "ranking_features.hpp"
#include "ranking_losses.hpp"

namespace ranking {

class RankingOracle {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.ranking", "1.0.0", "orders of documents, exact for the losses of this library",
      "Joachims, KDD 2006; Yue et al., SIGIR 2007", SCULPT_TRAIT_SEPARATION_SET};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("max_cells", "100000000", 1, 1e15,
                      "refuses queries with more relevant documents times others than this, where "
                      "two kinds are put "
                      "together",
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
    void turn(const sculpt::Query& query, sculpt::Answer& answer);
    void order_kinds(const sculpt::Query& query, sculpt::Answer& answer);
    void order_positions(const sculpt::Query& query, sculpt::Answer& answer);
    // <w, psi(x, y)>
    double score_of(std::int64_t example, sculpt::Labels y) const;

    const RankingOracle& owner_;
    std::vector<double> score_;
    sculpt::RankedRows better_;
    sculpt::RankedRows worse_;
    KindOrder order_;
  };

 private:
  void bind_positions(sculpt::Ref loss);
  void bind_pairs(sculpt::Ref loss);
  void check_kinds(std::int64_t example, const std::string& loss_id) const;
  void check_cells(const TwoKinds& kinds) const;

  sculpt::Host host_;
  std::int64_t max_cells_;
  const RankingFeatures* features_ = nullptr;
  const RankingLoss* loss_ = nullptr;
  const TwoKindLoss* two_kinds_ = nullptr;  // the loss, where two kinds are put together
  const Ndcg* ndcg_ = nullptr;              // the loss, with positions
};

}  // namespace ranking
