#include "random_counting.hpp"

namespace plugin_test {

Counting random_counting(Random& random, const sculpt_factor_graph& graph, bool unary_only) {
  std::size_t unary_cells = 0;
  for (std::int64_t v = 0; v < graph.variable_count; ++v) {
    unary_cells += static_cast<std::size_t>(graph.states[v]);
  }
  Counting result;
  const int count_count = draw(random, 1, 2);
  for (int k = 0; k < count_count; ++k) {
    std::vector<std::int32_t>& table =
        result.tables.emplace_back(static_cast<std::size_t>(graph.theta_size));
    const std::int32_t most = draw(random, 0, 3);
    for (std::size_t cell = 0; cell < table.size(); ++cell) {
      if (cell < unary_cells || !unary_only) table[cell] = draw(random, 0, most);
    }
    result.limits.push_back(draw(random, 0, 1) == 0 ? std::numeric_limits<std::int64_t>::max()
                                                    : draw(random, 1, 5));
  }
  return result;
}

}  // namespace plugin_test
