#include "order_two_search.hpp"

#include "chain_tables.hpp"

#include <sculpt/cpp/factor_tables.hpp>

#include <algorithm>

void OrderTwoSearch::find(const sculpt_factor_graph& graph, const double* theta,
                          std::span<std::int32_t> y) {
  read_graph(graph);
  if (y.empty()) return;
  if (y.size() == 1) {
    const double* unary = theta + positions_.front().unary;
    const double* end = unary + positions_.front().states;
    y.front() = static_cast<std::int32_t>(std::max_element(unary, end) - unary);
    return;
  }
  forward_pass(theta);
  backtrack(theta, y);
}

// Finds the tables of each position, and allocates its scores.
void OrderTwoSearch::read_graph(const sculpt_factor_graph& graph) {
  positions_.clear();
  std::size_t cells = 0;
  for (std::int64_t v = 0; v < graph.variable_count; ++v) {
    const auto states = static_cast<std::size_t>(graph.states[v]);
    positions_.push_back({states, graph.table[v], no_table, no_table, cells});
    if (v > 0) cells += positions_[static_cast<std::size_t>(v) - 1].states * states;
  }
  best_.resize(cells);
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const auto scope = sculpt::scope_of(graph, f);
    const bool pair = scope.size() == 2 && scope[0] + 1 == scope[1];
    const bool triple = scope.size() == 3 && scope[0] + 1 == scope[1] && scope[1] + 1 == scope[2];
    std::int64_t* table = nullptr;
    if (pair || triple) {
      Position& position = positions_[static_cast<std::size_t>(scope.back())];
      table = pair ? &position.pair : &position.triple;
    }
    if (table == nullptr || *table != no_table) throw_not_order_two(f);
    *table = graph.table[f];
  }
}

// Computes best_ position by position, by the formulas of the header.
void OrderTwoSearch::forward_pass(const double* theta) {
  for (std::size_t t = 1; t < positions_.size(); ++t) {
    const Position& position = positions_[t];
    const Position& previous = positions_[t - 1];
    double* best = best_.data() + position.from;
    if (t == 1) {
      const double* first = theta + previous.unary;
      for (std::size_t j = 0; j < previous.states; ++j) {
        std::fill_n(best + j * position.states, position.states, first[j]);
      }
    } else {
      const double* triple = position.triple == no_table ? nullptr : theta + position.triple;
      maximize_first(t, triple, best);
    }
    const double* unary = theta + position.unary;
    const double* pair = position.pair == no_table ? nullptr : theta + position.pair;
    for (std::size_t j = 0; j < previous.states; ++j) {
      double* row = best + j * position.states;
      for (std::size_t k = 0; k < position.states; ++k) row[k] += unary[k];
      if (pair == nullptr) continue;
      const double* pair_row = pair + j * position.states;
      for (std::size_t k = 0; k < position.states; ++k) row[k] += pair_row[k];
    }
  }
}

// Computes best[j][k] = max_i best_{t-1}(i, j) + triple[i][j][k]. Without a triple it is the same
// for every k.
void OrderTwoSearch::maximize_first(std::size_t t, const double* triple, double* best) {
  const std::size_t first = positions_[t - 2].states;
  const std::size_t middle = positions_[t - 1].states;
  const std::size_t last = positions_[t].states;
  const double* previous = best_.data() + positions_[t - 1].from;
  cells_since_poll_ += first * middle * (triple == nullptr ? 1 : last);
  if (cells_since_poll_ >= poll_interval) {
    cells_since_poll_ = 0;
    host_.throw_if_cancelled();
  }
  for (std::size_t j = 0; j < middle; ++j) {
    double* row = best + j * last;
    if (triple != nullptr) {
      maximize(previous + j, first, triple + j * last, last, row, middle);
      continue;
    }
    double largest = previous[j];
    for (std::size_t i = 1; i < first; ++i) {
      largest = std::max(largest, previous[i * middle + j]);
    }
    std::fill_n(row, last, largest);
  }
}

// Writes the best labels, the last two first. Ties: the smallest label of the last variable, then
// of the variable before it, and so on.
void OrderTwoSearch::backtrack(const double* theta, std::span<std::int32_t> y) const {
  std::size_t t = y.size() - 1;
  const std::size_t states = positions_[t].states;
  const double* ends = best_.data() + positions_[t].from;
  std::size_t j = 0;
  std::size_t k = 0;
  for (std::size_t label = 0; label < states; ++label) {
    for (std::size_t previous = 0; previous < positions_[t - 1].states; ++previous) {
      if (!(ends[previous * states + label] > ends[j * states + k])) continue;
      j = previous;
      k = label;
    }
  }
  y[t] = static_cast<std::int32_t>(k);
  y[t - 1] = static_cast<std::int32_t>(j);
  for (; t >= 2; --t) {
    const std::int64_t table = positions_[t].triple;
    const std::size_t middle = positions_[t - 1].states;
    const double* best = best_.data() + positions_[t - 1].from + j;
    const std::size_t stride = middle * positions_[t].states;
    const double* column =
        table == no_table ? nullptr : theta + table + j * positions_[t].states + k;
    const auto value = [&](std::size_t i) {
      return best[i * middle] + (column == nullptr ? 0 : column[i * stride]);
    };
    std::size_t argmax = 0;
    for (std::size_t i = 1; i < positions_[t - 2].states; ++i) {
      if (value(i) > value(argmax)) argmax = i;
    }
    k = j;
    j = argmax;
    y[t - 2] = static_cast<std::int32_t>(j);
  }
}
