// cluster_losses.hpp - losses on partitions, and the measures that every run reports.
//
//   rand_error   the share of the pairs of items wrongly joined or wrongly separated
//   mitre        1 - F1 of the links, see agreement.hpp
//
// Both work on any two arrays of cluster numbers, so they serve other datasets as well. Their
// counts are wrong_pairs, the clusters of the output, and the cells shared by clusters of output
// and truth. Called by the host (clustering.cpp); used by objective.cpp.
#pragma once

#include <algorithm>
#include <sculpt/cpp/metric_means.hpp>
#include <sculpt/sculpt.hpp>

#include "agreement.hpp"

namespace clustering {

// Base class of the losses.
class LossWithMetrics {
 public:
  static constexpr sculpt_metric metrics[] = {
      sculpt::lower_is_better("rand_error",
                              "share of the pairs of items wrongly joined or wrongly separated"),
      sculpt::higher_is_better(
          "mitre_f1",
          "twice the common links, divided by the links of the truth plus those of the output"),
      sculpt::higher_is_better("mitre_precision",
                               "share of the output's links that the truth has as well"),
      sculpt::higher_is_better("mitre_recall",
                               "share of the truth's links that the output has as well"),
      sculpt::higher_is_better("b_cubed_f1",
                               "F1 of B-cubed precision and recall, both averaged over the items")};
  // In the order of metrics[].
  enum class Metric { rand_error, mitre_f1, mitre_precision, mitre_recall, b_cubed_f1 };
  static constexpr std::int64_t sum_count = sculpt::sums_of_means(std::size(metrics));

  void add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const;
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    sculpt::finish_means(sums, values);
  }

 protected:
  // Throws E_INVALID if these are not two partitions of the same items.
  static Agreement compare(sculpt::Labels truth, sculpt::Labels guess);
};

class RandError : public LossWithMetrics {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.rand_error", "1.0.0",
      "the share of the pairs of items wrongly joined or wrongly separated",
      "Finley and Joachims, ICML 2005; Rand, JASA 66, 1971"};
  static constexpr const char* experiments[] = {R"({
    "name": "rand_error_of_two_documents",
    "dataset": {"use": "item_pairs", "train": {"text":
      "1 0 1 1 1:1\n1 0 2 -1 2:1\n1 1 2 -1 1:0.5 2:1\n1 2 3 1 1:1 3:1\n2 0 1 -1 2:1 3:1\n2 0 2 1 1:1 2:1\n"}},
    "features": "clustering", "loss": "rand_error", "oracle": "clustering_enumeration",
    "solver": {"use": "n_slack", "C": 10}})"};

  static constexpr sculpt_count counts[] = {sculpt::counted("wrong_pairs")};

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    return compare(truth, guess).rand_error();
  }
  double loss_of_counts(std::int64_t, sculpt::Labels truth,
                        std::span<const std::int64_t> counted) const {
    return clustering::rand_error(truth.count(), counted[0]);
  }
};

class Mitre : public LossWithMetrics {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.mitre", "1.0.0", "1 - F1 of the links between the items of each cluster",
      "Vilain et al., MUC-6, 1995; Finley and Joachims, ICML 2005"};
  static constexpr const char* experiments[] = {R"({
    "name": "mitre_of_two_documents",
    "dataset": {"use": "item_pairs", "train": {"text":
      "1 0 1 1 1:1\n1 0 2 -1 2:1\n1 1 2 -1 1:0.5 2:1\n1 2 3 1 1:1 3:1\n2 0 1 -1 2:1 3:1\n2 0 2 1 1:1 2:1\n"}},
    "features": "clustering", "loss": "mitre", "oracle": "clustering_enumeration",
    "solver": {"use": "one_slack", "C": 10, "rescaling": "slack"}})"};

  static constexpr sculpt_count counts[] = {sculpt::counted("clusters"), sculpt::counted("cells")};

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    return compare(truth, guess).links().mitre_loss();
  }
  // 0 if no partition has these counts and the formula would be negative.
  double loss_of_counts(std::int64_t, sculpt::Labels truth,
                        std::span<const std::int64_t> counted) const {
    LinkCounts links = compare(truth, truth).links();
    links.guess_clusters = counted[0];
    links.cells = counted[1];
    return std::max(0.0, links.mitre_loss());
  }
};

}  // namespace clustering
