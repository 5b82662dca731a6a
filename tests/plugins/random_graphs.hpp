// random_graphs.hpp - random factor graphs with potentials, and the best output by naive search.
//
// The naive search shares no code with the SDK or the plugins. It recurses over the definition in
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

// A chain of `length` variables with 1 to 5 states each. `shared`: one pair table for all, so all
// variables have the same number of states. `gaps`: some neighbours are not joined.
RandomGraph random_chain(Random& random, std::int32_t length, bool shared, bool gaps);

// A graph of order two: factors over two and over three variables in a row, in any order. `shared`:
// one table for all pairs and one for all triples. `gaps`: some factors are missing.
RandomGraph random_order_two(Random& random, std::int32_t length, bool shared, bool gaps);

// Up to 6 variables with 1 to 4 states, and factors over up to three of them in any order. Some
// factors share tables.
RandomGraph random_graph(Random& random);

// A forest of `variables` with 1 to 4 states each. Parents may have larger numbers than their
// children, and scopes come in both orders. Some variables have a second factor; some factors are
// over no variable.
RandomGraph random_forest(Random& random, std::int32_t variables);

// Two states everywhere, a factor over every pair in either order, and `larger` factors over three
// or four variables.
RandomGraph random_full_graph(Random& random, std::int32_t variables, std::int32_t larger);

// A square grid of variables with `states` each, joined with their right and lower neighbours.
void add_square(sculpt::FactorGraphBuilder& builder, std::int32_t side, std::int32_t states);

// The number of cells of theta.
std::size_t cells(const sculpt_factor_graph& graph);

double naive_score(const sculpt_factor_graph& graph, const std::vector<double>& theta,
                   const std::vector<std::int32_t>& y);

// Calls visit(y) for every output. The last label changes slowest.
void each_output(const sculpt_factor_graph& graph,
                 const std::function<void(const std::vector<std::int32_t>&)>& visit);

// The score of a forbidden cell, and of counts that no output has.
inline constexpr double unattainable = -std::numeric_limits<double>::infinity();

struct NaiveBest {
  double value = unattainable;
  double second = value;        // the largest value of another output; -inf if there is none
  std::vector<std::int32_t> y;  // ties: the smallest last label, then the last but one, and so on
};
NaiveBest naive_best(const sculpt_factor_graph& graph, const std::vector<double>& theta);

using CountTables = std::vector<std::vector<std::int32_t>>;  // [counts][cells of theta]
using Counts = std::array<std::int64_t, 2>;                  // one count: the second is 0
// The limit of an unlimited count.
inline constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

// The counts of y, each at most its limit.
Counts naive_counts(const sculpt_factor_graph& graph, const CountTables& tables,
                    const std::vector<std::int64_t>& limits, const std::vector<std::int32_t>& y);

// For all counts that some output has: the best output with these counts.
std::map<Counts, NaiveBest> naive_frontier(const sculpt_factor_graph& graph,
                                           const std::vector<double>& theta,
                                           const CountTables& tables,
                                           const std::vector<std::int64_t>& limits);

}  // namespace plugin_test
