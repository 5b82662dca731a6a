// objective.hpp - what the oracles of this library maximise over the partitions y of a document:
//
//   constant + sum over the pairs i < j with y_i = y_j of s_ij
//            + mitre_weight * MITRE loss(truth, y)
//
// The rand error is a sum over pairs and so goes into s and the constant. A pair that the truth has
// together is wrong as long as y has it apart: it counts in the constant, and s takes it off again.
// Any other pair is wrong once y has it together: it counts in s.
#pragma once

#include "cluster_losses.hpp"
#include "pair_features.hpp"

namespace clustering {

struct Objective {
  PairScores scores;  // s
  double constant = 0;
  sculpt::Labels truth;     // where mitre_weight counts
  double mitre_weight = 0;  // 0: the rand error, or no loss
  double size = 0;          // of the terms, for what is rounding

  double value(std::span<const std::int32_t> y) const;
  // No partition has a larger value: all pairs that gain together, and the largest loss there is.
  double plain_bound() const;
  // Differences below are none.
  double rounding() const { return 1e-12 * size; }
};

// The features and the loss that an oracle is bound to.
class ClusterTask {
 public:
  // Refuses other features.
  void bind(const sculpt::Bindings& bindings);
  // Refuses the first document, of whatever split, that has more items; `remedy` says what to do.
  void check_items(std::int64_t max_items, const std::string& remedy) const;

  const PairFeatures& features() const { return *features_; }
  bool has_loss() const { return has_loss_; }
  bool rand_error() const { return rand_error_; }
  bool mitre() const { return mitre_; }

  // Requires one of these two losses where the query weighs one.
  void pose(const sculpt::Query& query, Objective& objective) const;

 private:
  const PairFeatures* features_ = nullptr;
  bool has_loss_ = false;
  bool rand_error_ = false;
  bool mitre_ = false;
};

}  // namespace clustering
