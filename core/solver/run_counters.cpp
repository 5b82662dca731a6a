#include "solver/run_counters.hpp"

#include <array>

namespace sculpt::core {
namespace {

constexpr std::array saved_phases = {&PhaseTimes::oracle,  &PhaseTimes::sweeps,
                                     &PhaseTimes::qp,      &PhaseTimes::reduction,
                                     &PhaseTimes::writing, &PhaseTimes::rest};

}  // namespace

RunCounters::RunCounters(const StopOptions& options, const ExampleSource& source,
                         const StopRequest& stop)
    : source_(source),
      stop_rules_(options, stop, source.ranks()),
      example_count_(source.example_count()),
      asked_count_(asked_count(example_count_, source.example_weights())) {}

Pass RunCounters::next_pass() const {
  return {static_cast<std::uint64_t>(passes_ + 1),
          [this] { return stop_rules_.interruption().has_value(); }};
}

std::optional<StoppedBy> RunCounters::reached_limit() const {
  return stop_rules_.reached_limit(passes_, oracle_calls_);
}

std::optional<StoppedBy> RunCounters::limit_after_next_pass() const {
  return stop_rules_.reached_limit(passes_ + 1, oracle_calls_ + asked_count_);
}

void RunCounters::fill(PassReport& report) const {
  report.pass = passes_;
  report.oracle_calls = oracle_calls_;
  report.times = clock_.times();
  report.elapsed_seconds = stop_rules_.elapsed_seconds();
}

void RunCounters::fill(Result& result) const {
  result.passes = passes_;
  result.oracle_calls = oracle_calls_;
  result.times = clock_.times();
  result.elapsed_seconds = stop_rules_.elapsed_seconds();
}

void fill_answer_counts(const PlaneSource& source, const AnswerCounts& counts, PassReport& report) {
  if (source.relaxes()) report.fractional = counts.fractional_count;
  if (source.escalates()) report.escalated = counts.escalated_count;
}

void RunCounters::save_counts(StateWriter& out) const {
  for (const std::int64_t count : {passes_, reported_passes_, oracle_calls_}) out.put(count);
}

void RunCounters::load_counts(StateReader& in) {
  for (std::int64_t* count : {&passes_, &reported_passes_, &oracle_calls_}) *count = in.get_count();
}

void RunCounters::save_times(StateWriter& out) const {
  const PhaseTimes times = clock_.times();
  for (const Phase phase : saved_phases) out.put(times.*phase);
  out.put(stop_rules_.elapsed_seconds());
}

void RunCounters::load_times(StateReader& in) {
  for (const Phase phase : saved_phases) clock_.add_earlier(phase, in.get_seconds());
  stop_rules_.add_earlier_seconds(in.get_seconds());
}

}  // namespace sculpt::core
