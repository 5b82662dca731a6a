#include "solver/progress.hpp"

#include <cmath>

namespace sculpt::core {

void Progress::report(Listener& listener, const WorkingSet& working_set,
                      const PrimalBounds& primal) const {
  PassReport report;
  report.pass = passes;
  report.oracle_calls = oracle_calls;
  report.planes = working_set.plane_count();
  report.active_planes = working_set.active_count();
  report.primal_low = primal.low;
  report.primal_high = primal.high;
  report.best_primal = certificate.primal();
  report.dual = certificate.dual();
  report.gap = certificate.gap();
  report.relative_gap = certificate.relative_gap();
  report.certified = certificate.certified();
  report.mean_slack = primal.mean_slack;
  report.oracle_seconds = oracle_seconds;
  report.qp_seconds = qp_seconds;
  report.elapsed_seconds = stopping.elapsed_seconds();
  listener.pass_done(report);
}

Result Progress::result(StoppedBy rule, const WorkingSet& working_set) const {
  Result result;
  result.w = certificate.w();
  result.primal = certificate.primal();
  result.primal_low = certificate.primal_low();
  if (certificate.certified()) result.primal_high = certificate.primal_high();
  result.dual = certificate.dual();
  result.gap = certificate.gap();
  result.relative_gap = certificate.relative_gap();
  result.certified = certificate.certified();
  result.reached =
      result.certified && (rule == StoppedBy::relative_gap || rule == StoppedBy::epsilon);
  result.stopped_by = rule;
  result.passes = passes;
  result.oracle_calls = oracle_calls;
  result.planes = working_set.plane_count();
  result.active_planes = working_set.active_count();
  result.no_output = no_output;
  result.truth_outside = truth_outside;
  result.oracle_seconds = oracle_seconds;
  result.qp_seconds = qp_seconds;
  result.elapsed_seconds = stopping.elapsed_seconds();
  return result;
}

}  // namespace sculpt::core
