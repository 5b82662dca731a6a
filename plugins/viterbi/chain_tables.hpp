// chain_tables.hpp - what the searches for one output and the frontier share: where the tables of a
// chain lie, and the step from one position to the next.
//
// Used by viterbi.cpp, chain_frontier.cpp, forest_search.cpp and order_two_search.cpp.
#pragma once

#include <sculpt/ext/factor_graph.h>

#include <cstddef>
#include <cstdint>
#include <vector>

inline constexpr std::int64_t no_table = -1;

// pair[t] = where the table that joins t - 1 and t begins, no_table where nothing joins them, for
// each t. Refuses graphs that are no chains.
void find_pairs(const sculpt_factor_graph& graph, std::vector<std::int64_t>& pair);

// after[k] = max_j before[j * step] + pair[j * step][k], j < before_states, k < states. Requires a
// state before. A step beyond 1 leaves scores and rows out.
void maximize(const double* before, std::size_t before_states, const double* pair,
              std::size_t states, double* after, std::size_t step = 1);
