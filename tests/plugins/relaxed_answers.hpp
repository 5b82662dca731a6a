// relaxed_answers.hpp - calls of map_solvers and oracles for answers with a bound, and for relaxed
// answers.
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
BoundedAnswer argmax_bounded(const LiveComponent& oracle, const OracleQuery& query);

struct RelaxedOracleAnswer : BoundedAnswer {
  std::vector<double> psi;
  double loss = 0;
};
RelaxedOracleAnswer argmax_relaxed(const LiveComponent& oracle, const OracleQuery& query);

// By how much mu violates the local polytope, in its worst constraint. Requires a graph without
// shared tables.
double polytope_violation(const sculpt_factor_graph& graph, const std::vector<double>& mu);

}  // namespace plugin_test
