// clustering_enumeration.hpp - an oracle that looks at all partitions of a small document.
//
// The frontier of the counts `wrong_pairs`, of `clusters` and `cells`, or of `errors` (items whose
// numbers differ, as zero_one and hamming count) makes every formulation exact with their losses.
#pragma once

#include <optional>

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
    "oracle": "clustering_enumeration", "solver": {"use": "n_slack", "C": 10, "slack_norm": 2}})",
                                                R"({
    "name": "enumerated_partitions_with_rand_error",
    "dataset": {"use": "item_pairs", "train": {"text":
      "1 0 1 1 1:1\n1 0 2 -1 2:1\n1 1 2 -1 1:0.5 2:1\n1 2 3 1 1:1 3:1\n2 0 1 -1 2:1 3:1\n2 0 2 1 1:1 2:1\n"}},
    "features": "clustering", "loss": "rand_error",
    "oracle": "clustering_enumeration",
    "solver": {"use": "one_slack", "C": 10, "rescaling": "slack", "slack_norm": 2}})"};

  ClusteringEnumeration(const sculpt::Parameters& given, sculpt::Host host)
      : max_items_(given.integer("max_items")), host_(host) {}

  // Refuses losses of other counts.
  void bind(const sculpt::Bindings& bindings);

  class Session {
   public:
    explicit Session(const ClusteringEnumeration& owner) : owner_(owner), loss_(owner.loss_) {}
    // Of equal partitions the first one in lexicographic order.
    void argmax(const sculpt::Query& query, sculpt::Answer& answer);

    void begin_frontier(const sculpt::FrontierQuery& asked, sculpt::FrontierShape& shape);
    void frontier_slice(std::int64_t first, std::span<double> scores);
    void frontier_output(const sculpt::CountVector& counts, sculpt::LabelOutput& out);

   private:
    // Refuses a document that is too large.
    std::int64_t items_of(std::int64_t example) const;
    // Calls visit(y, score) for all partitions.
    template <class VisitPartition>
    void each_partition(const sculpt::Query& query, VisitPartition visit);
    sculpt::CountVector counted(sculpt::Labels truth, sculpt::Labels y) const;
    void fill_frontier();
    std::size_t cell(std::int64_t first, std::int64_t second) const {
      return static_cast<std::size_t>(first * width_ + second);
    }

    const ClusteringEnumeration& owner_;
    sculpt::LossSession loss_;
    PairScores scores_;
    // The frontier under way: filled with its first slice.
    std::optional<sculpt::FrontierQuery> asked_;
    std::int64_t width_ = 0;                    // counts that the second one has
    std::vector<double> best_;                  // [first][width]
    std::vector<std::vector<std::int32_t>> y_;  // the same: who attains it
  };

 private:
  std::int64_t max_items_;
  sculpt::Host host_;
  ClusterTask task_;
  sculpt::Ref loss_;
  std::int64_t most_errors_ = 0;  // that the loss tells apart
};

}  // namespace clustering
