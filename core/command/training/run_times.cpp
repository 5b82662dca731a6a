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

// Runs below this many seconds get no advice.
constexpr double worth_advice = 1;

struct Part {
  double seconds;
  std::string text;
};

std::string percent(double seconds, const RunTimes& times) {
  const double share = times.total > 0 ? seconds / times.total : 0;
  return std::to_string(std::lround(100 * share)) + " %";
}

std::vector<Part> largest_first(std::vector<Part> parts) {
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.seconds > b.seconds; });
  return parts;
}

// The text before advice that makes a pass cheaper.
std::string fewer_passes(const AdviceFacts& shape) {
  return shape.columns_differ ? shape.columns.what + " needs fewer passes; " : "";
}

// True if joint planes cost more than planes of each example.
bool wants_n_slack(const AdviceFacts& shape) {
  return shape.is_hinge && shape.shares_slack && !shape.suits_one_slack;
}

std::string oracle_advice(const AdviceFacts& shape) {
  if (wants_n_slack(shape)) return "n_slack asks it less often";
  if (shape.more_threads) {
    return shape.asks_one_by_one
               ? "threads share the calls of a larger batch, which needs more passes"
               : "more threads share its calls";
  }
  return shape.takes_gap ? "a cheaper one, or a larger relative_gap, which asks less often"
                         : "a cheaper one, or fewer passes";
}

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

std::string planes_advice(const AdviceFacts& shape) {
  if (shape.limits_planes) return "a larger max_planes_megabytes keeps more of them";
  if (wants_n_slack(shape)) return "those of n_slack have fewer entries";
  return shape.takes_gap ? "a larger relative_gap makes them cheaper"
                         : "fewer features make them cheaper";
}

std::string optimization_text(const AdviceFacts& shape) {
  std::vector<std::string> advice;
  if (shape.columns_differ) advice.push_back(shape.columns.what);
  if (shape.limits_planes) advice.push_back("a larger max_planes_megabytes");
  if (shape.caches_planes) advice.push_back("a smaller cache");
  if (shape.slacks_vanish) advice.push_back("a smaller C");
  const bool solves_qp = shape.updated_by == UpdateKind::qp;
  if (shape.suits_one_slack) {
    const bool others_do = shape.is_hinge && !shape.shares_slack && shape.oracle_is_cheap;
    if (others_do) advice.push_back("one_slack");
  } else if (wants_n_slack(shape) || shape.updated_by == UpdateKind::steps_to_planes) {
    if (solves_qp || shape.oracle_is_cheap) advice.push_back("n_slack");
  }
  advice.push_back(shape.takes_gap ? "a larger relative_gap" : "fewer passes");
  return updates_text(shape.updated_by) + " (@): " + alternatives(std::move(advice));
}

}  // namespace

std::string alternatives(std::vector<std::string> advice) {
  if (advice.size() > 1) advice.back() = "or " + advice.back();
  return joined(advice, ", ");
}

double RunTimes::rest() const {
  double known = reading + evaluation + writing;
  for (const ReportedPhase& part : solver_phases) known += solver.*part.phase;
  return total - known;
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
  std::vector<Part> parts = {{times.reading, "reading"},
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
  for (const Part& part : largest_first(std::move(parts))) {
    if (part.seconds < min_reported_share * times.total) break;
    text += separator + part.text + " " + percent(part.seconds, times);
    separator = ", ";
  }
  return text;
}

std::string bottleneck_text(const RunTimes& times, const AdviceFacts& shape) {
  const TimeSplit& solver = times.solver;
  const std::vector<Part> limits = largest_first({
      {solver.oracle, "the oracle (@): " + fewer_passes(shape) + oracle_advice(shape)},
      {solver.sweeps + solver.qp, optimization_text(shape)},
      {solver.reduction, "the planes (@): " + fewer_passes(shape) + planes_advice(shape)},
      {times.solver.rest, "the solver beside its oracle (@): fewer weights, or fewer passes"},
      {times.reading, "reading the data (@): less of it, or fewer features"},
      {times.evaluation, "predicting on the splits (@): leave out test and sculpt evaluate it"},
      {times.writing, "writing (@): a larger checkpoint_seconds writes less often"},
  });
  std::string text = limits.front().text;
  if (times.total < worth_advice) text.resize(text.find(':'));
  text.replace(text.find('@'), 1, percent(limits.front().seconds, times));
  return text;
}

}  // namespace sculpt::core
