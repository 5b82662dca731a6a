// clustering_enumeration.hpp - an oracle that looks at all partitions of a small document.
#pragma once

#include "objective.hpp"

namespace clustering {

class ClusteringEnumeration {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.clustering_enumeration", "1.0.0",
      "the best of all partitions of a small document, exact with every loss"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("max_items", "10", 1, 14,
                      "refuses documents with more items: 10 have 115 975 partitions, 14 have 190 "
                      "899 322",
                      "items")};
  static constexpr const char* experiments[] = {R"({
    "name": "enumerated_partitions_with_mitre",
    "dataset": {"use": "item_pairs", "train": {"text":
      "1 0 1 1 1:1\n1 0 2 -1 2:1\n1 1 2 -1 1:0.5 2:1\n1 2 3 1 1:1 3:1\n2 0 1 -1 2:1 3:1\n2 0 2 1 1:1 2:1\n"}},
    "features": {"use": "clustering", "bias": false}, "loss": "mitre",
    "oracle": "clustering_enumeration", "solver": {"use": "n_slack", "C": 10, "slack_norm": 2}})"};

  ClusteringEnumeration(const sculpt::Parameters& given, sculpt::Host host)
      : max_items_(given.integer("max_items")), host_(host) {}

  void bind(const sculpt::Bindings& bindings);

  class Session {
   public:
    explicit Session(const ClusteringEnumeration& owner) : owner_(owner), loss_(owner.loss_) {}
    // Of equal partitions the first one in lexicographic order.
    void argmax(const sculpt::Query& query, sculpt::Answer& answer);

   private:
    const ClusteringEnumeration& owner_;
    sculpt::LossSession loss_;
    PairScores scores_;
  };

 private:
  std::int64_t max_items_;
  sculpt::Host host_;
  ClusterTask task_;
  sculpt::Ref loss_;
};

}  // namespace clustering
