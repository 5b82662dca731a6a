// chain_tables.hpp - shared code of the searches and the frontier: finds the tables of a chain, and
// makes the step from one position to the next.
//
// Used by viterbi.cpp, chain_frontier.cpp, forest_search.cpp and order_two_search.cpp.
#pragma once

#include <sculpt/ext/factor_graph.h>

#include <cstddef>
#include <cstdint>
#include <vector>

inline constexpr std::int64_t no_table = -1;

// Sets pair[t] to the begin of the table between t - 1 and t, or to no_table. Throws if the graph
// is no chain.
void find_pairs(const sculpt_factor_graph& graph, std::vector<std::int64_t>& pair);

// after[k] = max_j before[j * step] + pair[j * step][k], j < before_states, k < states. Requires
// before_states >= 1. A step above 1 skips scores and rows.
void maximize(const double* before, std::size_t before_states, const double* pair,
              std::size_t states, double* after, std::size_t step = 1);
