#include "chain_tables.hpp"

#include <sculpt/cpp/error.hpp>
#include <sculpt/cpp/factor_tables.hpp>
#include <sculpt/program/max_plus.hpp>

void find_pairs(const sculpt_factor_graph& graph, std::vector<std::int64_t>& pair) {
  pair.assign(static_cast<std::size_t>(graph.variable_count), no_table);
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const auto scope = sculpt::scope_of(graph, f);
    const bool neighbours = scope.size() == 2 && scope[0] + 1 == scope[1];
    if (!neighbours || pair[static_cast<std::size_t>(scope[1])] != no_table) {
      throw sculpt::Error(SCULPT_E_INVALID,
                          "factor " + std::to_string(f) +
                              " is not the only one to join its two neighbours, though the "
                              "graph says it is a chain");
    }
    pair[static_cast<std::size_t>(scope[1])] = graph.table[f];
  }
}

void maximize(const double* before, std::size_t before_states, const double* pair,
              std::size_t states, double* after, std::size_t step) {
  const auto size = static_cast<std::int64_t>(states);
  sculpt::program::largest_of_columns(before, static_cast<std::int64_t>(before_states), pair, size,
                                      size, after, static_cast<std::int64_t>(step));
}
