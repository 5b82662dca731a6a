#include "bound_features.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace plugin_test {

using doctest::Approx;

BoundFeatures::BoundFeatures(const std::string& dataset_name,
                             const nlohmann::json& dataset_parameters, const std::string& text,
                             const std::string& name, const nlohmann::json& parameters)
    : dataset(dataset_name, dataset_parameters, SCULPT_KIND_DATASET),
      features(name, parameters, SCULPT_KIND_FEATURES) {
  dataset.load("train", text);
  dataset.bind(nullptr);
  dataset.seal();
  features.bind(&dataset);
  features.seal();
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

bool close(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * (1 + std::abs(a));
}

std::vector<double> draw_weights(Random& random, const BoundFeatures& bound) {
  std::vector<double> w(static_cast<std::size_t>(dimension(bound.features)));
  for (double& one : w) one = draw(random, -3, 3) * 0.5;
  return w;
}

std::vector<double> indicator(const sculpt_factor_graph& graph, const Outputs& y) {
  std::vector<double> mu(static_cast<std::size_t>(graph.theta_size));
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    std::int64_t cell = 0;
    for (std::int64_t s = graph.scope_from[f]; s < graph.scope_from[f + 1]; ++s) {
      cell = cell * graph.states[graph.scope[s]] + y[static_cast<std::size_t>(graph.scope[s])];
    }
    mu[static_cast<std::size_t>(graph.table[f] + cell)] += 1;
  }
  return mu;
}

void check_consistency(const BoundFeatures& bound, Random& random) {
  const LiveComponent& features = bound.features;
  for (std::int64_t example = 0; example < example_count(bound.dataset); ++example) {
    const std::vector<double> w =
        normal_vector(random, static_cast<std::size_t>(dimension(features)));
    const std::vector<double> theta = potentials(features, example, w);
    const std::vector<double> mu = normal_vector(random, theta.size());
    REQUIRE(dot(theta, mu) == Approx(dot(w, pullback(features, example, mu))).epsilon(1e-11));

    const sculpt_factor_graph& graph = graph_of(features, example);
    // every graph has the classes that the features declare
    REQUIRE((graph.classes & classes_of(features)) == classes_of(features));
    const Outputs y = draw_output(random, graph);
    const std::vector<double> vector = psi(features, example, y);
    REQUIRE(vector == pullback(features, example, indicator(graph, y)));
    REQUIRE(dot(w, vector) == Approx(naive_score(graph, theta, y)).epsilon(1e-11));
  }
}

}  // namespace plugin_test
