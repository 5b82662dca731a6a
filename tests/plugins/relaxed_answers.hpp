// relaxed_answers.hpp - what map_solvers say with a bound or with beliefs, through the C ABI.
#pragma once

#include <sculpt/ext/cut.h>

#include "live_component.hpp"

namespace plugin_test {

struct BoundedAnswer {
  Outputs output;
  double value = 0;
  double bound = 0;
  std::uint32_t flags = 0;
  bool has(std::uint32_t flag) const { return (flags & flag) != 0; }
};
BoundedAnswer solve_bounded(const LiveComponent& solver, const sculpt_factor_graph& graph,
                            const std::vector<double>& theta, std::uint64_t seed = 1);

struct RelaxedAnswer : BoundedAnswer {
  std::vector<double> mu;
};
RelaxedAnswer solve_relaxed(const LiveComponent& solver, const sculpt_factor_graph& graph,
                            const std::vector<double>& theta);

// By how much mu, of a graph whose tables are not shared, misses the local polytope.
double polytope_violation(const sculpt_factor_graph& graph, const std::vector<double>& mu);

}  // namespace plugin_test
