// ProbabilityMetrics: log-loss, perplexity and calibration of given probabilities.

#include "problem/prediction/probability_metrics.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace sculpt::core;
using doctest::Approx;

namespace {

Marginals rows(const std::vector<std::vector<double>>& p) {
  Marginals out;
  out.row_from = {0};
  for (const auto& row : p) {
    out.p.insert(out.p.end(), row.begin(), row.end());
    out.row_from.push_back(out.p.size());
  }
  return out;
}

double value_of(const std::vector<Metric>& metrics, const std::string& name) {
  for (const Metric& metric : metrics) {
    if (metric.name == name) return metric.value;
  }
  return std::nan("");
}

void add(ProbabilityMetrics& metrics, double log_p, const std::vector<std::int32_t>& truth,
         const Marginals& marginals) {
  metrics.add(log_p, {truth.data(), static_cast<std::int64_t>(truth.size())}, marginals);
}

}  // namespace

TEST_CASE("log-loss and perplexity are means over examples and over labels") {
  ProbabilityMetrics metrics;
  CHECK(metrics.finish().empty());
  add(metrics, -1, {0, 1, 0}, rows({{1, 0}, {0, 1}, {1, 0}}));
  add(metrics, -3, {1}, rows({{0, 1}}));
  CHECK(value_of(metrics.finish(), "log_loss") == 2);
  CHECK(value_of(metrics.finish(), "perplexity") == Approx(std::exp(1.0)));
  CHECK(value_of(metrics.finish(), "calibration_error") == 0);
}

TEST_CASE("perplexity is left out if positions of outputs have no probabilities of labels") {
  ProbabilityMetrics metrics;
  add(metrics, -1, {0, 1, 0}, rows({{1, 0}, {0, 1}, {1, 0}}));
  add(metrics, -3, {4, 0, 2}, {});
  CHECK(value_of(metrics.finish(), "log_loss") == 2);
  CHECK(std::isnan(value_of(metrics.finish(), "perplexity")));
}

TEST_CASE("the calibration error is 0 if as many labels are right as the probabilities say") {
  ProbabilityMetrics metrics;
  for (int k = 0; k < 10; ++k) {
    add(metrics, -1, {k < 7 ? 1 : 0, k < 7 ? 1 : 0}, rows({{0.3, 0.7}, {0.3, 0.7}}));
  }
  CHECK(value_of(metrics.finish(), "calibration_error") == Approx(0));
  add(metrics, -1, {0, -1}, rows({{0.0, 1.0}, {0.5, 0.5}}));  // sure and wrong; the other unknown
  CHECK(value_of(metrics.finish(), "calibration_error") == Approx(1.0 / 21));
}
