// random_counting.hpp - what a random loss counts in the cells of a graph, for tests of frontiers.
#pragma once

#include "random_graphs.hpp"

namespace plugin_test {

// What is counted, and in which cells: those of the variables alone, or of all factors.
struct Counting {
  CountTables tables;
  std::vector<std::int64_t> limits;
};
Counting random_counting(Random& random, const sculpt_factor_graph& graph, bool unary_only);

}  // namespace plugin_test
