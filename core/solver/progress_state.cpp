// progress_state.cpp - counters, findings and bounds of a run in a state stream.

#include <array>
#include <cmath>

#include "solver/progress.hpp"

namespace sculpt::core {
namespace {

constexpr std::array saved_phases = {&TimeSplit::oracle,    &TimeSplit::sweeps,  &TimeSplit::qp,
                                     &TimeSplit::reduction, &TimeSplit::writing, &TimeSplit::rest};

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
  certificate_.save_bounds(out);
}

void Progress::load(StateReader& in) {
  found = load_findings(in);
  last_pass_ = load_findings(in);
  for (std::int64_t* count : {&passes_, &reported_, &oracle_calls_}) *count = in.get_count();
  for (bool* flag : {&all_asked_, &new_planes_optimized_, &qp_is_exact_}) *flag = in.get_flag();
  certificate_.load_bounds(in);
}

// Up to now, and not up to the mark: what a run did that is done anew has taken its time, too.
void Progress::save_times(StateWriter& out) const {
  const TimeSplit split = clock_.split();
  for (const Phase phase : saved_phases) out.put(split.*phase);
  out.put(stopping_.elapsed_seconds());
}

void Progress::load_times(StateReader& in) {
  const auto load = [&in] {
    const auto seconds = in.get<double>();
    in.require(std::isfinite(seconds) && seconds >= 0, "a time that is negative or not finite");
    return seconds;
  };
  for (const Phase phase : saved_phases) clock_.add_earlier(phase, load());
  stopping_.add_earlier(load());
}

}  // namespace sculpt::core
