// random_pairs.hpp - random binary graphs with tables over pairs, attractive or of both signs.
#pragma once

#include "random_graphs.hpp"

namespace plugin_test {

struct PairsShape {
  std::int32_t max_variables = 8;
  std::int32_t max_pairs = 16;
  bool shared_tables = false;   // several pairs may share a table
  bool repeated_pairs = false;  // a pair may have several tables
};

// Some graphs also have a table over one variable, or one over none.
RandomGraph random_pairs(Random& random, const PairsShape& shape);

// Every pair of variables has its own table.
RandomGraph all_pairs(std::int32_t variables);

// Makes every table over two variables attractive: swaps its rows if it is not.
void make_attractive(const sculpt_factor_graph& graph, std::vector<double>& theta);

}  // namespace plugin_test
