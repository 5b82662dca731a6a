// objective.hpp - the function that the oracles of this library maximize over the partitions y of a
// document:
//
//   constant + sum over the pairs i < j with y_i = y_j of s_ij
//            + mitre_weight * MITRE loss(truth, y)
//
// The rand error is a sum over pairs, so it is a part of s and the constant. A pair that is
// together in the truth is wrong if y has it apart: the constant contains it, and s subtracts it.
// Any other pair is wrong if y has it together: s contains it. Used by the three oracles.
#pragma once

#include "cluster_losses.hpp"
#include "pair_features.hpp"

namespace clustering {

struct Objective {
  PairScores scores;  // s
  double constant = 0;
  sculpt::Labels truth;     // only with mitre_weight
  double mitre_weight = 0;  // 0: the rand error, or no loss
  double magnitude = 0;     // of the terms, for rounding

  double value(std::span<const std::int32_t> y) const;
  // An upper bound of all partitions: the sum of all positive pairs plus the largest loss.
  double loose_upper_bound() const;
  // Differences below this are rounding.
  double rounding() const { return 1e-12 * magnitude; }
};

// The features and the loss that an oracle is bound to.
class ClusterTask {
 public:
  // Throws unless the features are PairFeatures.
  void bind(const sculpt::Bindings& bindings);
  // Throws for the first document of any split with more items. `remedy` is the advice in the
  // message.
  void check_items(std::int64_t max_items, const std::string& remedy) const;

  const PairFeatures& features() const { return *features_; }
  bool has_loss() const { return has_loss_; }
  bool loss_is_rand_error() const { return loss_is_rand_error_; }
  bool loss_is_mitre() const { return loss_is_mitre_; }

  // Fills the objective of a query. Requires one of these two losses if the query has a loss
  // weight.
  void fill_objective(const sculpt::Query& query, Objective& objective) const;

 private:
  const PairFeatures* features_ = nullptr;
  bool has_loss_ = false;
  bool loss_is_rand_error_ = false;
  bool loss_is_mitre_ = false;
};

}  // namespace clustering
