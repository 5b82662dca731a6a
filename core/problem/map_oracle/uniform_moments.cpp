#include "problem/map_oracle/uniform_moments.hpp"

#include <algorithm>
#include <cmath>
#include <sculpt/cpp/factor_tables.hpp>
#include <tuple>
#include <utility>

#include "base/infinity.hpp"

namespace sculpt::core {
namespace {

std::int64_t cell_count(const sculpt_factor_graph& graph, std::int64_t f) {
  std::int64_t cells = 1;
  for (const std::int32_t v : scope_of(graph, f)) cells *= graph.states[v];
  return cells;
}

}  // namespace

double UniformMoments::log_z(const sculpt_factor_graph& graph) {
  if (!has_assignments(graph)) return -infinity;
  double sum = 0;
  for (std::int64_t v = 0; v < graph.variable_count; ++v) sum += std::log(graph.states[v]);
  return sum;
}

void UniformMoments::compute_mean(const sculpt_factor_graph& graph, std::span<double> mu) {
  std::fill(mu.begin(), mu.end(), 0.0);
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    const std::int64_t cells = cell_count(graph, f);
    const double p = 1 / static_cast<double>(cells);
    double* const table = mu.data() + graph.table[f];
    for (std::int64_t c = 0; c < cells; ++c) table[c] += p;
  }
}

void UniformMoments::multiply_covariance(const sculpt_factor_graph& graph,
                                         std::span<const double> u, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  if (!has_assignments(graph)) return;
  find_pairs(graph);
  add_unary_effects(graph, u);
  for_each_table([&](auto factors) { add_pair_effects(factors, u); });
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    const auto scope = scope_of(graph, f);
    if (scope.size() != 1) continue;
    const std::int64_t states = graph.states[scope[0]];
    const double p = 1 / static_cast<double>(states);
    const double* const effect = main_effect(scope[0]);
    double* const table = out.data() + graph.table[f];
    for (std::int64_t a = 0; a < states; ++a) table[a] += p * effect[a];
  }
  for_each_table([&](auto factors) { write_pair_table(factors, u, out); });
  const bool is_forest = (graph.classes & SCULPT_GRAPH_FOREST) != 0;
  if (!is_forest) add_parallel_factors(u, out);
}

// Also sets all m_v to 0.
void UniformMoments::find_pairs(const sculpt_factor_graph& graph) {
  main_from_.assign(1, 0);
  for (std::int64_t v = 0; v < graph.variable_count; ++v) {
    main_from_.push_back(main_from_.back() + static_cast<std::size_t>(graph.states[v]));
  }
  main_.assign(main_from_.back(), 0.0);
  pairs_.clear();
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const auto scope = scope_of(graph, f);
    if (scope.size() != 2) continue;
    pairs_.push_back(
        {graph.table[f], graph.states[scope[0]], graph.states[scope[1]], scope[0], scope[1]});
  }
  const auto key = [](const PairFactor& factor) {
    return std::tie(factor.table, factor.rows, factor.columns, factor.first, factor.second);
  };
  const auto is_before = [&](const auto& x, const auto& y) { return key(x) < key(y); };
  if (!std::is_sorted(pairs_.begin(), pairs_.end(), is_before)) {
    std::sort(pairs_.begin(), pairs_.end(), is_before);
  }
}

template <class Function>
void UniformMoments::for_each_table(const Function& function) {
  for (auto begin = pairs_.begin(); begin != pairs_.end();) {
    const auto end = std::find_if_not(
        begin, pairs_.end(), [&](const PairFactor& one) { return one.has_table_of(*begin); });
    function(std::span<const PairFactor>(begin, end));
    begin = end;
  }
}

void UniformMoments::add_unary_effects(const sculpt_factor_graph& graph,
                                       std::span<const double> u) {
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    const auto scope = scope_of(graph, f);
    if (scope.size() != 1) continue;
    const std::int64_t states = graph.states[scope[0]];
    const double* const table = u.data() + graph.table[f];
    double mean = 0;
    for (std::int64_t a = 0; a < states; ++a) mean += table[a];
    mean /= static_cast<double>(states);
    double* const effect = main_effect(scope[0]);
    for (std::int64_t a = 0; a < states; ++a) effect[a] += table[a] - mean;
  }
}

void UniformMoments::add_pair_effects(std::span<const PairFactor> factors,
                                      std::span<const double> u) {
  split(factors.front(), u);
  for (const PairFactor& factor : factors) {
    double* const first = main_effect(factor.first);
    double* const second = main_effect(factor.second);
    for (std::size_t a = 0; a < rows_.size(); ++a) first[a] += rows_[a];
    for (std::size_t b = 0; b < columns_.size(); ++b) second[b] += columns_[b];
  }
}

// The factors share a table, so their m_v, m_w and interactions are added up before they are
// written to its cells.
void UniformMoments::write_pair_table(std::span<const PairFactor> factors,
                                      std::span<const double> u, std::span<double> out) {
  const PairFactor& shared = factors.front();
  split(shared, u);
  row_sums_.assign(rows_.size(), 0.0);
  column_sums_.assign(columns_.size(), 0.0);
  for (const PairFactor& factor : factors) {
    const double* const first = main_effect(factor.first);
    const double* const second = main_effect(factor.second);
    for (std::size_t a = 0; a < rows_.size(); ++a) row_sums_[a] += first[a];
    for (std::size_t b = 0; b < columns_.size(); ++b) column_sums_[b] += second[b];
  }
  const auto count = static_cast<double>(factors.size());
  const double p = 1 / static_cast<double>(shared.rows * shared.columns);
  double* cell = out.data() + shared.table;
  for (std::int64_t a = 0; a < shared.rows; ++a) {
    for (std::int64_t b = 0; b < shared.columns; ++b, ++cell) {
      *cell +=
          p * (row_sums_[static_cast<std::size_t>(a)] + column_sums_[static_cast<std::size_t>(b)] +
               count * interaction(shared, u, a, b));
    }
  }
}

// Two factors on one pair: each has the interaction of the other, too. Reorders pairs_.
void UniformMoments::add_parallel_factors(std::span<const double> u, std::span<double> out) {
  const auto pair_of = [](const PairFactor& factor) {
    return std::minmax(factor.first, factor.second);
  };
  std::sort(pairs_.begin(), pairs_.end(), [&](const PairFactor& x, const PairFactor& y) {
    return std::tuple(pair_of(x), x.table, x.first) < std::tuple(pair_of(y), y.table, y.first);
  });
  for (auto begin = pairs_.begin(); begin != pairs_.end();) {
    const auto end = std::find_if(begin, pairs_.end(), [&](const PairFactor& factor) {
      return pair_of(factor) != pair_of(*begin);
    });
    for (auto other = begin; end - begin > 1 && other != end; ++other) {
      split(*other, u);
      for (auto factor = begin; factor != end; ++factor) {
        if (factor == other) continue;
        const bool is_reversed = factor->first != other->first;
        const double p = 1 / static_cast<double>(factor->rows * factor->columns);
        double* cell = out.data() + factor->table;
        for (std::int64_t a = 0; a < factor->rows; ++a) {
          for (std::int64_t b = 0; b < factor->columns; ++b, ++cell) {
            *cell +=
                p * (is_reversed ? interaction(*other, u, b, a) : interaction(*other, u, a, b));
          }
        }
      }
    }
    begin = end;
  }
}

// Sets mean_, rows_ and columns_ of the table.
void UniformMoments::split(const PairFactor& factor, std::span<const double> u) {
  rows_.assign(static_cast<std::size_t>(factor.rows), 0.0);
  columns_.assign(static_cast<std::size_t>(factor.columns), 0.0);
  const double* cell = u.data() + factor.table;
  mean_ = 0;
  for (double& row : rows_) {
    for (double& column : columns_) {
      row += *cell;
      column += *cell++;
    }
    mean_ += row;
  }
  mean_ /= static_cast<double>(factor.rows * factor.columns);
  for (double& row : rows_) row = row / static_cast<double>(factor.columns) - mean_;
  for (double& column : columns_) column = column / static_cast<double>(factor.rows) - mean_;
}

double UniformMoments::interaction(const PairFactor& factor, std::span<const double> u,
                                   std::int64_t a, std::int64_t b) const {
  const double value = u[static_cast<std::size_t>(factor.table + a * factor.columns + b)];
  return value - mean_ - rows_[static_cast<std::size_t>(a)] - columns_[static_cast<std::size_t>(b)];
}

}  // namespace sculpt::core
