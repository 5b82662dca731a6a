// random_graphs.hpp - random factor graphs with potentials, and the naive answer to them.
//
// The naive search shares no code with the SDK or the plugins: it recurses over the definition in
// ext/factor_graph.h.
#pragma once

#include <sculpt/cpp/factor_graph_builder.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <vector>

namespace plugin_test {

using Random = std::mt19937_64;

std::int32_t draw(Random& random, std::int32_t low, std::int32_t high);  // both included
std::vector<double> normal_vector(Random& random, std::size_t size);
std::vector<double> small_integers(Random& random, std::size_t size);  // -2 .. 2: many ties
std::vector<std::int32_t> draw_output(Random& random, const sculpt_factor_graph& graph);

struct RandomGraph {
  sculpt::FactorGraphBuilder builder;
  std::uint32_t classes = 0;
  const sculpt_factor_graph& graph() { return builder.graph(classes, 0); }
};

// A chain of `length` variables with 1 to 5 states each; or, with a shared pair table, all with the
// same number. Some neighbours are not joined when `gaps`.
RandomGraph random_chain(Random& random, std::int32_t length, bool shared, bool gaps);

// A graph of order two, likewise: factors over neighbours and over three in a row, each table
// shared when `shared`, some of them missing when `gaps`, in any order.
RandomGraph random_order_two(Random& random, std::int32_t length, bool shared, bool gaps);

// Up to 6 variables with 1 to 4 states, factors over up to three of them in any order, some tables
// shared.
RandomGraph random_graph(Random& random);

// A forest of `variables` with 1 to 4 states each, in any order: parents with larger numbers than
// their children, scopes either way round. Here and there a second factor over one variable, and
// one over none.
RandomGraph random_forest(Random& random, std::int32_t variables);

// Two states everywhere, a factor over every pair in either order, and `larger` ones over three or
// four variables.
RandomGraph random_full_graph(Random& random, std::int32_t variables, std::int32_t larger);

// A square of variables with so many states each, joined with those to the right and below.
void add_square(sculpt::FactorGraphBuilder& builder, std::int32_t side, std::int32_t states);

// Of theta.
std::size_t cells(const sculpt_factor_graph& graph);

double naive_score(const sculpt_factor_graph& graph, const std::vector<double>& theta,
                   const std::vector<std::int32_t>& y);

// Calls visit(y) for every output, the last label slowest.
void each_output(const sculpt_factor_graph& graph,
                 const std::function<void(const std::vector<std::int32_t>&)>& visit);

// The score of what cannot be.
inline constexpr double unattainable = -std::numeric_limits<double>::infinity();

struct NaiveBest {
  double value = unattainable;
  double second = value;        // the largest value of another output; -inf when there is none
  std::vector<std::int32_t> y;  // of the best the one with the smallest last label, and so on
};
NaiveBest naive_best(const sculpt_factor_graph& graph, const std::vector<double>& theta);

using CountTables = std::vector<std::vector<std::int32_t>>;  // [counts][cells of theta]
using Counts = std::array<std::int64_t, 2>;                  // the second 0 where there is one
// The limit of a count that has none.
inline constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

// What y counts, each cut by its limit.
Counts naive_counts(const sculpt_factor_graph& graph, const CountTables& tables,
                    const std::vector<std::int64_t>& limits, const std::vector<std::int32_t>& y);

// The best of the outputs with these counts, for all counts that some output has.
std::map<Counts, NaiveBest> naive_frontier(const sculpt_factor_graph& graph,
                                           const std::vector<double>& theta,
                                           const CountTables& tables,
                                           const std::vector<std::int64_t>& limits);

}  // namespace plugin_test
