// log Z and marginals of belief_propagation: exact without cycles, else those of Bethe.
#include <doctest/doctest.h>

#include "call_buffers.hpp"
#include "distribution_calls.hpp"
#include "random_graphs.hpp"
#include "random_pairs.hpp"

#include <cmath>

using namespace plugin_test;

namespace {

struct Beliefs {
  sculpt_log_z log_z = {};
  std::vector<double> mu;
};

Beliefs beliefs_of(const LiveComponent& solver, const sculpt_factor_graph& graph,
                   const std::vector<double>& theta) {
  const sculpt_map_query query = query_of(graph, theta);
  Beliefs result;
  result.mu.assign(theta.size(), -1);
  ErrorText error;
  error.check(solver.extension<sculpt_ext_map_expectation>(SCULPT_EXT_MAP_EXPECTATION)
                  .mean(solver.session(), &query, &result.log_z, result.mu.data(), error.raw()));
  return result;
}

std::vector<double> marginals_of(const sculpt_factor_graph& graph,
                                 const std::vector<double>& theta) {
  const AllAssignments all = list_all(graph, theta);
  std::vector<double> mean(theta.size());
  for (const auto& [score, y] : all.best) {
    const std::vector<double> z = indicator(graph, y);
    for (std::size_t k = 0; k < z.size(); ++k) mean[k] += all.probability(score) * z[k];
  }
  return mean;
}

const json long_runs = {{"max_iterations", 20000}, {"tolerance", 1e-13}, {"damping", 0.5}};

}  // namespace

TEST_CASE("belief_propagation computes log Z and marginals of graphs without cycles") {
  const LiveComponent solver("belief_propagation");
  Random random(1051);
  for (int trial = 0; trial < 300; ++trial) {
    RandomGraph drawn = random_forest(random, draw(random, 1, 6));
    const sculpt_factor_graph& graph = drawn.graph();
    const std::vector<double> theta =
        normal_vector(random, static_cast<std::size_t>(graph.theta_size));
    const Beliefs found = beliefs_of(solver, graph, theta);
    REQUIRE(found.log_z.flags == SCULPT_LOG_Z_EXACT);
    const double log_z = list_all(graph, theta).log_z;
    REQUIRE(std::abs(found.log_z.value - log_z) < 1e-9 * (1 + std::abs(log_z)));
    const std::vector<double> exact = marginals_of(graph, theta);
    for (std::size_t k = 0; k < exact.size(); ++k) {
      REQUIRE(std::abs(found.mu[k] - exact[k]) < 1e-9);
    }
  }
}

TEST_CASE("with cycles the log Z of Bethe is said to be an approximation, and mu is its gradient") {
  const LiveComponent solver("belief_propagation", long_runs);
  Random random(1061);
  for (int trial = 0; trial < 40; ++trial) {
    RandomGraph drawn = random_full_graph(random, draw(random, 3, 5), draw(random, 0, 2));
    const sculpt_factor_graph& graph = drawn.graph();
    std::vector<double> theta = normal_vector(random, static_cast<std::size_t>(graph.theta_size));
    for (double& score : theta) score *= 0.3;  // so that the messages converge
    const Beliefs found = beliefs_of(solver, graph, theta);
    REQUIRE(found.log_z.flags == 0);
    REQUIRE(std::abs(found.log_z.value - list_all(graph, theta).log_z) < 0.2);
    constexpr double step = 1e-4;
    for (std::size_t k = 0; k < theta.size(); k += 3) {
      std::vector<double> moved = theta;
      moved[k] += step;
      const double up = beliefs_of(solver, graph, moved).log_z.value;
      moved[k] -= 2 * step;
      const double down = beliefs_of(solver, graph, moved).log_z.value;
      REQUIRE(std::abs(found.mu[k] - (up - down) / (2 * step)) < 1e-6);
    }
  }
}

// Sudderth, Wainwright & Willsky, NIPS 2007; Ruozzi, NIPS 2012.
TEST_CASE("the log Z of Bethe is a lower bound for attractive pairs of two states") {
  const LiveComponent solver("belief_propagation", long_runs);
  Random random(1063);
  for (int trial = 0; trial < 100; ++trial) {
    RandomGraph drawn = all_pairs(draw(random, 3, 6));
    const sculpt_factor_graph& graph = drawn.graph();
    std::vector<double> theta = normal_vector(random, static_cast<std::size_t>(graph.theta_size));
    make_attractive(graph, theta);
    const double log_z = list_all(graph, theta).log_z;
    REQUIRE(beliefs_of(solver, graph, theta).log_z.value <= log_z + 1e-9);
  }
}

TEST_CASE("belief_propagation refuses covariances, and takes forbidden states") {
  const LiveComponent solver("belief_propagation");
  Random random(1069);
  RandomGraph drawn = random_chain(random, 3, false, false);
  const sculpt_factor_graph& graph = drawn.graph();
  std::vector<double> theta = normal_vector(random, static_cast<std::size_t>(graph.theta_size));
  const sculpt_map_query query = query_of(graph, theta);
  std::vector<double> out(theta.size());
  ErrorText error;
  CHECK(solver.extension<sculpt_ext_map_expectation>(SCULPT_EXT_MAP_EXPECTATION)
            .covariance_times(solver.session(), &query, theta.data(), out.data(), error.raw()) ==
        SCULPT_E_UNSUPPORTED);
  theta[static_cast<std::size_t>(graph.table[1])] = -INFINITY;
  const Beliefs found = beliefs_of(solver, graph, theta);
  CHECK(found.log_z.value == doctest::Approx(list_all(graph, theta).log_z));
  CHECK(found.mu[static_cast<std::size_t>(graph.table[1])] == 0);
}
