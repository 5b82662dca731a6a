// log Z, E[z] and Cov[z] u of equally probable assignments, against sums over all assignments.

#include "problem/map_oracle/uniform_moments.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <sculpt/cpp/factor_tables.hpp>
#include <utility>
#include <vector>

#include "base/infinity.hpp"
#include "check/small_graphs/small_graph.hpp"

using namespace sculpt::core;

namespace {

using Source = std::mt19937_64;

// Calls function(y) for each assignment.
void for_each_assignment(const sculpt_factor_graph& graph,
                         const std::function<void(const std::vector<std::int32_t>&)>& function) {
  const auto size = static_cast<std::size_t>(graph.variable_count);
  if (!sculpt::has_assignments(graph)) return;
  std::vector<std::int32_t> y(size, 0);
  for (;;) {
    function(y);
    std::size_t v = size;
    while (v > 0 && ++y[v - 1] == graph.states[v - 1]) y[--v] = 0;
    if (v == 0) return;
  }
}

Vector indicator(const sculpt_factor_graph& graph, const std::vector<std::int32_t>& y) {
  Vector z(static_cast<std::size_t>(graph.theta_size), 0.0);
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    z[static_cast<std::size_t>(sculpt::factor_cell(graph, f, y.data()))] += 1;
  }
  return z;
}

struct Enumerated {
  double log_z = -infinity;
  Vector mean;
  Vector product;  // Cov[z] u
};

Enumerated enumerate(const sculpt_factor_graph& graph, const Vector& u) {
  Enumerated out;
  out.mean.assign(u.size(), 0.0);
  out.product = out.mean;
  double count = 0;
  for_each_assignment(graph, [&](const auto& y) {
    const Vector z = indicator(graph, y);
    for (std::size_t c = 0; c < z.size(); ++c) out.mean[c] += z[c];
    ++count;
  });
  if (count == 0) return out;
  out.log_z = std::log(count);
  for (double& one : out.mean) one /= count;
  for_each_assignment(graph, [&](const auto& y) {
    Vector z = indicator(graph, y);
    double score = 0;
    for (std::size_t c = 0; c < z.size(); ++c) score += (z[c] -= out.mean[c]) * u[c];
    for (std::size_t c = 0; c < z.size(); ++c) out.product[c] += z[c] * score / count;
  });
  return out;
}

void check_graph(const SmallGraph& small, Source& random) {
  const FactorGraphData data(small, 0);
  const sculpt_factor_graph& graph = data.raw();
  std::normal_distribution<double> normal;
  Vector u(static_cast<std::size_t>(graph.theta_size));
  for (double& one : u) one = normal(random);
  const Enumerated expected = enumerate(graph, u);
  UniformMoments moments;
  Vector mean(u.size(), NAN);
  Vector product(u.size(), NAN);
  moments.multiply_covariance(graph, u, product);
  for (std::size_t c = 0; c < u.size(); ++c) {
    CHECK(std::abs(product[c] - expected.product[c]) <= 1e-12);
  }
  if (expected.log_z == -infinity) {
    CHECK(UniformMoments::log_z(graph) == -infinity);
    return;
  }
  CHECK(UniformMoments::log_z(graph) == doctest::Approx(expected.log_z).epsilon(1e-14));
  UniformMoments::compute_mean(graph, mean);
  for (std::size_t c = 0; c < u.size(); ++c) {
    CHECK(std::abs(mean[c] - expected.mean[c]) <= 1e-12);
  }
}

SmallGraph variables(std::vector<std::int32_t> states, std::uint32_t classes) {
  SmallGraph graph;
  graph.classes = classes;
  graph.states = std::move(states);
  for (const std::int32_t count : graph.states) {
    graph.tables.emplace_back(static_cast<std::size_t>(count), 0.0);
  }
  return graph;
}

std::size_t new_table(SmallGraph& graph, const std::vector<std::int32_t>& scope) {
  std::size_t cells = 1;
  for (const std::int32_t v : scope) {
    cells *= static_cast<std::size_t>(graph.states[static_cast<std::size_t>(v)]);
  }
  graph.tables.emplace_back(cells, 0.0);
  return graph.tables.size() - 1;
}

}  // namespace

TEST_CASE("uniform moments of chains are those of all assignments") {
  Source random(1);
  for (const bool shares_table : {false, true}) {
    for (std::int32_t size = 1; size <= 5; ++size) {
      SmallGraph graph =
          variables(std::vector<std::int32_t>(static_cast<std::size_t>(size), 3),
                    SCULPT_GRAPH_CHAIN | SCULPT_GRAPH_FOREST | SCULPT_GRAPH_PAIRWISE);
      for (std::int32_t v = 0; v + 1 < size; ++v) {
        const bool is_new = v == 0 || !shares_table;
        const std::size_t table = is_new ? new_table(graph, {v, v + 1}) : graph.tables.size() - 1;
        graph.factors.push_back({{v, v + 1}, table});
      }
      CAPTURE(shares_table);
      CAPTURE(size);
      check_graph(graph, random);
    }
  }
}

TEST_CASE("uniform moments of trees are those of all assignments") {
  Source random(2);
  for (int number = 0; number < 20; ++number) {
    std::vector<std::int32_t> states;
    for (int v = 0; v < 5; ++v) states.push_back(1 + static_cast<std::int32_t>(random() % 3));
    SmallGraph graph = variables(states, SCULPT_GRAPH_FOREST | SCULPT_GRAPH_PAIRWISE);
    for (std::int32_t v = 1; v < 5; ++v) {
      const auto parent = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(v));
      const bool is_upwards = random() % 2 == 0;
      const std::vector<std::int32_t> scope =
          is_upwards ? std::vector{parent, v} : std::vector{v, parent};
      graph.factors.push_back({scope, new_table(graph, scope)});
    }
    CAPTURE(number);
    check_graph(graph, random);
  }
}

// Pairs are drawn with repetition, in both orders, so there are cycles and parallel factors. Some
// factors have one variable or none.
TEST_CASE("uniform moments hold with cycles, shared tables and several factors on one pair") {
  Source random(3);
  int parallel_count = 0;
  for (int number = 0; number < 120; ++number) {
    std::vector<std::int32_t> states;
    const std::int32_t variable_count = 2 + static_cast<std::int32_t>(random() % 4);
    const bool is_even = number % 2 == 0;  // equal states, so that all pairs can share a table
    for (std::int32_t v = 0; v < variable_count; ++v) {
      states.push_back(is_even ? 3 : 1 + static_cast<std::int32_t>(random() % 3));
    }
    SmallGraph graph = variables(states, SCULPT_GRAPH_PAIRWISE);
    for (int f = 0; f < 8; ++f) {
      std::vector<std::int32_t> scope(2);
      for (std::int32_t& v : scope) {
        v = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(variable_count));
      }
      if (scope[0] == scope[1]) scope.pop_back();
      if (random() % 20 == 0) scope.clear();
      std::size_t table = new_table(graph, scope);
      for (const SmallGraph::Factor& other : graph.factors) {
        const bool is_same_pair =
            scope.size() == 2 && other.scope.size() == 2 &&
            std::minmax(scope[0], scope[1]) == std::minmax(other.scope[0], other.scope[1]);
        parallel_count += is_same_pair ? 1 : 0;
        const auto states_of = [&](const std::vector<std::int32_t>& of) {
          std::vector<std::int32_t> counts;
          for (const std::int32_t v : of) counts.push_back(states[static_cast<std::size_t>(v)]);
          return counts;
        };
        if (states_of(scope) == states_of(other.scope) && random() % 3 == 0) table = other.table;
      }
      graph.factors.push_back({scope, table});
    }
    CAPTURE(number);
    check_graph(graph, random);
  }
  CHECK(parallel_count > 50);
}

TEST_CASE("a graph with a variable without states has no assignment") {
  Source random(4);
  SmallGraph graph = variables({2, 0, 3}, SCULPT_GRAPH_PAIRWISE);
  graph.factors.push_back({{0, 2}, new_table(graph, {0, 2})});
  check_graph(graph, random);
}

TEST_CASE("a graph without variables has one assignment") {
  Source random(5);
  check_graph(variables({}, SCULPT_GRAPH_PAIRWISE), random);
}
