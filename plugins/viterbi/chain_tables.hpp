// chain_tables.hpp - shared code of the searches and the frontier: finds the tables of a chain, and
// makes the step from one position to the next.
//
// Used by viterbi.cpp, chain_frontier.cpp, chain_shape.cpp, forest_search.cpp,
// order_two_program.cpp and order_two_search.cpp.
#pragma once

#include <sculpt/ext/factor_graph.h>

#include <cstddef>
#include <cstdint>
#include <vector>

inline constexpr std::int64_t no_table = -1;

// Sets pair[t] to the first cell of the table between t - 1 and t, or to no_table. Throws E_INVALID
// if the graph is no chain.
void find_pair_tables(const sculpt_factor_graph& graph, std::vector<std::int64_t>& pair);

// result[k] = max_j previous[j * step] + pair[j * step][k], j < previous_states, k < states.
// Requires previous_states >= 1. A step above 1 skips scores and rows.
void maximize(const double* previous, std::size_t previous_states, const double* pair,
              std::size_t states, double* result, std::size_t step = 1);

// Throws E_INVALID: the factor does not belong to a graph of order two.
[[noreturn]] void throw_not_order_two(std::int64_t factor);
