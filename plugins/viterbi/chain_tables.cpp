#include "chain_tables.hpp"

#include <sculpt/cpp/error.hpp>
#include <sculpt/cpp/factor_tables.hpp>

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

// Two rows at a time, so that a maximum is read and written half as often. Only comparisons of
// values that exist: no sentinel for "nothing yet".
void maximize(const double* __restrict before, std::size_t before_states,
              const double* __restrict pair, std::size_t states, double* __restrict after,
              std::size_t step) {
  for (std::size_t k = 0; k < states; ++k) after[k] = before[0] + pair[k];
  const std::size_t stride = step * states;
  std::size_t j = 1;
  for (; j + 2 <= before_states; j += 2) {
    const double* first_row = pair + j * stride;
    const double* second_row = first_row + stride;
    const double first = before[j * step];
    const double second = before[(j + 1) * step];
    for (std::size_t k = 0; k < states; ++k) {
      const double a = first + first_row[k];
      const double b = second + second_row[k];
      const double larger = b > a ? b : a;
      after[k] = larger > after[k] ? larger : after[k];
    }
  }
  for (; j < before_states; ++j) {
    const double* row = pair + j * stride;
    const double score = before[j * step];
    for (std::size_t k = 0; k < states; ++k) {
      const double a = score + row[k];
      after[k] = a > after[k] ? a : after[k];
    }
  }
}
