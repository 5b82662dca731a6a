#include "chain_shape.hpp"

#include <sculpt/cpp/factor_tables.hpp>

#include <algorithm>
#include <tuple>

namespace {

auto identity_of(const ChainShape::Table& table) {
  return std::tuple(table.cell, table.first, table.middle, table.last);
}

}  // namespace

bool ChainShape::build(const sculpt_factor_graph& graph) {
  if (graph.topology != 0 && graph.topology == topology_) return is_chain_;
  topology_ = 0;  // set again once all is built
  states_from_.assign(1, 0);
  for (std::int64_t v = 0; v < graph.variable_count; ++v) {
    states_from_.push_back(states_from_.back() + static_cast<std::size_t>(graph.states[v]));
  }
  is_chain_ = read_factors(graph);
  if (is_chain_) {
    place_positions();
    const std::span<const std::int64_t> pairs = pair_cells_;
    group(is_order_two_ ? std::span<const std::int64_t>(triple_cells_).subspan(1) : pairs, true,
          steps_);
    group(is_order_two_ ? pairs.subspan(1) : std::span<const std::int64_t>(), false, pairs_);
  }
  topology_ = graph.topology;
  return is_chain_;
}

bool ChainShape::read_factors(const sculpt_factor_graph& graph) {
  unary_cells_.assign(graph.table, graph.table + graph.variable_count);
  pair_cells_.assign(unary_cells_.size(), no_table);
  triple_cells_.assign(unary_cells_.size(), no_table);
  constant_cells_.clear();
  extra_unary_.clear();
  is_order_two_ = false;
  const bool may_be_order_two = (graph.classes & SCULPT_GRAPH_ORDER_TWO) != 0;
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const auto scope = sculpt::scope_of(graph, f);
    wrong_factor_ = f;
    for (std::size_t k = 1; k < scope.size(); ++k) {
      if (scope[k] != scope[k - 1] + 1) return false;
    }
    if (scope.empty()) {
      constant_cells_.push_back(graph.table[f]);
      continue;
    }
    const auto last = static_cast<std::size_t>(scope.back());
    if (scope.size() == 1) {
      extra_unary_.push_back({last, graph.table[f]});
      continue;
    }
    if (scope.size() > (may_be_order_two ? 3 : 2)) return false;
    std::int64_t& cell = scope.size() == 2 ? pair_cells_[last] : triple_cells_[last];
    if (cell != no_table) return false;
    cell = graph.table[f];
    is_order_two_ = is_order_two_ || scope.size() == 3;
  }
  std::stable_sort(
      extra_unary_.begin(), extra_unary_.end(),
      [](const ExtraUnary& a, const ExtraUnary& b) { return a.variable < b.variable; });
  return true;
}

void ChainShape::place_positions() {
  positions_.clear();
  cells_ = 0;
  const auto states = [&](std::size_t v) { return states_from_[v + 1] - states_from_[v]; };
  for (std::size_t v = is_order_two_ ? 1 : 0; v < variables(); ++v) {
    positions_.push_back({is_order_two_ ? states(v - 1) : 1, states(v), cells_});
    cells_ += positions_.back().size();
  }
}

void ChainShape::group(std::span<const std::int64_t> cells, bool are_steps, Tables& tables) {
  users_.clear();
  for (std::size_t p = 0; p < cells.size(); ++p) {
    if (cells[p] == no_table) continue;
    const auto [middle, last, from] = positions_[p];
    users_.push_back({cells[p], are_steps ? step_sizes(p).first : 1, middle, last, 0, p, 1});
  }
  const auto is_before = [](const Table& a, const Table& b) {
    return identity_of(a) < identity_of(b);
  };
  if (!std::is_sorted(users_.begin(), users_.end(), is_before)) {
    std::stable_sort(users_.begin(), users_.end(), is_before);
  }
  tables.all.clear();
  tables.positions.clear();
  tables.at.assign(positions_.size(), none);
  tables.cells = 0;
  for (const Table& user : users_) {
    if (tables.all.empty() || is_before(tables.all.back(), user)) {
      tables.all.push_back(user);
      tables.all.back().from = tables.cells;
      tables.all.back().uses_from = tables.positions.size();
      tables.all.back().uses = 0;
      tables.cells += user.size();
    }
    ++tables.all.back().uses;
    tables.at[user.uses_from] = tables.all.size() - 1;
    tables.positions.push_back(user.uses_from);
  }
}
