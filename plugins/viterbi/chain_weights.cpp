#include "chain_weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace {

constexpr double largest_reach = 600;  // of 2 R_pair + 3 R_triple

}  // namespace

void sum_unary(const ChainShape& shape, const double* theta, std::vector<double>& scores) {
  const auto& from = shape.states_from();
  scores.resize(from.back());
  for (std::size_t v = 0; v < shape.variables(); ++v) {
    std::copy_n(theta + shape.unary_cells()[v], from[v + 1] - from[v], scores.data() + from[v]);
  }
  for (const auto& [v, cell] : shape.extra_unary()) {
    const double* const row = theta + cell;
    double* const sum = scores.data() + from[v];
    for (std::size_t k = 0; k < from[v + 1] - from[v]; ++k) sum[k] += row[k];
  }
}

bool ChainWeights::compute(const ChainShape& shape, const double* theta) {
  is_order_two_ = shape.is_order_two();
  log_scale_ = 0;
  for (const std::int64_t cell : shape.constant_cells()) log_scale_ += theta[cell];
  if (!exponentiate_unary(shape, theta)) return false;
  const bool is_kept = has_kept_table(shape, theta);
  steps_.resize(shape);
  const Extent steps = is_kept ? kept_extent_ : exponentiate_steps(shape, theta);
  if (is_kept) {
    log_scale_ += static_cast<double>(shape.steps().all.front().uses) * steps.largest;
  }
  double pair_spread = 0;
  pairs_.resize(shape.pairs().cells);
  for (const ChainShape::Table& table : shape.pairs().all) {
    pair_spread =
        std::max(pair_spread, exponentiate_table(table, theta, pairs_.data() + table.from).spread);
  }
  if (2 * pair_spread + (is_order_two_ ? 3 : 2) * steps.spread > largest_reach) return false;
  if (!is_kept) {
    steps_.finish();
    keep_table(shape, theta, steps);
  }
  if (is_order_two_) multiply_local(shape);
  return true;
}

// Only the table of a chain whose steps all have the same one is kept, because it comes again and
// again: in each example of a pass or a batch.
bool ChainWeights::can_keep_table(const ChainShape& shape) {
  const auto& all = shape.steps().all;
  return all.size() == 1 && StepTables::is_worth_transposing(all.front());
}

bool ChainWeights::has_kept_table(const ChainShape& shape, const double* theta) const {
  if (kept_scores_.empty() || !can_keep_table(shape)) return false;
  const ChainShape::Table& table = shape.steps().all.front();
  return table.first == kept_first_ && table.size() == kept_scores_.size() &&
         std::memcmp(theta + table.cell, kept_scores_.data(),
                     kept_scores_.size() * sizeof(double)) == 0;
}

void ChainWeights::keep_table(const ChainShape& shape, const double* theta, Extent extent) {
  if (!can_keep_table(shape)) return;
  const ChainShape::Table& table = shape.steps().all.front();
  kept_scores_.assign(theta + table.cell, theta + table.cell + table.size());
  kept_first_ = table.first;
  kept_extent_ = extent;
}

// Returns the largest score and the largest spread of the tables.
ChainWeights::Extent ChainWeights::exponentiate_steps(const ChainShape& shape,
                                                      const double* theta) {
  kept_scores_.clear();
  Extent extent{-std::numeric_limits<double>::infinity(), 0};
  for (const ChainShape::Table& table : shape.steps().all) {
    const Extent one = exponentiate_table(table, theta, steps_.of(table).data());
    extent = {std::max(extent.largest, one.largest), std::max(extent.spread, one.spread)};
  }
  return extent;
}

bool ChainWeights::exponentiate_unary(const ChainShape& shape, const double* theta) {
  const auto& from = shape.states_from();
  const bool has_extra = !shape.extra_unary().empty();
  if (has_extra) sum_unary(shape, theta, scores_);
  unary_.resize(from.back());
  for (std::size_t v = 0; v < shape.variables(); ++v) {
    const std::size_t states = from[v + 1] - from[v];
    const double* const scores =
        has_extra ? scores_.data() + from[v] : theta + shape.unary_cells()[v];
    const rows::Range range = rows::range_of(scores, states);
    if (!range.is_number || !std::isfinite(range.largest)) return false;
    log_scale_ += range.largest;
    rows::exponentiate(scores, states, range, unary_.data() + from[v]);
  }
  return true;
}

// The spread is infinity if the table has a score that is not finite.
ChainWeights::Extent ChainWeights::exponentiate_table(const ChainShape::Table& table,
                                                      const double* theta, double* weights) {
  const double* const scores = theta + table.cell;
  const rows::Range range = rows::range_of(scores, table.size());
  const double spread = range.largest - range.lowest;
  if (!range.is_number || !std::isfinite(spread)) {
    return {range.largest, std::numeric_limits<double>::infinity()};
  }
  log_scale_ += static_cast<double>(table.uses) * range.largest;
  rows::exponentiate(scores, table.size(), range, weights);
  return {range.largest, spread};
}

// In order two, sets local_ by the formula at the top of the header.
void ChainWeights::multiply_local(const ChainShape& shape) {
  local_.resize(shape.cells());
  for (std::size_t p = 0; p < shape.positions().size(); ++p) {
    const ChainShape::Position& position = shape.positions()[p];
    const std::size_t pair = shape.pairs().at[p];
    const double* const last = unary_.data() + shape.states_from()[p + 1];
    for (std::size_t j = 0; j < position.middle; ++j) {
      double* const row = local_.data() + position.from + j * position.last;
      const double middle = p == 0 ? unary_[j] : 1.0;
      for (std::size_t k = 0; k < position.last; ++k) row[k] = middle * last[k];
      if (pair == ChainShape::none) continue;
      const double* const weights =
          pairs_.data() + shape.pairs().all[pair].from + j * position.last;
      for (std::size_t k = 0; k < position.last; ++k) row[k] *= weights[k];
    }
  }
}
