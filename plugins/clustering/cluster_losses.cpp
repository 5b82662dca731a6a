#include "cluster_losses.hpp"

#include <algorithm>
#include <limits>

namespace clustering {

namespace {

// One measure of a document, at its place among the sums.
void add(std::span<double> sums, std::size_t measure, double value) {
  sums[2 * measure] += value;
  sums[2 * measure + 1] += 1;
}

// (n - J) by the links that one side has, those of so many clusters; nothing where it has none.
void add_share(std::span<double> sums, std::size_t measure, const LinkCounts& links,
               std::int64_t clusters) {
  if (clusters == links.items) return;
  add(sums, measure,
      static_cast<double>(links.items - links.cells) / static_cast<double>(links.items - clusters));
}

}  // namespace

Agreement MeasuredLoss::compare(sculpt::Labels truth, sculpt::Labels guess) {
  const auto negative = [](std::int32_t cluster) { return cluster < 0; };
  if (truth.empty() || truth.size() != guess.size() ||
      std::any_of(truth.begin(), truth.end(), negative) ||
      std::any_of(guess.begin(), guess.end(), negative)) {
    throw sculpt::Error(SCULPT_E_INVALID,
                        "compares two partitions of the same items: one cluster number, from 0 on, "
                        "for each");
  }
  return {truth, guess};
}

void MeasuredLoss::add_metrics(std::int64_t, sculpt::Labels truth, sculpt::Labels guess,
                               std::span<double> sums) const {
  if (!guess.known()) {
    for (std::size_t k = 0; k < std::size(metrics); ++k) add(sums, k, k == 0 ? 1 : 0);
    return;
  }
  const Agreement agreement = compare(truth, guess);
  const LinkCounts& links = agreement.links();
  add(sums, 0, agreement.rand_error());
  add(sums, 1, 1 - links.mitre_loss());
  add_share(sums, 2, links, links.guess_clusters);
  add_share(sums, 3, links, links.truth_clusters);
  add(sums, 4, agreement.b_cubed_f1());
}

void MeasuredLoss::finish_metrics(std::span<const double> sums, std::span<double> values) const {
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = sums[2 * k + 1] > 0 ? sums[2 * k] / sums[2 * k + 1]
                                    : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace clustering
