#include "command/training/model_metrics.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/cancelled.hpp"
#include "launch/run_events.hpp"
#include "launch/stop_signal.hpp"
#include "linalg/products.hpp"
#include "problem/sources/problem_planes.hpp"
#include "verify/plane_audit.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 3> word_of_known = {"exactly", "at least",
                                                      "at most"};  // by BoundKind

// Evaluates the splits that have examples. On a stop request `out` has the splits finished so far.
void measure_splits(Problem& problem, Predictor& predictor, SplitEvaluations& out) {
  const ExampleList validation = problem.validation();
  const ExampleList test(problem.dataset().split("test"));
  const std::array<std::pair<const char*, const ExampleList*>, 3> splits = {
      {{"train", &problem.training()}, {"validation", &validation}, {"test", &test}}};
  for (const auto& [split, examples] : splits) {
    if (examples->size() > 0) out.emplace_back(split, predictor.run(*examples, {}));
  }
}

// Runs measure(). Returns "", or why the oracle refuses the problem. The refusal may depend on w,
// as for a table that is not attractive. The model exists by now, so its other metrics are still
// computed.
template <class Measure>
std::string refusal_of(Measure&& measure) {
  try {
    measure();
  } catch (const Failure& failure) {
    if (failure.exit() != Exit::config) throw;
    return failure.what();
  }
  return "";
}

// P over outputs at the w of the result. P - D bounds the distance to the optimum, unless D belongs
// to relaxed outputs: that D can be above the smallest P.
void audit(Problem& problem, const Experiment& experiment, const Result& result, Console& console,
           Audit& out) {
  ProblemPlanes source(problem, static_cast<std::uint64_t>(experiment.seed), problem.audit());
  PlaneAudit asked(source, {problem.formulation(), nullptr, false},
                   [&](const EvaluationPoint&, std::int64_t done, std::int64_t total) {
                     console.progress("audit", "answers of " + out.oracle, done, total);
                   });
  if (problem.formulation().hard_margin()) {  // these answers give the tolerance for rounding
    const Vector zero(result.w.size(), 0.0);
    asked.ask({zero, "w = 0"});
  }
  const MeanSlackBounds slack =
      asked.ask({result.w, "the w of the model", static_cast<std::uint64_t>(result.passes)});
  const PrimalBounds primal = bound_primal(problem.formulation(), squared_norm(result.w),
                                           {slack.asked, slack.high, slack.asked});
  out.primal_low = primal.low;
  out.primal_high = primal.high;
  // The bound of the run is also valid, even if the other oracle finds less.
  if (!problem.oracle().relaxes()) {
    out.primal_low = std::min(std::max(primal.low, result.primal_low), primal.high);
  }
  if (problem.oracle().relaxes() || std::isnan(result.dual)) return;
  out.gap = std::max(0.0, out.primal() - result.dual);
  out.relative_gap = out.gap == 0 ? 0 : out.gap / std::abs(out.primal());
}

Json measured_json(const SplitEvaluations& measured) {
  Json json = Json::object();
  for (const auto& [split, evaluation] : measured) json[split] = metrics_json(evaluation);
  return json;
}

}  // namespace

ModelMetrics measure(Problem& problem, const Experiment& experiment, const Result& result,
                     Console& console) {
  ModelMetrics figures;
  const auto seed = static_cast<std::uint64_t>(experiment.seed);
  try {
    Predictor own(problem, result.w, seed);
    measure_splits(problem, own, figures.splits);
    for (std::size_t k = 0; k < experiment.predict_with.size(); ++k) {
      Predictor other(problem, result.w, seed, problem.predictor(k));
      PredictedWith& with = figures.predicted_with.emplace_back();
      with.oracle = experiment.predict_with[k].text;
      with.refused = refusal_of([&] { measure_splits(problem, other, with.splits); });
    }
    if (experiment.audit_with) {
      Audit found;
      found.oracle = experiment.audit_with->text;
      found.refused = refusal_of([&] { audit(problem, experiment, result, console, found); });
      figures.audit = found;
    }
  } catch (const Cancelled&) {
    figures.complete = false;
    console.warn(std::string(stop_signal() != 0 ? "stopped on request" : "max_seconds is over") +
                 ": not all splits have been measured; sculpt evaluate does that");
  }
  return figures;
}

void add_figures(Json& event, const ModelMetrics& figures) {
  event["all_measured"] = figures.complete;
  event.update(measured_json(figures.splits));
  for (const PredictedWith& other : figures.predicted_with) {
    Json& json = event["predict_with"][other.oracle] = measured_json(other.splits);
    if (!other.refused.empty()) json["refused"] = other.refused;
  }
  if (!figures.audit) return;
  const Audit& audit = *figures.audit;
  if (!audit.refused.empty()) {
    event["audit"] = {{"oracle", audit.oracle}, {"refused", audit.refused}};
    return;
  }
  event["audit"] = {{"oracle", audit.oracle},
                    {"primal", number_json(audit.primal())},
                    {"primal_low", number_json(audit.primal_low)},
                    {"primal_high", number_json(audit.primal_high)},
                    {"gap", number_json(audit.gap)},
                    {"relative_gap", number_json(audit.relative_gap)},
                    {"known", word_of_known[static_cast<std::size_t>(audit.known())]}};
}

}  // namespace sculpt::core
