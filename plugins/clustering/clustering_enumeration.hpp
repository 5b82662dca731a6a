// clustering_enumeration.hpp - an oracle that enumerates all partitions of a small document.
//
// Its frontier supports one or two of the counts
//
//   wrong_pairs   pairs wrongly joined or wrongly separated, as rand_error counts
//   clusters      clusters of the output
//   cells         cells of output and truth, as mitre counts
//   errors        items whose numbers differ, as zero_one and hamming count
//
// It makes every formulation exact with any loss that is a function of these counts. Called by the
// host (clustering.cpp).
#pragma once

#include <optional>
#include <sculpt/cpp/cursor.hpp>

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
      "1 0 1 1 1:1\n1 0 2 -1 2:1\n1 1 2 -1 1:0.5 2:1\n1 2 3 1 1:1 3:1\n2 0 1 -1 2:1 3:1\n2 0 2 1 1:1 2:1\n3 0 1 1 1:2\n3 0 2 -1 3:1\n"}},
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

  // Throws if the loss has other counts, or a document is too large.
  void bind(const sculpt::Bindings& bindings);

  class Session {
   public:
    explicit Session(const ClusteringEnumeration& owner) : owner_(owner), loss_(owner.loss_) {}
    // Ties: the first partition in lexicographic order.
    void argmax(const sculpt::Query& query, sculpt::Answer& answer);

    void begin_frontier(const sculpt::FrontierQuery& frontier_query, sculpt::FrontierShape& shape);
    void frontier_slice(std::int64_t first, std::span<double> scores);
    void frontier_output(const sculpt::CountVector& counts, sculpt::LabelOutput& out);

   private:
    // Calls visit(y, score) for all partitions.
    template <class VisitPartition>
    void each_partition(const sculpt::Query& query, VisitPartition visit);
    // Does nothing if the frontier is filled. If the host stops a call, the next call starts again.
    void fill_frontier();
    std::size_t cell_index(const sculpt::CountVector& counts) const {
      return static_cast<std::size_t>(counts[0] * sizes_[1] + counts[1]);
    }

    const ClusteringEnumeration& owner_;
    sculpt::LossSession loss_;
    PairScores scores_;
    // The current frontier. The first slice fills it.
    std::optional<sculpt::FrontierQuery> frontier_query_;
    sculpt::CountVector sizes_{};
    std::vector<double> best_scores_;                      // [sizes]
    std::vector<std::vector<std::int32_t>> best_outputs_;  // [sizes] partitions with these scores
    bool is_filled_ = false;
    sculpt::Cursor cursor_;
  };

 private:
  enum class CountKind { wrong_pairs, clusters, cells, errors };
  // A count of the loss. Values above `limit` are equal to `limit`.
  struct Count {
    CountKind kind;
    std::int64_t limit;
    // Returns the count of a partition.
    std::int64_t value_of(sculpt::Labels truth, sculpt::Labels y) const;
    // Returns the largest count for this number of items.
    std::int64_t max_value(std::int64_t items) const;
  };

  std::int64_t max_items_;
  sculpt::Host host_;
  ClusterTask task_;
  sculpt::Ref loss_;
  std::vector<Count> counts_;  // one or two; empty if the loss has no counts
};

}  // namespace clustering
