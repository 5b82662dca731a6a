#include "block_search.hpp"

#include <sculpt/cpp/factor_tables.hpp>

#include <array>
#include <limits>

namespace {

void add_to_all(double* values, std::size_t count, double added) {
  for (std::size_t b = 0; b < count; ++b) values[b] += added;
}

// sums[b] = values[b] + added
void sum_with(const double* __restrict values, std::size_t count, double added,
              double* __restrict sums) {
  for (std::size_t b = 0; b < count; ++b) sums[b] = values[b] + added;
}
void sum_of(const double* __restrict first, const double* __restrict second, std::size_t count,
            double* __restrict sums) {
  for (std::size_t b = 0; b < count; ++b) sums[b] = first[b] + second[b];
}

// Returns max_b first[b] + second[b]. Eight separate maxima, so that the loop vectorizes.
double largest_sum(const std::vector<double>& first, const std::vector<double>& second) {
  constexpr std::size_t lane_count = 8;
  std::array<double, lane_count> lanes;
  lanes.fill(-std::numeric_limits<double>::infinity());
  std::size_t b = 0;
  for (; b + lane_count <= first.size(); b += lane_count) {
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      const double sum = first[b + lane] + second[b + lane];
      lanes[lane] = sum > lanes[lane] ? sum : lanes[lane];
    }
  }
  for (; b < first.size(); ++b) lanes[0] = std::max(lanes[0], first[b] + second[b]);
  return *std::max_element(lanes.begin(), lanes.end());
}

}  // namespace

void BlockSearch::find(const sculpt_factor_graph& graph, const double* theta,
                       std::span<std::int32_t> best, const sculpt::Host& host) {
  choose_inner(graph);
  read_factors(graph);
  add_up_inner(theta);
  y_.assign(states_.size(), 0);
  std::fill(best.begin(), best.end(), 0);
  fill_block(theta);
  double maximum = inner_scores_[0] + block_[0];  // a NaN stays, because no value is larger
  std::size_t assignments_since_poll = 0;
  while (true) {
    const double largest = largest_sum(inner_scores_, block_);
    if (largest > maximum) {
      maximum = largest;
      write_first(largest, best);
    }
    assignments_since_poll += block_.size();
    if (assignments_since_poll >= poll_interval) {
      assignments_since_poll = 0;
      host.throw_if_cancelled();
    }
    if (!next_outer()) return;
    fill_block(theta);
  }
}

// Makes the first variables the inner ones, as many as fit a block.
void BlockSearch::choose_inner(const sculpt_factor_graph& graph) {
  states_.assign(graph.states, graph.states + graph.variable_count);
  block_strides_.assign(1, 1);
  row_from_.assign(1, 0);
  for (const std::size_t states : states_) {
    const std::size_t cells = block_strides_.back() * states;
    if (block_strides_.size() > 1 && cells > max_cells) break;
    block_strides_.push_back(cells);
    row_from_.push_back(row_from_.back() + states);
  }
  rows_.resize(row_from_.back());
  for (std::vector<double>* table : {&inner_scores_, &block_, &added_}) {
    table->resize(block_strides_.back());
  }
}

// Sorts the factors into those of inner variables alone and the others.
void BlockSearch::read_factors(const sculpt_factor_graph& graph) {
  if (factors_ending_at_.size() < inner_count()) factors_ending_at_.resize(inner_count());
  for (auto& factors : factors_ending_at_) factors.clear();  // keeps their memory
  axes_.clear();
  larger_.clear();
  mixed_.clear();
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    const auto scope = sculpt::scope_of(graph, f);
    const std::size_t from = axes_.size();
    std::int64_t stride = 1;
    for (std::size_t p = scope.size(); p-- > 0;) {
      axes_.push_back({static_cast<std::size_t>(scope[p]), stride});
      stride *= graph.states[scope[p]];
    }
    const auto begin = axes_.begin() + static_cast<std::ptrdiff_t>(from);
    std::sort(begin, axes_.end(),
              [](const Axis& a, const Axis& b) { return a.variable < b.variable; });
    const auto outer = std::find_if(
        begin, axes_.end(), [this](const Axis& axis) { return axis.variable >= inner_count(); });
    const Factor factor = {graph.table[f], from, static_cast<std::size_t>(outer - axes_.begin()),
                           axes_.size()};
    if (outer != axes_.end() || scope.empty()) {
      mixed_.push_back(factor);
    } else if (scope.size() <= 2) {
      factors_ending_at_[axes_.back().variable].push_back(factor);
    } else {
      larger_.push_back(factor);
    }
  }
}

// Computes S, variable by variable. The change of S by state k of variable v is a table over the
// earlier variables, which grows like S.
void BlockSearch::add_up_inner(const double* theta) {
  inner_scores_[0] = 0;
  for (std::size_t v = 0; v < inner_count(); ++v) {
    const std::size_t table_size = block_strides_[v];
    for (std::size_t state = states_[v]; state-- > 0;) {
      added_[0] = read_rows(v, state, theta);
      for (std::size_t u = 0; u < v; ++u) extend(u, added_);
      double* scores = inner_scores_.data();
      if (state > 0) {
        sum_of(scores, added_.data(), table_size, scores + state * table_size);
      } else {
        for (std::size_t b = 0; b < table_size; ++b) scores[b] += added_[b];
      }
    }
  }
  for (const Factor& factor : larger_) add_table(factor, theta + factor.table, inner_scores_);
}

// Writes to the rows of the variables before v the score of state k of v with each of their states.
// Returns the score of the state alone.
double BlockSearch::read_rows(std::size_t v, std::size_t state, const double* theta) {
  std::fill_n(rows_.begin(), row_from_[v], 0.0);
  double state_score = 0;
  for (const Factor& factor : factors_ending_at_[v]) {
    const Axis& last = axes_[factor.end - 1];
    const double* cells = theta + factor.table + static_cast<std::int64_t>(state) * last.stride;
    if (factor.inner_count() == 1) {
      state_score += *cells;
    } else {
      add_row(axes_[factor.inner_from], cells);
    }
  }
  return state_score;
}

// Adds the cells of a factor along one axis to the row of its variable.
void BlockSearch::add_row(const Axis& axis, const double* cells) {
  double* row = rows_.data() + row_from_[axis.variable];
  for (std::size_t k = 0; k < states_[axis.variable]; ++k) {
    row[k] += cells[static_cast<std::int64_t>(k) * axis.stride];
  }
}

// Computes the score without S, for the outer labels in y_.
void BlockSearch::fill_block(const double* theta) {
  std::fill(rows_.begin(), rows_.end(), 0.0);
  block_[0] = 0;
  for (const Factor& factor : mixed_) {
    if (factor.inner_count() == 0) block_[0] += theta[first_cell(factor)];
    if (factor.inner_count() == 1) add_row(axes_[factor.inner_from], theta + first_cell(factor));
  }
  for (std::size_t v = 0; v < inner_count(); ++v) extend(v, block_);
  for (const Factor& factor : mixed_) {
    if (factor.inner_count() > 1) add_table(factor, theta + first_cell(factor), block_);
  }
}

std::int64_t BlockSearch::first_cell(const Factor& factor) const {
  std::int64_t cell = factor.table;
  for (std::size_t p = factor.outer_from; p < factor.end; ++p) {
    cell += y_[axes_[p].variable] * axes_[p].stride;
  }
  return cell;
}

// Extends a table over the variables before v by v: adds its row.
void BlockSearch::extend(std::size_t v, std::vector<double>& table) const {
  const std::size_t table_size = block_strides_[v];
  const double* row = rows_.data() + row_from_[v];
  for (std::size_t state = states_[v]; state-- > 1;) {
    sum_with(table.data(), table_size, row[state], table.data() + state * table_size);
  }
  add_to_all(table.data(), table_size, row[0]);
}

// Adds `cells`, a table over inner variables, to the block. The states of its first variable are
// runs of equal values.
void BlockSearch::add_table(const Factor& factor, const double* cells, std::vector<double>& block) {
  const std::size_t first = axes_[factor.inner_from].variable;
  strides_.assign(inner_count(), 0);
  for (std::size_t p = factor.inner_from; p < factor.outer_from; ++p) {
    strides_[axes_[p].variable] = axes_[p].stride;
  }
  label_.assign(inner_count(), 0);
  const std::size_t run = block_strides_[first];
  for (std::size_t b = 0; b < block.size(); b += run) {
    add_to_all(block.data() + b, run, *cells);
    for (std::size_t v = first; v < inner_count(); ++v) {
      cells += strides_[v];
      if (++label_[v] < states_[v]) break;
      label_[v] = 0;
      cells -= strides_[v] * static_cast<std::int64_t>(states_[v]);
    }
  }
}

// Moves to the next labels of the outer variables. Returns false after the last.
bool BlockSearch::next_outer() {
  for (std::size_t v = inner_count(); v < y_.size(); ++v) {
    if (static_cast<std::size_t>(++y_[v]) < states_[v]) return true;
    y_[v] = 0;
  }
  return false;
}

// Writes the first assignment of the block that attains `largest`.
void BlockSearch::write_first(double largest, std::span<std::int32_t> best) const {
  std::size_t b = 0;
  while (inner_scores_[b] + block_[b] != largest) ++b;
  std::copy(y_.begin(), y_.end(), best.begin());
  for (std::size_t v = 0; v < inner_count(); ++v) {
    best[v] = static_cast<std::int32_t>(b / block_strides_[v] % states_[v]);
  }
}
