#include "clp_solver.hpp"

#include <sculpt/cpp/clp_stop.hpp>
#include <sculpt/sculpt.hpp>

#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <cmath>

void ClpSolver::solve(const LocalPolytope& polytope, std::int64_t max_cells,
                      const sculpt::Host& host, std::vector<double>& beliefs,
                      std::vector<double>& messages) {
  constraints_.build(polytope, max_cells);
  // A new object each time. Otherwise the choice among several solutions would depend on earlier
  // programs.
  ClpSimplex simplex;
  simplex.setLogLevel(0);
  sculpt::StopClp<ClpEventHandler> stop(host);
  simplex.passInEventHandler(&stop);
  // CLP's tolerances are absolute, so costs are scaled to [-1, 1].
  double scale = 0;
  for (const double score : polytope.scores()) scale = std::max(scale, std::abs(score));
  if (!(scale > 0)) scale = 1;
  std::vector<double> cost(polytope.scores());
  for (double& score : cost) score /= -scale;
  simplex.loadProblem(constraints_.column_count(), constraints_.row_count(),
                      constraints_.column_from().data(), constraints_.row().data(),
                      constraints_.value().data(), nullptr, nullptr, cost.data(),
                      constraints_.right_side().data(), constraints_.right_side().data());
  simplex.dual();
  host.throw_if_cancelled();
  if (simplex.status() != 0) simplex.primal();
  host.throw_if_cancelled();
  if (simplex.status() != 0) {
    throw sculpt::Error(
        SCULPT_E_INTERNAL,
        "CLP ends with status " + std::to_string(simplex.status()) + "; set \"method\": \"dual\"");
  }
  const double* const solution = simplex.primalColumnSolution();
  beliefs.assign(solution, solution + constraints_.column_count());
  constraints_.to_messages(simplex.dualRowSolution(), messages);
  for (double& message : messages) message *= scale;
}
