// distribution_calls.hpp - log Z, E[z], Cov[z] v, the k best and draws of a map_solver, and the
// same by listing all assignments.
//
// Used by the tests of viterbi and enumerate.
#pragma once

#include <sculpt/ext/expectation.h>

#include "bound_features.hpp"

namespace plugin_test {

sculpt_map_query query_of(const sculpt_factor_graph& graph, const std::vector<double>& theta);

struct MapMean {
  double log_z;
  std::vector<double> mu;
};
MapMean map_mean(const LiveComponent& solver, const sculpt_factor_graph& graph,
                 const std::vector<double>& theta);
std::vector<double> map_covariance(const LiveComponent& solver, const sculpt_factor_graph& graph,
                                   const std::vector<double>& theta,
                                   const std::vector<double>& direction);

struct AllAssignments {
  std::vector<std::pair<double, Outputs>> best;  // score, output; the best first
  double log_z;
  double relative_z;  // Z / exp(best score)
  // Also right where log_z is too large to show log(relative_z).
  double probability(double score) const;
};
AllAssignments list_all(const sculpt_factor_graph& graph, const std::vector<double>& theta);

// Checks log Z, E[z] and Cov[z] v for a random v, within `tolerance` (log Z: relative to its size).
void check_expectation(const LiveComponent& solver, const sculpt_factor_graph& graph,
                       const std::vector<double>& theta, Random& random, double tolerance = 1e-9);

// Checks that the k best are all assignments in order, each once.
void check_k_best(const LiveComponent& solver, const sculpt_factor_graph& graph,
                  const std::vector<double>& theta);
// Checks that draws have the frequencies of their probabilities, and repeat for the same seed.
void check_draws(const LiveComponent& solver, const sculpt_factor_graph& graph, Random& random);

}  // namespace plugin_test
