// pass_controller_state.cpp - writes and reads the counters, findings and bounds of a run.

#include <cmath>

#include "solver/cutting_plane/pass_controller.hpp"

namespace sculpt::core {
namespace {

void save_findings(const PassFindings& findings, StateWriter& out) {
  out.put(findings.at_one_w);
  out.put(findings.skips_oracles);
  for (const double value : {findings.dual_at_begin, findings.gap, findings.violation_beyond_slack,
                             findings.missing_margin_fraction}) {
    out.put(value);
  }
  out.put(findings.new_planes);
  findings.answers.save(out);
}

PassFindings load_findings(StateReader& in) {
  PassFindings findings;
  findings.at_one_w = in.get_flag();
  findings.skips_oracles = in.get_flag();
  for (double* value : {&findings.dual_at_begin, &findings.gap, &findings.violation_beyond_slack,
                        &findings.missing_margin_fraction}) {
    *value = in.get<double>();
    in.require(!std::isnan(*value), "a value that is not a number");
  }
  findings.new_planes = in.get_count();
  findings.answers.load(in);
  return findings;
}

}  // namespace

void PassController::save(StateWriter& out) const {
  save_findings(findings, out);
  save_findings(last_pass_, out);
  save_counts(out);
  for (const bool flag : {has_asked_all_, has_optimized_new_planes_, qp_is_exact_}) out.put(flag);
  out.put(dual_at_drop_);
  stall_counter_.save(out);
  certificate_.save_bounds(out);
}

void PassController::load(StateReader& in) {
  findings = load_findings(in);
  last_pass_ = load_findings(in);
  load_counts(in);
  for (bool* flag : {&has_asked_all_, &has_optimized_new_planes_, &qp_is_exact_}) {
    *flag = in.get_flag();
  }
  dual_at_drop_ = in.get<double>();
  in.require(std::isfinite(dual_at_drop_), "a dual that is not finite");
  stall_counter_.load(in);
  certificate_.load_bounds(in);
}

}  // namespace sculpt::core
