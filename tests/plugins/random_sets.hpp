// random_sets.hpp - small sets of rows with scores that tie, their outputs, and measures of outputs
// by definition: means over all orders of tied rows.
//
// Used by the tests of contingency.
#pragma once

#include "bound_features.hpp"
#include "oracle_calls.hpp"

namespace plugin_test {

struct RandomSet {
  Outputs truth;                           // 0 and 1
  std::vector<std::vector<double>> input;  // [row][feature]
  std::string file() const;
  std::int64_t positive() const;
};
// Rows with two features of few values, so that scores tie.
RandomSet draw_set(Random& random, int rows);

// The set, with features, a loss and an oracle bound to it.
struct BoundSet {
  BoundSet(const RandomSet& set, const std::string& loss_name, const nlohmann::json& parameters,
           const nlohmann::json& features);
  double score(const std::vector<double>& w, const Outputs& y) const;
  BoundFeatures bound;
  LiveComponent loss;
  LiveComponent oracle;
};

// All labellings with at least `least` and at most `most` positive rows.
std::vector<Outputs> all_choices(std::size_t rows, std::int64_t least, std::int64_t most);

// All orders of the rows as numbers. Neighbours with the same label tie; positive rows have odd
// numbers.
std::vector<Outputs> all_orders(const Outputs& truth);

// Means over all orders in which no row comes before a row with a larger number.
double mean_found_among_first(std::int64_t k, const Outputs& truth, const Outputs& y);
double mean_average_precision(const Outputs& truth, const Outputs& y);
// The share of pairs in the right order; a tie counts half.
double area_by_pairs(const Outputs& truth, const Outputs& y);

}  // namespace plugin_test
