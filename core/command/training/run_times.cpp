#include "command/training/run_times.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

// Parts below this fraction of the time are not printed.
constexpr double min_reported_share = 0.01;

struct TimeShare {
  double seconds;
  std::string text;
};

// The share of the whole time: "41 %".
std::string percent_of_total(double seconds, const RunTimes& times) {
  const double share = times.total > 0 ? seconds / times.total : 0;
  return std::to_string(std::lround(100 * share)) + " %";
}

std::vector<TimeShare> largest_first(std::vector<TimeShare> parts) {
  std::stable_sort(parts.begin(), parts.end(),
                   [](const TimeShare& a, const TimeShare& b) { return a.seconds > b.seconds; });
  return parts;
}

// The text before advice that makes a pass cheaper.
std::string fewer_passes_advice(const AdviceFacts& facts) {
  return facts.columns_differ ? facts.column_advice.noun + " for fewer passes; or " : "";
}

// True if a larger target, or fewer passes, are advice: the run reached what it was asked for.
bool may_ask_for_less(const AdviceFacts& facts) {
  return !facts.ended_early;
}

// The text of a part, and the advice if there is any.
std::string with_advice(const std::string& part, std::vector<std::string> advice) {
  return advice.empty() ? part : part + ": try " + alternatives(std::move(advice));
}

// True if joint planes cost more than planes of each example.
bool suits_n_slack(const AdviceFacts& facts) {
  return facts.is_hinge && facts.shares_slack && !facts.suits_one_slack;
}

// The noun after "try": how to spend less time in the oracle.
std::string oracle_advice(const AdviceFacts& facts) {
  if (suits_n_slack(facts)) return "the solver n_slack, which asks it less often";
  if (facts.has_idle_cores && facts.asks_one_by_one && facts.has_batch) {
    return "a larger batch (threads share its calls, but it needs more passes)";
  }
  if (facts.has_idle_cores && !facts.asks_one_by_one && facts.calls_are_divided) {
    return "more threads, which share its calls";
  }
  if (facts.has_idle_cores && !facts.calls_are_divided && facts.has_sgd_batch) {
    return "an sgd_batch of 64 or more, so that threads share its calls";
  }
  if (!may_ask_for_less(facts)) return "a faster oracle";
  return facts.has_relative_gap
             ? "a faster oracle, or a larger relative_gap, which needs fewer calls"
             : "a faster oracle, or fewer passes";
}

// The noun after "try": how to spend less time on the planes.
std::string planes_advice(const AdviceFacts& facts) {
  if (facts.limits_planes) return "a larger max_planes_megabytes, which keeps more of them";
  if (suits_n_slack(facts)) return "the solver n_slack, whose planes have fewer entries";
  return facts.has_relative_gap && may_ask_for_less(facts)
             ? "a larger relative_gap, which makes them cheaper"
             : "fewer features, which make them cheaper";
}

// " with sweeps": the share is the sum of two parts of the row "time".
std::string parts_of_updates(const RunTimes& times) {
  const double smallest = min_reported_share * times.total;
  const bool has_both = times.solver.sweeps >= smallest && times.solver.qp >= smallest;
  return has_both ? " with sweeps" : "";
}

// The text if the QP or the steps limit the run; "@" stands for their share of the time.
std::string optimization_text(const RunTimes& times, const AdviceFacts& facts) {
  std::vector<std::string> advice;
  if (facts.columns_differ) advice.push_back(facts.column_advice.noun);
  if (facts.limits_planes) advice.push_back("a larger max_planes_megabytes");
  if (facts.caches_planes) advice.push_back("a smaller cache");
  if (facts.slacks_vanish) advice.push_back("a smaller solver.C");
  const bool solves_qp = facts.updated_by == UpdateKind::qp;
  if (facts.suits_one_slack) {
    const bool one_slack_is_faster = facts.is_hinge && !facts.shares_slack && facts.oracle_is_cheap;
    if (one_slack_is_faster) advice.push_back("the solver one_slack");
  } else if (suits_n_slack(facts) || facts.updated_by == UpdateKind::steps_to_planes) {
    if (solves_qp || facts.oracle_is_cheap) advice.push_back("the solver n_slack");
  }
  if (may_ask_for_less(facts)) {
    advice.push_back(facts.has_relative_gap ? "a larger relative_gap" : "fewer passes");
  }
  return with_advice(updates_text(facts.updated_by) + " (@" + parts_of_updates(times) + ")",
                     std::move(advice));
}

}  // namespace

std::string updates_text(UpdateKind updated_by) {
  switch (updated_by) {
    case UpdateKind::qp:
      return "the QP";
    case UpdateKind::steps_to_planes:
      return "steps to known planes";
    case UpdateKind::steps:
      break;
  }
  return "steps";
}

std::string alternatives(std::vector<std::string> advice) {
  if (advice.size() > 1) advice.back() = "or " + advice.back();
  return joined(advice, ", ");
}

double RunTimes::rest() const {
  double explained = reading + evaluation + writing;
  for (const ReportedPhase& part : solver_phases) explained += solver.*part.phase;
  return total - explained;
}

void add_run_times(nlohmann::ordered_json& event, const RunTimes& times) {
  event["seconds"] = times.total;
  event["reading_seconds"] = times.reading;
  for (const ReportedPhase& part : solver_phases) event[part.key] = times.solver.*part.phase;
  event["evaluation_seconds"] = times.evaluation;
  event["writing_seconds"] = times.writing;
  event["rest_seconds"] = times.rest();
}

std::string time_text(const RunTimes& times) {
  std::vector<TimeShare> parts = {{times.reading, "reading"},
                                  {times.evaluation, "evaluation"},
                                  {times.writing, "writing"},
                                  {times.rest(), "rest"}};
  for (const ReportedPhase& part : solver_phases) {
    parts.push_back({times.solver.*part.phase, part.text});
  }
  char total[32];
  std::snprintf(total, sizeof total, "%.2f s", times.total);
  std::string text = total;
  const char* separator = ": ";
  for (const TimeShare& part : largest_first(std::move(parts))) {
    if (part.seconds < min_reported_share * times.total) break;
    text += separator + part.text + " " + percent_of_total(part.seconds, times);
    separator = ", ";
  }
  return text;
}

std::string bottleneck_text(const RunTimes& times, const AdviceFacts& facts) {
  const PhaseTimes& solver = times.solver;
  // "@" stands for the share of the time.
  const std::vector<TimeShare> limits = largest_first({
      {solver.oracle, "the oracle (@): try " + fewer_passes_advice(facts) + oracle_advice(facts)},
      {solver.sweeps + solver.qp, optimization_text(times, facts)},
      {solver.reduction,
       "the planes (@): try " + fewer_passes_advice(facts) + planes_advice(facts)},
      {solver.rest, std::string("the solver apart from its oracle (@): try fewer weights") +
                        (may_ask_for_less(facts) ? ", or fewer passes" : "")},
      {times.reading, "reading the data (@): try less data, or fewer features"},
      {times.evaluation,
       "predicting on the splits (@): leave out the split \"test\" and use sculpt evaluate"},
      {times.writing, "writing (@): try a larger checkpoint_seconds, which writes less often"},
  });
  std::string text = limits.front().text;
  if (times.total < min_seconds_for_advice) text.resize(std::min(text.size(), text.find(':')));
  text.replace(text.find('@'), 1, percent_of_total(limits.front().seconds, times));
  return text;
}

}  // namespace sculpt::core
