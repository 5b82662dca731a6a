// random_pairs.hpp - random binary graphs with tables over pairs, attractive or of both signs.
#pragma once

#include "random_graphs.hpp"

namespace plugin_test {

struct PairsShape {
  std::int32_t max_variables = 8;
  std::int32_t max_pairs = 16;
  bool shared_tables = false;   // a table may serve several pairs
  bool repeated_pairs = false;  // a pair may have several tables
};

// With a few tables over one variable or none in between.
RandomGraph random_pairs(Random& random, const PairsShape& shape);

// Every two of the variables joined, each pair by a table of its own.
RandomGraph all_pairs(std::int32_t variables);

// Makes every table over two variables attractive: swaps its rows where it is not.
void make_attractive(const sculpt_factor_graph& graph, std::vector<double>& theta);

}  // namespace plugin_test
