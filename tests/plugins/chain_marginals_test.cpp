// log Z, marginals and covariances of chains of order one and two by products (viterbi). They agree
// with a list of all assignments, with the sums over logarithms, and with finite differences, and
// scores too extreme for products are added as logarithms.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "distribution_calls.hpp"

using namespace plugin_test;
using doctest::Approx;

namespace {

// A chain of order one or two with all that may occur. Variables have 1 to 4 states, and factors
// may be missing. Some tables are shared, also in another shape. There are further factors over one
// variable and over none.
RandomGraph mixed_chain(Random& random, std::int32_t length, bool order_two) {
  RandomGraph result;
  result.classes = order_two ? std::uint32_t{SCULPT_GRAPH_ORDER_TWO}
                             : SCULPT_GRAPH_CHAIN | SCULPT_GRAPH_FOREST | SCULPT_GRAPH_PAIRWISE;
  std::vector<std::int32_t> states;
  const std::int32_t most = draw(random, 1, 4);
  const bool equal = draw(random, 0, 1) == 0;
  for (std::int32_t t = 0; t < length; ++t) {
    states.push_back(equal ? most : draw(random, 1, most));
    result.builder.add_variable(states.back());
  }
  std::vector<std::vector<std::int32_t>> scopes;
  for (std::int32_t t = 0; t < length; ++t) {
    if (draw(random, 0, 4) == 0) scopes.push_back({t});
    if (draw(random, 0, 9) == 0) scopes.push_back({});
    if (t >= 1 && draw(random, 0, 3) > 0) scopes.push_back({t - 1, t});
    if (t >= 2 && order_two && draw(random, 0, 3) > 0) scopes.push_back({t - 2, t - 1, t});
  }
  std::shuffle(scopes.begin(), scopes.end(), random);
  std::map<std::int64_t, std::int64_t> table_of_size;
  for (const std::vector<std::int32_t>& scope : scopes) {
    std::int64_t size = 1;
    for (const std::int32_t v : scope) size *= states[static_cast<std::size_t>(v)];
    const auto known = table_of_size.find(size);
    if (known != table_of_size.end() && draw(random, 0, 2) > 0) {
      result.builder.add_factor(scope, known->second);
    } else {
      table_of_size[size] = result.builder.add_table(size);
      result.builder.add_factor(scope, table_of_size[size]);
    }
  }
  return result;
}

// A chain with one table for all steps; in order two also one for all pairs.
RandomGraph shared_chain(std::int32_t length, std::int32_t states, bool order_two) {
  RandomGraph result;
  result.classes = order_two ? std::uint32_t{SCULPT_GRAPH_ORDER_TWO}
                             : SCULPT_GRAPH_CHAIN | SCULPT_GRAPH_FOREST | SCULPT_GRAPH_PAIRWISE;
  for (std::int32_t t = 0; t < length; ++t) result.builder.add_variable(states);
  const std::int64_t pair = result.builder.add_table(states * states);
  for (std::int32_t t = 1; t < length; ++t) result.builder.add_factor({t - 1, t}, pair);
  if (!order_two) return result;
  const std::int64_t triple = result.builder.add_table(states * states * states);
  for (std::int32_t t = 2; t < length; ++t) result.builder.add_factor({t - 2, t - 1, t}, triple);
  return result;
}

std::vector<double> scaled_normal_vector(Random& random, std::size_t size, double scale) {
  std::vector<double> values = normal_vector(random, size);
  for (double& value : values) value *= scale;
  return values;
}

void check_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) REQUIRE(std::abs(a[k] - b[k]) < tolerance);
}

}  // namespace

TEST_CASE("marginals of chains by products agree with the list of all assignments") {
  const LiveComponent viterbi("viterbi");
  Random random(2003);
  for (int trial = 0; trial < 1500; ++trial) {
    const bool order_two = trial % 2 == 1;
    RandomGraph drawn = mixed_chain(random, draw(random, 0, order_two ? 5 : 6), order_two);
    const sculpt_factor_graph& graph = drawn.graph();
    const double scale = trial % 3 == 0 ? 10 : 1;
    const std::vector<double> theta = scaled_normal_vector(random, cells(graph), scale);
    check_expectation(viterbi, graph, theta, random);
  }
}

// Its exponentials are kept. Chains of one state have a log Z, and nothing else.
TEST_CASE("marginals with a table that comes again agree with the list of all assignments") {
  const LiveComponent viterbi("viterbi");
  Random random(2029);
  for (const bool order_two : {false, true}) {
    for (const std::int32_t states : {1, 3}) {
      RandomGraph chain = shared_chain(6, states, order_two);
      RandomGraph longer = shared_chain(7, states, order_two);
      std::vector<double> theta = normal_vector(random, cells(chain.graph()));
      std::vector<double> other = normal_vector(random, cells(longer.graph()));
      // The shared tables are the last cells of both.
      const auto tables = static_cast<std::ptrdiff_t>(theta.size()) - 6 * states;
      std::copy(theta.end() - tables, theta.end(), other.end() - tables);
      for (int turn = 0; turn < 3; ++turn) {
        check_expectation(viterbi, chain.graph(), theta, random);
        check_expectation(viterbi, longer.graph(), other, random);
        for (std::int32_t cell = 0; cell < 6 * states; ++cell)
          theta[static_cast<std::size_t>(cell)] += 1;
      }
      theta.back() += 1;  // now it is another table
      check_expectation(viterbi, chain.graph(), theta, random);
    }
  }
}

TEST_CASE("marginals of long chains by products agree with those by logarithms") {
  const LiveComponent viterbi("viterbi");
  Random random(2011);
  for (const bool order_two : {false, true}) {
    // A last variable has two states. If the second scores 1e4 less together with the label before
    // it, the sums are over logarithms; if it scores 100 less, over products. Both make it
    // impossible to rounding.
    const std::int32_t length = order_two ? 500 : 5000;
    RandomGraph drawn = shared_chain(length, 4, order_two);
    sculpt::FactorGraphBuilder builder;
    for (std::int32_t t = 0; t < length; ++t) builder.add_variable(4);
    builder.add_variable(2);
    const std::int64_t added = builder.add_table(8);
    const sculpt_factor_graph& chain = drawn.graph();
    for (std::int64_t f = length; f < chain.factor_count; ++f) {
      builder.add_factor({chain.scope + chain.scope_from[f], chain.scope + chain.scope_from[f + 1]},
                         chain.table[f] + 2 + 8);
    }
    builder.add_factor({length - 1, length}, added);
    builder.add_table(chain.theta_size - 4 * length);
    const sculpt_factor_graph& graph = builder.graph(chain.classes, 0);
    std::vector<double> theta = scaled_normal_vector(random, cells(graph), 2);
    const std::vector<double> direction = normal_vector(random, theta.size());
    const auto set_second = [&](double score) {
      for (std::int64_t cell = added; cell < added + 8; ++cell) {
        theta[static_cast<std::size_t>(cell)] = (cell - added) % 2 == 0 ? 0 : score;
      }
    };
    set_second(-100);
    const MapMean mean = map_mean(viterbi, graph, theta);
    const std::vector<double> covariance = map_covariance(viterbi, graph, theta, direction);
    set_second(-1e4);
    const MapMean log_mean = map_mean(viterbi, graph, theta);
    CHECK(mean.log_z == Approx(log_mean.log_z).epsilon(1e-13));
    check_near(mean.mu, log_mean.mu, 1e-8);
    check_near(covariance, map_covariance(viterbi, graph, theta, direction), 1e-7);
    CHECK(mean.mu != log_mean.mu);  // they were computed in two ways
    double labels = 0;
    for (std::size_t cell = 0; cell < 4 * static_cast<std::size_t>(length); ++cell) {
      labels += mean.mu[cell];
    }
    CHECK(labels == Approx(length).epsilon(1e-12));
  }
}

TEST_CASE("marginals of chains are exact for scores of any spread") {
  const LiveComponent viterbi("viterbi");
  Random random(2017);
  for (const double scale : {32.0, 128.0, 1024.0, 16384.0}) {
    for (int trial = 0; trial < 200; ++trial) {
      const bool order_two = trial % 2 == 1;
      RandomGraph drawn = mixed_chain(random, draw(random, 1, 5), order_two);
      const sculpt_factor_graph& graph = drawn.graph();
      // Sums of these scores are exact, so ties stay ties. Every second time there are many.
      const std::int32_t steps = trial % 4 < 2 ? 1 : 64;
      std::vector<double> theta(cells(graph));
      for (double& score : theta) score = scale * draw(random, -steps, steps) / steps;
      check_expectation(viterbi, graph, theta, random);
    }
  }
}

TEST_CASE("marginals of chains are probabilities even for scores of 1e300") {
  const LiveComponent viterbi("viterbi");
  Random random(2081);
  for (int trial = 0; trial < 200; ++trial) {
    RandomGraph drawn = mixed_chain(random, draw(random, 1, 5), trial % 2 == 1);
    const sculpt_factor_graph& graph = drawn.graph();
    const std::vector<double> theta = scaled_normal_vector(random, cells(graph), 1e300);
    const MapMean found = map_mean(viterbi, graph, theta);
    REQUIRE(found.log_z == Approx(list_all(graph, theta).log_z).epsilon(1e-12));
    for (std::int64_t v = 0; v < graph.variable_count; ++v) {
      double sum = 0;
      for (std::int64_t k = 0; k < graph.states[v]; ++k) {
        sum += found.mu[static_cast<std::size_t>(graph.table[v] + k)];
      }
      REQUIRE(sum == Approx(1).epsilon(1e-12));
    }
  }
}

TEST_CASE("a path whose first and last steps underflow may have all probability") {
  // State 0 loses 250 at each of eight steps. State 1 loses 800 when entered and when left.
  const LiveComponent viterbi("viterbi");
  Random random(2027);
  for (const bool order_two : {false, true}) {
    sculpt::FactorGraphBuilder builder;
    constexpr std::int32_t length = 10;
    for (std::int32_t t = 0; t < length; ++t) builder.add_variable(2);
    std::vector<double> theta(2 * length);
    theta[1] = theta[2 * length - 1] = -1e4;  // begins and ends in state 0
    for (std::int32_t t = 1; t < length; ++t) {
      builder.add_factor({t - 1, t}, builder.add_table(4));
      const double leave = t + 1 == length ? -800 : -2000;
      theta.insert(theta.end(), {t == 1 ? -2000.0 : -250.0, t == 1 ? -800.0 : -2000.0, leave, 0});
    }
    for (std::int32_t t = 2; order_two && t < length; ++t) {
      builder.add_factor({t - 2, t - 1, t}, builder.add_table(8));
      theta.insert(theta.end(), 8, 0.0);
    }
    const sculpt_factor_graph& graph =
        builder.graph(order_two ? SCULPT_GRAPH_ORDER_TWO : SCULPT_GRAPH_CHAIN, 0);
    check_expectation(viterbi, graph, theta, random);
    CHECK(map_mean(viterbi, graph, theta).mu[9] == Approx(1));  // variable 4 has state 1
  }
}

TEST_CASE("marginals of chains leave out forbidden cells, and there may be no assignment") {
  const LiveComponent viterbi("viterbi");
  Random random(2029);
  int attained = 0;
  int none = 0;
  for (int trial = 0; trial < 600; ++trial) {
    RandomGraph drawn = mixed_chain(random, draw(random, 1, 5), trial % 2 == 1);
    const sculpt_factor_graph& graph = drawn.graph();
    std::vector<double> theta = normal_vector(random, cells(graph));
    const auto unary_cells = static_cast<std::size_t>(
        std::accumulate(graph.states, graph.states + graph.variable_count, std::int64_t{0}));
    const bool only_states = trial % 4 < 2;
    for (std::size_t cell = 0; cell < (only_states ? unary_cells : theta.size()); ++cell) {
      if (draw(random, 0, 4) == 0) theta[cell] = unattainable;
    }
    if (list_all(graph, theta).log_z == unattainable) {
      ++none;
      REQUIRE(map_mean(viterbi, graph, theta).log_z == unattainable);
      continue;
    }
    ++attained;
    check_expectation(viterbi, graph, theta, random);
  }
  CHECK(attained > 100);
  CHECK(none > 100);
}

TEST_CASE("a score that is no number is not hidden by the marginals of a chain") {
  const LiveComponent viterbi("viterbi");
  RandomGraph drawn = shared_chain(6, 3, false);
  const sculpt_factor_graph& graph = drawn.graph();
  for (std::size_t cell = 0; cell < cells(graph); ++cell) {
    std::vector<double> theta(cells(graph), 0.5);
    for (const char* bits : {"", "1", "2047"}) {
      theta[cell] = std::nan(bits);
      REQUIRE(std::isnan(map_mean(viterbi, graph, theta).log_z));
    }
  }
}

TEST_CASE("E[z] is the slope of log Z, and Cov[z] v that of E[z]") {
  const LiveComponent viterbi("viterbi");
  Random random(2039);
  for (const bool order_two : {false, true}) {
    RandomGraph drawn = shared_chain(30, 5, order_two);
    const sculpt_factor_graph& graph = drawn.graph();
    const std::vector<double> theta = normal_vector(random, cells(graph));
    const std::vector<double> direction = normal_vector(random, theta.size());
    constexpr double step = 1e-5;
    const auto mean_at = [&](double t) {
      std::vector<double> moved = theta;
      for (std::size_t k = 0; k < moved.size(); ++k) moved[k] += t * direction[k];
      return map_mean(viterbi, graph, moved);
    };
    const MapMean ahead = mean_at(step);
    const MapMean behind = mean_at(-step);
    const MapMean here = mean_at(0);
    CHECK((ahead.log_z - behind.log_z) / (2 * step) ==
          Approx(dot(here.mu, direction)).epsilon(1e-8));
    std::vector<double> change(theta.size());
    for (std::size_t k = 0; k < change.size(); ++k) {
      change[k] = (ahead.mu[k] - behind.mu[k]) / (2 * step);
    }
    check_near(map_covariance(viterbi, graph, theta, direction), change, 1e-6);
  }
}

TEST_CASE("marginals and covariances of chains have the same bytes in any order of the calls") {
  const LiveComponent viterbi("viterbi");
  Random random(2053);
  std::vector<RandomGraph> drawn;
  std::vector<std::vector<double>> thetas;
  for (int k = 0; k < 12; ++k) {
    drawn.push_back(mixed_chain(random, draw(random, 1, 40), k % 2 == 1));
    thetas.push_back(normal_vector(random, cells(drawn.back().graph())));
  }
  const auto results_of = [&](const LiveComponent& solver, std::size_t k, bool with_topology) {
    sculpt_factor_graph graph = drawn[k].graph();
    graph.topology = with_topology ? k + 1 : 0;
    const MapMean mean = map_mean(solver, graph, thetas[k]);
    return std::tuple(mean.log_z, mean.mu, map_covariance(solver, graph, thetas[k], thetas[k]));
  };
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    const LiveComponent fresh("viterbi");
    const auto expected = results_of(fresh, k, false);
    for (int again = 0; again < 4; ++again) {
      results_of(viterbi, (k + 5) % drawn.size(), true);
      REQUIRE(results_of(viterbi, k, again % 2 == 0) == expected);
      REQUIRE(results_of(viterbi, k, again % 2 == 0) == expected);
    }
  }
}

TEST_CASE("marginals of a graph that is falsely declared of order two name the factor") {
  const LiveComponent viterbi("viterbi");
  for (const std::vector<std::int32_t>& scope :
       std::vector<std::vector<std::int32_t>>{{0, 2}, {2, 1}, {0, 1, 3}, {0, 1, 2, 3}, {0, 1, 2}}) {
    sculpt::FactorGraphBuilder builder;
    for (int v = 0; v < 4; ++v) builder.add_variable(2);
    const std::int64_t table = builder.add_table(16);
    builder.add_factor({0, 1, 2}, table);
    builder.add_factor(scope, table);
    const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_ORDER_TWO, 0);
    CHECK_THROWS_WITH(map_mean(viterbi, graph, std::vector<double>(cells(graph))),
                      "factor 5 is not over two or three consecutive variables, or repeats another "
                      "factor, but the graph is declared as of order two");
  }
}
