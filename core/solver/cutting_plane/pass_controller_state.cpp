// pass_controller_state.cpp - writes and reads the counters, findings and bounds of a run.

#include <cmath>

#include "solver/cutting_plane/pass_controller.hpp"

namespace sculpt::core {
namespace {

void save_findings(const PassFindings& found, StateWriter& out) {
  out.put(found.at_one_w);
  out.put(found.skips_oracles);
  for (const double figure : {found.dual_before, found.gap, found.excess, found.shortfall})
    out.put(figure);
  out.put(found.new_planes);
  found.answers.save(out);
}

PassFindings load_findings(StateReader& in) {
  PassFindings found;
  found.at_one_w = in.get_flag();
  found.skips_oracles = in.get_flag();
  for (double* figure : {&found.dual_before, &found.gap, &found.excess, &found.shortfall}) {
    *figure = in.get<double>();
    in.require(!std::isnan(*figure), "a finding that is no number");
  }
  found.new_planes = in.get_count();
  found.answers.load(in);
  return found;
}

}  // namespace

void PassController::save(StateWriter& out) const {
  save_findings(found, out);
  save_findings(last_pass_, out);
  save_counts(out);
  for (const bool flag : {all_asked_, new_planes_optimized_, qp_is_exact_}) out.put(flag);
  out.put(dual_at_drop_);
  stall_counter_.save(out);
  certificate_.save_bounds(out);
}

void PassController::load(StateReader& in) {
  found = load_findings(in);
  last_pass_ = load_findings(in);
  load_counts(in);
  for (bool* flag : {&all_asked_, &new_planes_optimized_, &qp_is_exact_}) *flag = in.get_flag();
  dual_at_drop_ = in.get<double>();
  in.require(std::isfinite(dual_at_drop_), "a dual that is not finite");
  stall_counter_.load(in);
  certificate_.load_bounds(in);
}

}  // namespace sculpt::core
