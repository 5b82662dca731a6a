// enumerated_cells.hpp - the cells of the problems of enumerated_problem.hpp: each example has one
// label, whose values are its outputs. So theta has a score for each output, and mu is p.
//
// For the tests of the dual of log-losses: the source, and D by its definition.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/solver/crf/enumerated_problem.hpp"
#include "objective/cell_source.hpp"

namespace sculpt::core::test {

class EnumeratedCells : public CellSource {
 public:
  explicit EnumeratedCells(const EnumeratedExpectations& problem) : problem_(problem) {}

  double mean_error = 0;  // a fault: p of the truth is multiplied by 1 + this
  bool is_exact = true;   // what is claimed of log Z
  std::int64_t exact_calls = std::numeric_limits<std::int64_t>::max();  // of more it is not claimed

  std::int64_t example_count() const override { return problem_.example_count(); }
  std::int64_t dimension() const override { return problem_.dimension(); }
  std::span<const double> example_weights() const override { return problem_.weights; }
  std::uint64_t seed() const override { return 5; }

  std::int64_t cell_count(std::int64_t example) override {
    return std::ssize(example_of(example).outputs);
  }
  void begin(WeightView w, const Pass& pass) override {
    w_ = &w.dense();
    pass_.emplace(pass);
  }
  void end() override { w_ = nullptr; }
  double compute_potentials(int, std::int64_t example, std::span<double> theta) override {
    poll_as_plugins();
    // A part of the loss is constant, as for losses that split over factors.
    const double loss_weight = pass_->loss_weight.value_or(0);
    for (std::size_t y = 0; y < theta.size(); ++y) {
      const EnumeratedOutput& output = example_of(example).outputs[y];
      theta[y] = pass_->scale * dot(*w_, output.psi) + loss_weight * (output.loss - 0.25);
    }
    return loss_weight * 0.25;
  }
  void add_truth(int, std::int64_t, double score, std::span<double> theta) override {
    if (!theta.empty()) theta[0] += score;
  }
  LogZ compute_mean(int, std::int64_t, std::span<const double> theta,
                    std::span<double> mu) override {
    poll_as_plugins();
    if (--exact_calls < 0) is_exact = false;
    if (theta.empty()) return {-infinity, is_exact};
    const double log_z = log_sum(theta);
    for (std::size_t y = 0; y < theta.size(); ++y) mu[y] = std::exp(theta[y] - log_z);
    mu[0] *= 1 + mean_error;
    return {log_z, is_exact};
  }
  void add_pullback(int, std::int64_t example, std::span<const double> mu, double scale,
                    Vector& sum) override {
    if (w_ != nullptr) poll_as_plugins();
    for (std::size_t y = 0; y < mu.size(); ++y) {
      axpy(scale * mu[y], std::span<const double>(example_of(example).outputs[y].psi), sum);
    }
  }
  [[noreturn]] void report_contradiction(std::int64_t, const std::string& text) const override {
    throw Failure(Exit::plugin, text);
  }

  // Returns D at the distributions of theta, which is as CellBlocks::theta, by its definition.
  double dual(const LogLossTerms& terms, const Vector& theta) const {
    Vector v(static_cast<std::size_t>(dimension()), 0.0);
    double sum = 0;
    std::size_t from = 0;
    for (std::int64_t i = 0; i < example_count(); ++i) {
      const std::vector<EnumeratedOutput>& outputs = example_of(i).outputs;
      const double price =
          terms.C * problem_.example_weight(i) / static_cast<double>(example_count());
      if (price == 0 || outputs.empty()) continue;
      const std::span<const double> scores = std::span(theta).subspan(from, outputs.size());
      from += (outputs.size() + 7) / 8 * 8;
      const double log_z = log_sum(scores);
      axpy(price, std::span<const double>(outputs[0].psi), v);
      for (std::size_t y = 0; y < outputs.size(); ++y) {
        const double p = std::exp(scores[y] - log_z);
        axpy(-price * p, std::span<const double>(outputs[y].psi), v);
        sum += price * p *
               (terms.loss_weight * outputs[y].loss - terms.temperature * (scores[y] - log_z));
      }
    }
    return sum - 0.5 * squared_norm(v);
  }

 private:
  // Plugins may give up in any call, as soon as they are told to stop.
  void poll_as_plugins() const {
    if (!pass_->must_finish && pass_->interrupted && pass_->interrupted()) throw Cancelled();
  }
  const EnumeratedExample& example_of(std::int64_t example) const {
    return problem_.examples[static_cast<std::size_t>(example)];
  }
  static double log_sum(std::span<const double> scores) {
    const double largest = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (const double score : scores) sum += std::exp(score - largest);
    return largest + std::log(sum);
  }

  const EnumeratedExpectations& problem_;
  const Vector* w_ = nullptr;
  std::optional<Pass> pass_;
};

// The ports of a problem, with its cells.
struct EnumeratedCellPorts : EnumeratedPorts {
  explicit EnumeratedCellPorts(EnumeratedExpectations& problem)
      : EnumeratedPorts(problem), cells(problem) {
    ports.cells = &cells;
    ports.obstacle_to_cells = "";
  }
  EnumeratedCells cells;
};

}  // namespace sculpt::core::test
