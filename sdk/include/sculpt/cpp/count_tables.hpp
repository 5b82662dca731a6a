// count_tables.hpp - tables of counts on the cells of a factor graph: filling them, and the size of
// their frontier.
//
// SPDX-License-Identifier: Apache-2.0
//
// The first half is for losses with add_factor_counts(), the second for map_solvers with a frontier
// (counts.hpp).
#pragma once

#include <cstdio>
#include <type_traits>

#include "counts.hpp"
#include "factor_tables.hpp"
#include "parameters.hpp"
#include "views.hpp"

namespace sculpt {

// Calls visit(cell) or visit(cell, true label) for each unary cell with a label other than the
// truth. Labels of the truth that are -1 (unobserved) have no such cell. Requires that the
// variables are the labels. Throws E_INVALID if the truth has another number of labels.
template <class VisitCell>
void each_wrong_label(const sculpt_factor_graph& graph, Labels truth, VisitCell visit) {
  if (truth.count() != graph.variable_count) {
    throw Error(SCULPT_E_INVALID, "counts labels, but the truth has " +
                                      std::to_string(truth.count()) + " of them and the graph " +
                                      std::to_string(graph.variable_count) + " variables");
  }
  const auto visit_cell = [&](std::int64_t cell, std::int32_t label) {
    if constexpr (std::is_invocable_v<VisitCell&, std::int64_t, std::int32_t>) {
      visit(cell, label);
    } else {
      visit(cell);
    }
  };
  for (std::size_t v = 0; v < truth.size(); ++v) {
    const std::int32_t label = truth[v];
    if (label < 0) continue;
    const std::int32_t below = std::min(label, graph.states[v]);
    for (std::int32_t k = 0; k < below; ++k) visit_cell(graph.table[v] + k, label);
    for (std::int32_t k = below + 1; k < graph.states[v]; ++k) {
      visit_cell(graph.table[v] + k, label);
    }
  }
}

// Returns the largest count of a table, 0 if it is empty. Throws E_INVALID if a count is negative.
inline std::int64_t largest_count(std::span<const std::int32_t> table) {
  std::int32_t largest = 0;
  std::int32_t smallest = 0;
  for (const std::int32_t count : table) {
    largest = std::max(largest, count);
    smallest = std::min(smallest, count);
  }
  if (smallest < 0) {
    throw Error(SCULPT_E_INVALID, "a cell of the graph adds " + std::to_string(smallest) +
                                      " to a count; counts are never negative");
  }
  return largest;
}

// Returns a whole number as text: "31250", or "1e+40" if it is very large.
inline std::string whole_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}

// The parameter `max_cells`, for check_frontier_size().
constexpr sculpt_parameter max_cells_parameter() {
  return integer("max_cells", "30000000", 1, 1e15, "refuses frontiers with more cells than this",
                 "cells");
}

// Throws E_UNSUPPORTED if the frontier has more than max_cells cells. Call it before allocating.
inline void check_frontier_size(double cells, std::int64_t bytes_of_a_cell,
                                std::int64_t max_cells) {
  if (cells <= static_cast<double>(max_cells)) return;
  throw unsupported_error("this frontier has " + whole_number(cells) + " cells of " +
                          std::to_string(bytes_of_a_cell) +
                          " bytes, more than max_cells = " + std::to_string(max_cells) +
                          "; raise max_cells if every thread has memory for them, or use a loss "
                          "with smaller counts");
}

// Throws E_INVALID if the counts are outside of [0, sizes[0]) x [0, sizes[1]).
inline void check_counts(const CountVector& counts, const CountVector& sizes) {
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] >= 0 && counts[k] < sizes[k]) continue;
    throw Error(SCULPT_E_INVALID, "there is no count " + std::to_string(counts[k]) +
                                      "; begin a frontier, and stay within its size");
  }
}

// The error of frontier_output() if no output has these counts.
inline Error no_output_with(const CountVector& counts) {
  return {SCULPT_E_INVALID, "no output has counts " + std::to_string(counts[0]) + " and " +
                                std::to_string(counts[1]) +
                                "; ask only for counts with a finite score"};
}

}  // namespace sculpt
