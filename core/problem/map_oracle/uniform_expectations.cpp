#include "problem/map_oracle/uniform_expectations.hpp"

#include <cmath>
#include <sculpt/cpp/factor_tables.hpp>

namespace sculpt::core {

// Only the features are asked, so errors are reported in their name.
UniformExpectations::UniformExpectations(MapQueries& queries, Features& features, int threads)
    : Expectations(features.component()),
      queries_(queries),
      features_(features),
      scratches_(static_cast<std::size_t>(threads)) {}

const std::string& UniformExpectations::obstacle_to_loss() const {
  static const std::string obstacle = "outputs of the same probability have no loss";
  return obstacle;
}

LogZ UniformExpectations::compute_mean(int worker, const sculpt_query& query,
                                       SparseAccumulator& sum) {
  const double log_z = compute_cells(worker, query);
  const Vector& mu = scratches_[static_cast<std::size_t>(worker)].mu;
  if (std::isfinite(log_z)) features_.pull_back(worker, query.example, mu, 1, sum);
  return {log_z, true};
}

LogZ UniformExpectations::add_mean_to(int worker, const sculpt_query& query, double, double scale,
                                      SparseAccumulator& list, Vector& sum) {
  const double log_z = compute_cells(worker, query);
  if (std::isfinite(log_z)) {
    const SparseAccumulator::DenseTarget target(list, sum);
    const Vector& mu = scratches_[static_cast<std::size_t>(worker)].mu;
    features_.pull_back(worker, query.example, mu, scale, list);
    list.add_to(1, sum);
  }
  return {log_z, true};
}

void UniformExpectations::compute_covariance(int worker, const sculpt_query& query,
                                             const sculpt_weights& v, SparseAccumulator& sum) {
  const sculpt_factor_graph& graph = this->graph(worker, query);
  WorkerScratch& scratch = scratches_[static_cast<std::size_t>(worker)];
  queries_.add_scores(worker, query.example, v, graph, scratch.direction);
  scratch.mu.resize(static_cast<std::size_t>(graph.theta_size));
  scratch.moments.multiply_covariance(graph, scratch.direction, scratch.mu);
  features_.pull_back(worker, query.example, scratch.mu, 1, sum);
}

// Returns log Z, and computes E[z] into the mu of the worker.
double UniformExpectations::compute_cells(int worker, const sculpt_query& query) {
  const sculpt_factor_graph& graph = this->graph(worker, query);
  Vector& mu = scratches_[static_cast<std::size_t>(worker)].mu;
  const double log_z = UniformMoments::log_z(graph);
  mu.resize(static_cast<std::size_t>(graph.theta_size));
  if (std::isfinite(log_z)) UniformMoments::compute_mean(graph, mu);
  return log_z;
}

// The class of a graph is what the features promise. The size of a scope is not checked elsewhere.
const sculpt_factor_graph& UniformExpectations::graph(int worker, const sculpt_query& query) {
  sculpt_map_query map_query = {};
  queries_.make_query_at_zero(worker, query.example, query.seed, map_query);
  const sculpt_factor_graph& graph = *map_query.graph;
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    const std::size_t size = scope_of(graph, f).size();
    if (size <= 2) continue;
    component().refuse(Exit::plugin, query.example,
                       "promises pairwise graphs, but factor " + std::to_string(f) + " has " +
                           std::to_string(size) + " variables");
  }
  return graph;
}

}  // namespace sculpt::core
