// clp_solver.hpp - the linear program over a local polytope by the simplex method of COIN-OR CLP.
//
// The reference that lp is held to; method = "clp" of lp. One thread, no output.
#pragma once

#include "constraints.hpp"

#include <memory>

class ClpSolver {
 public:
  ClpSolver();
  ~ClpSolver();
  ClpSolver(const ClpSolver&) = delete;
  ClpSolver& operator=(const ClpSolver&) = delete;

  // Beliefs of a vertex, and messages whose bound is its value, both up to CLP's tolerances.
  void solve(const LocalPolytope& polytope, std::vector<double>& beliefs,
             std::vector<double>& messages);

 private:
  struct Model;
  std::unique_ptr<Model> model_;
  Constraints constraints_;
};
