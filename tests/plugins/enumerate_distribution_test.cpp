// log Z, marginals, covariances, the k best and draws of enumerate, for any small graph.
#include <doctest/doctest.h>

#include "call_buffers.hpp"
#include "distribution_calls.hpp"

#include <cmath>
#include <map>

using namespace plugin_test;
using doctest::Approx;

namespace {

// Graphs with factors over up to four variables, shared tables and constants.
RandomGraph random_one(Random& random, int trial) {
  if (trial % 3 == 0) return random_graph(random);
  if (trial % 3 == 1) return random_forest(random, draw(random, 0, 6));
  return random_full_graph(random, draw(random, 1, 6), draw(random, 0, 3));
}

}  // namespace

TEST_CASE("enumerate computes log Z, marginals and covariances of any small graph") {
  const LiveComponent enumerate("enumerate");
  Random random(1033);
  for (int trial = 0; trial < 450; ++trial) {
    RandomGraph drawn = random_one(random, trial);
    const sculpt_factor_graph& graph = drawn.graph();
    const std::vector<double> theta =
        normal_vector(random, static_cast<std::size_t>(graph.theta_size));
    check_expectation(enumerate, graph, theta, random);
  }
}

TEST_CASE("enumerate gives the k best of any small graph in order, each once, and then ends") {
  const LiveComponent enumerate("enumerate");
  Random random(1039);
  for (int trial = 0; trial < 150; ++trial) {
    RandomGraph drawn = random_one(random, trial);
    const sculpt_factor_graph& graph = drawn.graph();
    const auto size = static_cast<std::size_t>(graph.theta_size);
    check_k_best(enumerate, graph,
                 trial % 5 == 0 ? small_integers(random, size) : normal_vector(random, size));
  }
}

TEST_CASE("probabilities of enumerate are finite for scores of any size") {
  const LiveComponent enumerate("enumerate");
  const auto& table = enumerate.extension<sculpt_ext_map_expectation>(SCULPT_EXT_MAP_EXPECTATION);
  sculpt::FactorGraphBuilder builder;
  builder.add_variable(3);
  const sculpt_factor_graph& graph = builder.graph(0, 0);
  const std::vector<double> theta = {-1e300, 1e300, 1e300};
  const sculpt_map_query query = query_of(graph, theta);
  std::vector<double> mu(3);
  sculpt_log_z log_z = {};
  ErrorText error;
  error.check(table.mean(enumerate.session(), &query, &log_z, mu.data(), error.raw()));
  CHECK(log_z.value == 1e300);
  CHECK(mu == std::vector{0.0, 0.5, 0.5});
}

TEST_CASE("enumerate draws by the probabilities, the same for the same seed") {
  const LiveComponent enumerate("enumerate");
  Random random(1049);
  check_draws(enumerate, random_chain(random, 3, false, false).graph(), random);
}
