// random_counting.hpp - random counts in the cells of a graph, for tests of frontiers.
#pragma once

#include "random_graphs.hpp"

namespace plugin_test {

// One or two counts, with their tables and limits.
struct Counting {
  CountTables tables;
  std::vector<std::int64_t> limits;
};
// `unary_only`: only cells of single variables count, else those of all factors.
Counting random_counting(Random& random, const sculpt_factor_graph& graph, bool unary_only);

}  // namespace plugin_test
