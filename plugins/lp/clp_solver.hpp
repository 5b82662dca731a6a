// clp_solver.hpp - the linear program over a local polytope by the simplex method of COIN-OR CLP.
//
// The reference that lp is held to; method = "clp" of lp. One thread, no output.
#pragma once

#include "constraints.hpp"

#include <sculpt/cpp/host.hpp>

class ClpSolver {
 public:
  // Beliefs of a vertex, and messages whose bound is its value, both up to CLP's tolerances. They
  // depend on the program alone. Throws E_CANCELLED when the host asks to stop, unsupported_error
  // for equations of more than max_cells entries.
  void solve(const LocalPolytope& polytope, std::int64_t max_cells, const sculpt::Host& host,
             std::vector<double>& beliefs, std::vector<double>& messages);

 private:
  Constraints constraints_;
};
