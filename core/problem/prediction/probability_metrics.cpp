#include "problem/prediction/probability_metrics.hpp"

#include <algorithm>
#include <cmath>

namespace sculpt::core {
namespace {

constexpr const char* log_loss_name = "log_loss";
constexpr const char* perplexity_name = "perplexity";
constexpr const char* calibration_name = "calibration_error";

}  // namespace

std::vector<std::string> probability_metric_names(bool has_marginals) {
  if (!has_marginals) return {log_loss_name};
  return {log_loss_name, perplexity_name, calibration_name};
}

void ProbabilityMetrics::add(double log_probability, sculpt_labels truth,
                             const Marginals& marginals) {
  log_loss_ -= log_probability;
  examples_ += 1;
  labels_ += static_cast<double>(truth.size);
  if (static_cast<std::int64_t>(marginals.positions()) != truth.size) has_labels_ = false;
  const auto positions = std::min(marginals.positions(), static_cast<std::size_t>(truth.size));
  for (std::size_t v = 0; v < positions; ++v) {
    if (truth.data[v] < 0) continue;
    const std::span<const double> row = marginals.row(v);
    const auto best = std::max_element(row.begin(), row.end());
    const auto last = static_cast<double>(bins_.size() - 1);
    const double position = std::floor(*best * static_cast<double>(bins_.size()));
    Bin& bin = bins_[static_cast<std::size_t>(std::clamp(position, 0.0, last))];
    bin.count += 1;
    bin.right += best - row.begin() == truth.data[v] ? 1 : 0;
    bin.probability += *best;
    measured_ += 1;
  }
}

std::vector<Metric> ProbabilityMetrics::finish() const {
  if (examples_ == 0) return {};
  std::vector<Metric> metrics = {
      {log_loss_name, "mean of -log p(truth)", log_loss_ / examples_, "lower"}};
  if (has_labels_ && labels_ > 0) {
    metrics.push_back({perplexity_name, "exp of the log-loss of a label",
                       std::exp(log_loss_ / labels_), "lower"});
  }
  if (measured_ > 0) {
    double error = 0;
    for (const Bin& bin : bins_) error += std::abs(bin.right - bin.probability);
    metrics.push_back({calibration_name,
                       "mean difference of probability and share of right labels, in ten bins",
                       error / measured_, "lower"});
  }
  return metrics;
}

}  // namespace sculpt::core
