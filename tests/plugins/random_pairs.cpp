#include "random_pairs.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace plugin_test {

RandomGraph random_pairs(Random& random, const PairsShape& shape) {
  RandomGraph result;
  result.classes = SCULPT_GRAPH_BINARY | SCULPT_GRAPH_PAIRWISE;
  const std::int32_t variables = draw(random, 1, shape.max_variables);
  for (std::int32_t v = 0; v < variables; ++v) result.builder.add_variable(2);
  std::set<std::pair<std::int32_t, std::int32_t>> seen;
  std::int64_t table = -1;
  const std::int32_t pairs = variables < 2 ? 0 : draw(random, 0, shape.max_pairs);
  for (std::int32_t f = 0; f < pairs; ++f) {
    const std::int32_t a = draw(random, 0, variables - 1);
    const std::int32_t b = draw(random, 0, variables - 1);
    if (a == b) continue;
    if (!seen.insert(std::minmax(a, b)).second && !shape.repeated_pairs) continue;
    if (table < 0 || !shape.shared_tables || draw(random, 0, 1) == 0) {
      table = result.builder.add_table(4);
    }
    result.builder.add_factor({a, b}, table);
  }
  if (draw(random, 0, 3) == 0) result.builder.add_factor({0}, result.builder.add_table(2));
  if (draw(random, 0, 3) == 0) {
    result.builder.add_factor(std::span<const std::int32_t>(), result.builder.add_table(1));
  }
  return result;
}

RandomGraph all_pairs(std::int32_t variables) {
  RandomGraph result;
  result.classes = SCULPT_GRAPH_BINARY | SCULPT_GRAPH_PAIRWISE;
  for (std::int32_t v = 0; v < variables; ++v) result.builder.add_variable(2);
  for (std::int32_t b = 1; b < variables; ++b) {
    for (std::int32_t a = 0; a < b; ++a) {
      result.builder.add_factor({a, b}, result.builder.add_table(4));
    }
  }
  return result;
}

void make_attractive(const sculpt_factor_graph& graph, std::vector<double>& theta) {
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    if (graph.scope_from[f + 1] - graph.scope_from[f] != 2) continue;
    double* const p = theta.data() + graph.table[f];
    if (p[0] + p[3] >= p[1] + p[2]) continue;
    std::swap(p[0], p[2]);
    std::swap(p[1], p[3]);
  }
}

}  // namespace plugin_test
