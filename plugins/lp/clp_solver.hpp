// clp_solver.hpp - solves the linear program over a local polytope by the simplex method of COIN-OR
// CLP.
//
// The reference for lp, with "method": "clp". One thread, no output. Used by relaxation.cpp.
#pragma once

#include "constraints.hpp"

#include <sculpt/cpp/host.hpp>

class ClpSolver {
 public:
  // Writes the beliefs of a vertex, and messages whose bound is its value, up to CLP's tolerances.
  // Both depend on the program alone. Throws E_CANCELLED if the host asks to stop, and
  // unsupported_error if the equations have more than max_cells entries.
  void solve(const LocalPolytope& polytope, std::int64_t max_cells, const sculpt::Host& host,
             std::vector<double>& beliefs, std::vector<double>& messages);

 private:
  Constraints constraints_;
};
