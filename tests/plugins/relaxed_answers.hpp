// relaxed_answers.hpp - what map_solvers and oracles say with a bound, or where their answer need
// be no output, through the C ABI.
#pragma once

#include <sculpt/ext/cut.h>

#include "oracle_calls.hpp"

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

// Defined in oracle_calls.cpp, beside argmax().
BoundedAnswer argmax_bounded(const LiveComponent& oracle, const Question& question);

struct OracleCut : BoundedAnswer {
  std::vector<double> psi;
  double loss = 0;
};
OracleCut argmax_relaxed(const LiveComponent& oracle, const Question& question);

// By how much mu, of a graph whose tables are not shared, misses the local polytope.
double polytope_violation(const sculpt_factor_graph& graph, const std::vector<double>& mu);

}  // namespace plugin_test
