#include "chain_tables.hpp"

#include <sculpt/cpp/error.hpp>
#include <sculpt/cpp/factor_tables.hpp>
#include <sculpt/program/max_plus.hpp>

void find_pair_tables(const sculpt_factor_graph& graph, std::vector<std::int64_t>& pair) {
  pair.assign(static_cast<std::size_t>(graph.variable_count), no_table);
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const auto scope = sculpt::scope_of(graph, f);
    const bool neighbours = scope.size() == 2 && scope[0] + 1 == scope[1];
    if (!neighbours || pair[static_cast<std::size_t>(scope[1])] != no_table) {
      throw sculpt::Error(SCULPT_E_INVALID,
                          "factor " + std::to_string(f) +
                              " does not join two neighbours, or repeats another factor, but the "
                              "graph is declared as a chain");
    }
    pair[static_cast<std::size_t>(scope[1])] = graph.table[f];
  }
}

void maximize(const double* previous, std::size_t previous_states, const double* pair,
              std::size_t states, double* result, std::size_t step) {
  const auto size = static_cast<std::int64_t>(states);
  sculpt::program::largest_of_columns(previous, static_cast<std::int64_t>(previous_states), pair,
                                      size, size, result, static_cast<std::int64_t>(step));
}

void throw_not_order_two(std::int64_t factor) {
  throw sculpt::Error(SCULPT_E_INVALID,
                      "factor " + std::to_string(factor) +
                          " is not over two or three consecutive variables, or repeats another "
                          "factor, but the graph is declared as of order two");
}
