// progress_state.cpp - counters, findings and bounds of a run in a state stream.

#include <cmath>

#include "solver/progress.hpp"

namespace sculpt::core {
namespace {

void save_findings(const PassFindings& found, StateWriter& out) {
  out.put(found.at_one_w);
  for (const double figure : {found.gap, found.excess, found.shortfall}) out.put(figure);
  for (const std::int64_t count : {found.new_planes, found.no_output, found.truth_outside}) {
    out.put(count);
  }
}

PassFindings load_findings(StateReader& in) {
  PassFindings found;
  found.at_one_w = in.get_flag();
  for (double* figure : {&found.gap, &found.excess, &found.shortfall}) {
    *figure = in.get<double>();
    in.require(!std::isnan(*figure), "a finding that is no number");
  }
  for (std::int64_t* count : {&found.new_planes, &found.no_output, &found.truth_outside}) {
    *count = in.get_count();
  }
  return found;
}

}  // namespace

void Progress::save(StateWriter& out) const {
  save_findings(found, out);
  save_findings(last_pass_, out);
  for (const std::int64_t count : {passes_, reported_, oracle_calls_}) out.put(count);
  for (const bool flag : {all_asked_, new_planes_optimized_, qp_is_exact_}) out.put(flag);
  for (const double seconds : {oracle_seconds_, qp_seconds_, stopping_.elapsed_seconds()}) {
    out.put(seconds);
  }
  certificate_.save_bounds(out);
}

void Progress::load(StateReader& in) {
  found = load_findings(in);
  last_pass_ = load_findings(in);
  for (std::int64_t* count : {&passes_, &reported_, &oracle_calls_}) *count = in.get_count();
  for (bool* flag : {&all_asked_, &new_planes_optimized_, &qp_is_exact_}) *flag = in.get_flag();
  double elapsed = 0;
  for (double* seconds : {&oracle_seconds_, &qp_seconds_, &elapsed}) {
    *seconds = in.get<double>();
    in.require(std::isfinite(*seconds) && *seconds >= 0, "a time that is negative or not finite");
  }
  stopping_.add_earlier(elapsed);
  certificate_.load_bounds(in);
}

}  // namespace sculpt::core
