#include "objective/cell_dual.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/infinity.hpp"
#include "base/text/message_text.hpp"
#include "parallel/blocks.hpp"

namespace sculpt::core {
namespace {

// Cells of a block begin at a cache line.
constexpr std::size_t cells_per_line = 8;

// A divergence may be below 0 by this fraction of log Z: oracles may work in single precision.
constexpr double tolerance = 1e-6;

// <a - b, mu>
double dot_of_change(std::span<const double> a, std::span<const double> b,
                     std::span<const double> mu) {
  double sum = 0;
  for (std::size_t k = 0; k < mu.size(); ++k) sum += (a[k] - b[k]) * mu[k];
  return sum;
}

}  // namespace

CellDual::CellDual(const LogLossTerms& terms, CellSource& cells, CountSource& truths)
    : terms_(terms), cells_(cells), truths_(truths) {
  const Workers* const workers = cells.workers();
  scratches_.resize(workers == nullptr ? 1 : static_cast<std::size_t>(workers->threads()));
}

double CellDual::price(std::int64_t example) const {
  return terms_.C * cells_.example_weight(example) / static_cast<double>(cells_.example_count());
}

Pass CellDual::query(const Pass& pass) const {
  Pass query = pass;
  query.scale = 1 / terms_.temperature;
  if (terms_.loss_weight > 0) query.loss_weight = terms_.loss_weight / terms_.temperature;
  return query;
}

bool CellDual::has_output(const CellBlocks& blocks, std::size_t i) {
  return std::isfinite(blocks.log_z[i]);
}

// Calls the function for all examples with a weight.
void CellDual::for_examples(const ForExample& function) {
  const std::int64_t n = cells_.example_count();
  const auto range = [&](std::int64_t begin, std::int64_t end, int worker) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (is_asked(i)) function(i, worker);
    }
  };
  if (cells_.workers() == nullptr) return range(0, n, 0);
  cells_.workers()->run_ranges(n, Workers::range_size(n), range);
}

CellBlocks CellDual::make_blocks() {
  const auto n = static_cast<std::size_t>(cells_.example_count());
  CellBlocks blocks;
  blocks.from.assign(1, 0);
  blocks.size.resize(n);
  blocks.log_z.assign(n, -infinity);
  for (std::size_t i = 0; i < n; ++i) {
    const auto example = static_cast<std::int64_t>(i);
    if (is_asked(example)) blocks.size[i] = static_cast<std::size_t>(cells_.cell_count(example));
    const std::size_t lines = (blocks.size[i] + cells_per_line - 1) / cells_per_line;
    blocks.from.push_back(blocks.from[i] + lines * cells_per_line);
  }
  blocks.theta.assign(blocks.from[n], 0.0);
  blocks.mu.assign(blocks.from[n], 0.0);
  return blocks;
}

double CellDual::find_mean(int worker, std::int64_t example, std::span<const double> theta,
                           std::span<double> mu) {
  const LogZ log_z = cells_.compute_mean(worker, example, theta, mu);
  if (log_z.is_exact || !std::isfinite(log_z.value)) return log_z.value;
  throw ApproximateLogZ(
      "crf: the method sdca needs exact probabilities, but the oracle gives an approximation of "
      "log Z for example " +
      std::to_string(cells_.dataset_index(example)) + "; use the method lbfgs, or another oracle");
}

void CellDual::compute_mean(int worker, std::int64_t example, CellBlocks& blocks) {
  const auto i = static_cast<std::size_t>(example);
  blocks.log_z[i] = find_mean(worker, example, blocks.theta_of(i), blocks.mu_of(i));
}

void CellDual::set_to_weights(const Vector& w, const Pass& pass, CellBlocks& blocks) {
  const ScopedCellPass scope(cells_, w, query(pass));
  for_examples([&](std::int64_t example, int worker) {
    const auto i = static_cast<std::size_t>(example);
    cells_.compute_potentials(worker, example, blocks.theta_of(i));
    compute_mean(worker, example, blocks);
  });
}

void CellDual::add_truths(double score, const Vector& w, const Pass& pass, CellBlocks& blocks) {
  const ScopedCellPass scope(cells_, w, query(pass));
  for_examples([&](std::int64_t example, int worker) {
    cells_.add_truth(worker, example, score, blocks.theta_of(static_cast<std::size_t>(example)));
    compute_mean(worker, example, blocks);
  });
}

void CellDual::compute_means(const Vector& w, const Pass& pass, CellBlocks& blocks) {
  const ScopedCellPass scope(cells_, w, query(pass));
  for_examples([&](std::int64_t example, int worker) { compute_mean(worker, example, blocks); });
}

void CellDual::compute_weights(const CellBlocks& blocks, Vector& out) {
  out.assign(static_cast<std::size_t>(cells_.dimension()), 0.0);
  std::vector<std::int64_t> examples;
  for (std::size_t i = 0; i < blocks.log_z.size(); ++i) {
    if (has_output(blocks, i)) examples.push_back(static_cast<std::int64_t>(i));
  }
  truths_.sum_truths(examples, out);
  const double share = terms_.C / static_cast<double>(cells_.example_count());
  for (double& one : out) one *= share;
  const ScopedCellPass scope(cells_, out, Pass(0));
  for (const std::int64_t example : examples) {
    const auto mu = blocks.mu_of(static_cast<std::size_t>(example));
    cells_.add_pullback(0, example, mu, -price(example), out);
  }
}

// With theta_0 = l / T loss: T H + l E[Delta] = T (log Z + <theta_0 - theta, mu> + constant).
double CellDual::value(const CellBlocks& blocks, const Vector& v, const Pass& pass) {
  std::vector<double> terms(blocks.log_z.size(), 0.0);
  Pass loss_alone = query(pass);
  loss_alone.scale = 0;
  const ScopedCellPass scope(cells_, v, loss_alone);
  for_examples([&](std::int64_t example, int worker) {
    const auto i = static_cast<std::size_t>(example);
    if (!has_output(blocks, i)) return;
    Vector& loss = scratch(worker).theta;
    loss.assign(blocks.size[i], 0.0);
    const double constant =
        terms_.loss_weight > 0 ? cells_.compute_potentials(worker, example, loss) : 0;
    terms[i] =
        price(example) * terms_.temperature *
        (blocks.log_z[i] + dot_of_change(loss, blocks.theta_of(i), blocks.mu_of(i)) + constant);
  });
  double sum = 0;
  for (const double term : terms) sum += term;
  return sum - 0.5 * dot_in_blocks(cells_.workers(), v, v);
}

CellGap CellDual::find_gaps(const CellBlocks& blocks, const Vector& v, const Pass& pass,
                            std::vector<double>& gaps) {
  gaps.assign(blocks.log_z.size(), 0.0);
  std::vector<double> magnitudes(blocks.log_z.size(), 0.0);
  const ScopedCellPass scope(cells_, v, query(pass));
  for_examples([&](std::int64_t example, int worker) {
    const auto i = static_cast<std::size_t>(example);
    if (!has_output(blocks, i)) return;
    Scratch& scratch = this->scratch(worker);
    scratch.theta.resize(blocks.size[i]);
    scratch.mu.resize(blocks.size[i]);
    cells_.compute_potentials(worker, example, scratch.theta);
    const double log_z = find_mean(worker, example, scratch.theta, scratch.mu);
    const double divergence =
        log_z - blocks.log_z[i] - dot_of_change(scratch.theta, blocks.theta_of(i), blocks.mu_of(i));
    require_gap(divergence, log_z, example);
    const double scale = price(example) * terms_.temperature;
    gaps[i] = scale * std::max(0.0, divergence);
    magnitudes[i] = scale * (1 + std::abs(log_z));  // as in log_loss.cpp
  });
  CellGap out;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    out.gap += gaps[i];
    out.magnitude += magnitudes[i];
  }
  out.magnitude += dot_in_blocks(cells_.workers(), v, v);
  return out;
}

void CellDual::require_gap(double divergence, double log_z, std::int64_t example) const {
  if (divergence >= -tolerance * (1 + std::abs(log_z))) return;
  cells_.report_contradiction(
      example, "its log Z and its E[z] contradict each other: log Z must be convex, but it lies " +
                   number_text(-divergence) + " below its tangent");
}

}  // namespace sculpt::core
