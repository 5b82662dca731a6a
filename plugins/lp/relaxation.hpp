// relaxation.hpp - solves the linear program of one query: beliefs, value, bound.
//
// Chooses the method by the graph. Used by the session in lp.cpp.
#pragma once

#include "clp_solver.hpp"
#include "dual_ascent.hpp"
#include "interior_point.hpp"
#include "local_polytope.hpp"
#include "roof_duality.hpp"

#include <sculpt/sculpt.hpp>

class Relaxation {
 public:
  enum class Method { dual, clp };
  struct Options {
    Method method;
    InteriorPoint::Limits limits;
  };

  // Requires a state for every variable. Throws unsupported_error for scores that are not finite
  // and for programs above the limit. Throws E_CANCELLED if the host asks to stop.
  void solve(const sculpt::MapQuery& query, const Options& options, const sculpt::Host& host);

  const LocalPolytope& polytope() const { return polytope_; }
  // Consistent up to rounding.
  const std::vector<double>& beliefs() const { return beliefs_; }
  // An upper bound of all beliefs, hence of all outputs.
  double bound() const { return bound_; }
  // Differences below this are rounding.
  double rounding() const { return 1e-10 * polytope_.magnitude(); }

 private:
  void solve_by_cut(const sculpt::MapQuery& query, const sculpt::Host& host);
  bool solve_by_ascent(const sculpt::Host& host);
  void solve_by_interior_point(const InteriorPoint::Limits& limits, const sculpt::Host& host);
  void set_beliefs(std::span<const std::int32_t> y);

  LocalPolytope polytope_;
  RoofDuality roof_;
  DualAscent ascent_;
  InteriorPoint interior_;
  ClpSolver clp_;
  std::vector<double> beliefs_;
  std::vector<double> messages_;
  std::vector<double> unaries_;
  std::vector<std::int32_t> y_;
  double bound_ = 0;
};
