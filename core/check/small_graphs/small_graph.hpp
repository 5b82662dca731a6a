// small_graph.hpp - factor graphs that are small by construction, for tests of map_solvers.
//
// Of the classes that a map_solver demands, with scores that tie, or are huge, or all negative.
// When a solver fails on one, it is made smaller as long as the solver still fails.
#pragma once

#include <sculpt/cpp/factor_graph_builder.hpp>

#include <functional>
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
  std::vector<std::int32_t> states;         // of the variables
  std::vector<Factor> factors;              // beyond the unary ones
  std::vector<std::vector<double>> tables;  // the unary ones first, one for each variable

  // The cells that y picks, as (table, cell).
  std::vector<std::pair<std::size_t, std::size_t>> cells_of(
      const std::vector<std::int32_t>& y) const;
  // The sum of the cells, and these as its terms.
  double score(const std::vector<std::int32_t>& y) const;
  Terms terms(const std::vector<std::int32_t>& y) const;
  // The terms of no assignment are more: what solvers compute with that look at all of them.
  Terms largest_terms() const;
  // The tables one behind the other.
  std::vector<double> theta() const;
  void set_theta(const std::vector<double>& theta);
  // Lines for people: variables, and tables that are not zero.
  std::vector<std::string> lines() const;
};

// As map_solvers get it. Stays where it is made.
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

// The number-th of a series: few variables and states first, up to `most` variables. Of one of the
// alternatives, drawn where there are several.
SmallGraph random_small_graph(Random& random, const GraphDemands& demands, int number,
                              std::int64_t most);
// The same of the classes demanded.
SmallGraph random_small_graph(Random& random, std::uint32_t demands, int number, std::int64_t most);
// One whose pairs weigh more than its variables, most of them joined: its local polytope often has
// a better point than any assignment. Requires demands that allow cycles.
SmallGraph random_frustrated_graph(Random& random, std::uint32_t demands, std::int64_t most);
// Fills the tables in the number-th way, as the classes allow.
void draw_scores(Random& random, SmallGraph& graph, int number);

// Takes out variables, factors and states, then makes the scores simple, as long as `fails` holds.
// Requires fails(graph).
void shrink_graph(SmallGraph& graph, const std::function<bool(const SmallGraph&)>& fails);
// The scores alone.
void shrink_scores(SmallGraph& graph, const std::function<bool(const SmallGraph&)>& fails);

}  // namespace sculpt::core
