// factor_graph_use.hpp - the factor graph that features offer for an example, for tests.
//
// Checked as the host checks it before others read it.
#pragma once

#include <functional>
#include <vector>

#include "problem/features.hpp"

namespace sculpt::core {

class FactorGraphUse {
 public:
  // Of features that may offer none.
  explicit FactorGraphUse(Features& features)
      : features_(features), table_(features.component().extension<sculpt_ext_factor_graph>()) {}

  bool offered() const { return table_ != nullptr; }
  // Those that all graphs are promised to have. Requires offered().
  std::uint32_t classes() const;
  // Requires offered(); lent until the next graph().
  const sculpt_factor_graph& graph(std::int64_t example);
  // theta = A_x w
  std::vector<double> potentials(std::int64_t example, const sculpt_factor_graph& graph,
                                 sculpt_weights w);
  // scale * A_x^T mu
  FeatureSum pullback(std::int64_t example, const std::vector<double>& mu, double scale,
                      std::int64_t dimension);

 private:
  Features& features_;
  const sculpt_ext_factor_graph* table_;
};

// The number of assignments, or limit + 1 when there are more.
std::int64_t assignment_count(const sculpt_factor_graph& graph, std::int64_t limit);

// Calls visit(y) for every assignment, the last label fastest. Shares no code with map_solvers.
void each_assignment(std::span<const std::int32_t> states,
                     const std::function<void(const std::vector<std::int32_t>&)>& visit);

// The cells that y picks, one for each factor, by the definition in ext/factor_graph.h.
std::vector<std::size_t> cells_of(const sculpt_factor_graph& graph,
                                  const std::vector<std::int32_t>& y);

// Whether y is an assignment of the graph's variables.
bool fits(const sculpt_factor_graph& graph, const std::vector<std::int32_t>& y);

}  // namespace sculpt::core
