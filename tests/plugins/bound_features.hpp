// bound_features.hpp - a loaded dataset and features bound to it, and a check that psi, potentials
// and pullback of features agree.
//
// Used by the tests of features.
#pragma once

#include "live_component.hpp"
#include "random_graphs.hpp"

namespace plugin_test {

struct BoundFeatures {
  // Reads `text` as the split train.
  BoundFeatures(const std::string& dataset_name, const nlohmann::json& dataset_parameters,
                const std::string& text, const std::string& name,
                const nlohmann::json& parameters = nlohmann::json::object());
  LiveComponent dataset;
  LiveComponent features;
};

// Checks for every example, with random w, mu and y:
//   <A w, mu> = <w, A' mu>;  psi(y) = A' indicator(y);  <w, psi(y)> = score of y under A w
void check_consistency(const BoundFeatures& bound, Random& random);

// For each cell of theta, the number of factors for which y uses it.
std::vector<double> indicator(const sculpt_factor_graph& graph, const Outputs& y);

double dot(const std::vector<double>& a, const std::vector<double>& b);

// |a - b| <= tolerance (1 + |a|)
bool close(double a, double b, double tolerance);

// One weight for each feature, with few different values, so that scores tie.
std::vector<double> draw_weights(Random& random, const BoundFeatures& bound);

}  // namespace plugin_test
