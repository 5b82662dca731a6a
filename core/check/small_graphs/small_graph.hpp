// small_graph.hpp - small random factor graphs for tests of map_solvers. Used by check/tests.
//
// They have the classes that a map_solver demands. Their scores have ties, are huge, or are all
// negative. If a solver fails on a graph, the graph is made smaller as long as the solver fails.
#pragma once

#include <sculpt/cpp/factor_graph_builder.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "linalg/rounding.hpp"
#include "problem/map_oracle/graph_demands.hpp"

namespace sculpt::core {

struct SmallGraph {
  struct Factor {
    std::vector<std::int32_t> scope;
    std::size_t table = 0;
  };
  std::uint32_t classes = 0;
  std::vector<std::int32_t> states;         // of each variable
  std::vector<Factor> factors;              // without the unary ones
  std::vector<std::vector<double>> tables;  // the unary ones first, one per variable

  // Returns the cells that y uses, as (table, cell).
  std::vector<std::pair<std::size_t, std::size_t>> cells_of(
      const std::vector<std::int32_t>& y) const;
  // The sum of these cells, and the cells as its terms.
  double score(const std::vector<std::int32_t>& y) const;
  Terms terms(const std::vector<std::int32_t>& y) const;
  // Returns an upper bound of the terms of every assignment. Solvers that compare all assignments
  // compute with these.
  Terms largest_terms() const;
  // The concatenated tables.
  std::vector<double> theta() const;
  void set_theta(const std::vector<double>& theta);
  // Returns lines for people: variables, and the tables that are not all zero.
  std::vector<std::string> lines() const;
};

// Returns the graph of features with all scores 0. Nothing if two of its tables overlap.
std::optional<SmallGraph> small_graph_of(const sculpt_factor_graph& graph);

// The graph in the form that map_solvers get. Must not move.
class FactorGraphData {
 public:
  // `topology`: 0, or a number that no other graph has.
  FactorGraphData(const SmallGraph& graph, std::uint64_t topology);
  FactorGraphData(const FactorGraphData&) = delete;
  FactorGraphData& operator=(const FactorGraphData&) = delete;
  const sculpt_factor_graph& raw() const { return *raw_; }

 private:
  FactorGraphBuilder builder_;
  const sculpt_factor_graph* raw_;
};

// Returns graph `number` of a series: first few variables and states, later up to
// `max_variable_count` variables. It has the classes of one alternative, drawn if there are
// several.
SmallGraph random_small_graph(Random& random, const GraphDemands& demands, int number,
                              std::int64_t max_variable_count);
// The same, with the classes `demands`.
SmallGraph random_small_graph(Random& random, std::uint32_t demands, int number,
                              std::int64_t max_variable_count);
// Returns a graph of variables with these numbers of states, joined as the classes `demands` allow.
// All scores are 0.
SmallGraph random_graph_of(Random& random, std::uint32_t demands, std::vector<std::int32_t> states);
// Returns a grid of variables with two states. All scores are 0. Requires demands that allow
// cycles.
SmallGraph random_grid(Random& random, std::uint32_t demands, std::int32_t rows,
                       std::int32_t columns);
// Returns a graph with strong pair tables between most variables, and weak unary tables. Its local
// polytope often has a better point than any assignment. Requires demands that allow cycles.
SmallGraph random_frustrated_graph(Random& random, std::uint32_t demands,
                                   std::int64_t max_variable_count);
// Fills the tables with scores of kind number % 6, as the classes allow.
void draw_scores(Random& random, SmallGraph& graph, int number);

// Removes variables, factors and states, then simplifies the scores, as long as `fails` is true.
// Requires fails(graph).
void shrink_graph(SmallGraph& graph, const std::function<bool(const SmallGraph&)>& fails);
// Simplifies the scores only. Does nothing for attractive graphs.
void shrink_scores(SmallGraph& graph, const std::function<bool(const SmallGraph&)>& fails);

}  // namespace sculpt::core
