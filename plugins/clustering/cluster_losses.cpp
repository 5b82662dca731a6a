#include "cluster_losses.hpp"

#include <algorithm>

namespace clustering {

namespace {

using Metric = LossWithMetrics::Metric;

// Adds (n - J) / links to a metric, for the links of this number of clusters. Adds nothing if there
// is no link.
void add_share(std::span<double> sums, Metric metric, const LinkCounts& links,
               std::int64_t clusters) {
  if (clusters == links.items) return;
  const auto common = static_cast<double>(links.items - links.cells);
  sculpt::add_to_mean(sums, metric, common / static_cast<double>(links.items - clusters));
}

}  // namespace

Agreement LossWithMetrics::compare(sculpt::Labels truth, sculpt::Labels guess) {
  const auto negative = [](std::int32_t cluster) { return cluster < 0; };
  if (truth.empty() || truth.size() != guess.size() ||
      std::any_of(truth.begin(), truth.end(), negative) ||
      std::any_of(guess.begin(), guess.end(), negative)) {
    throw sculpt::Error(SCULPT_E_INVALID,
                        "needs two partitions of the same items; give one cluster number, from 0, "
                        "for each item");
  }
  return {truth, guess};
}

void LossWithMetrics::add_metrics(std::int64_t, sculpt::Labels truth, sculpt::Labels guess,
                                  std::span<double> sums) const {
  if (!guess.known()) {
    sculpt::add_to_mean(sums, Metric::rand_error, 1);
    for (const Metric share : {Metric::mitre_f1, Metric::mitre_precision, Metric::b_cubed_f1}) {
      sculpt::add_to_mean(sums, share, 0);
    }
    const LinkCounts links = compare(truth, truth).links();
    if (links.truth_clusters < links.items) sculpt::add_to_mean(sums, Metric::mitre_recall, 0);
    return;
  }
  const Agreement agreement = compare(truth, guess);
  const LinkCounts& links = agreement.links();
  sculpt::add_to_mean(sums, Metric::rand_error, agreement.rand_error());
  sculpt::add_to_mean(sums, Metric::mitre_f1, 1 - links.mitre_loss());
  add_share(sums, Metric::mitre_precision, links, links.guess_clusters);
  add_share(sums, Metric::mitre_recall, links, links.truth_clusters);
  sculpt::add_to_mean(sums, Metric::b_cubed_f1, agreement.b_cubed_f1());
}

}  // namespace clustering
