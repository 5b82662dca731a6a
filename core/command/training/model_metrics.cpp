#include "command/training/model_metrics.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/cancelled.hpp"
#include "base/failure.hpp"
#include "base/surroundings.hpp"
#include "base/text/message_text.hpp"
#include "launch/run_events.hpp"
#include "linalg/products.hpp"
#include "objective/log_loss_objective.hpp"
#include "problem/prediction/probability_evaluation.hpp"
#include "problem/sources/problem_planes.hpp"
#include "verify/plane_check.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// The value of "known" in the event, by BoundKind.
constexpr std::array<const char*, 3> bound_kind_words = {"exactly", "at least", "at most"};

// Evaluates the splits that have examples. On a stop request `out` has the splits finished so far.
// `probabilities`: nullptr leaves out their metrics.
void evaluate_splits(Problem& problem, Predictor& predictor, Probabilities* probabilities,
                     SplitEvaluations& out) {
  const ExampleList validation = problem.validation();
  const ExampleList test(problem.dataset().split("test"));
  const std::array<std::pair<const char*, const ExampleList*>, 3> splits = {
      {{"train", &problem.training()}, {"validation", &validation}, {"test", &test}}};
  for (const auto& [split, examples] : splits) {
    if (examples->size() == 0) continue;
    out.emplace_back(split, predictor.run(*examples, {}));
    if (probabilities == nullptr) continue;
    add_probability_metrics(problem, *probabilities, *examples, out.back().second);
  }
}

// The probabilities of a model that minimizes a log-loss. Other models have none.
std::unique_ptr<Probabilities> probabilities_of(Problem& problem, const Objective& objective,
                                                const Vector& w) {
  const LogLossTerms* const terms = objective.log_loss();
  if (terms == nullptr) return nullptr;
  return std::make_unique<Probabilities>(problem, w, terms->temperature);
}

// Runs measure(). Returns "", or why the oracle refuses the problem. The refusal may depend on w,
// as for a table that is not attractive. The model exists by now, so its other metrics are still
// computed.
template <class Measure>
std::string refusal_of(Measure&& measure) {
  try {
    measure();
  } catch (const Failure& failure) {
    if (failure.exit_code() != Exit::config) throw;
    return failure.what();
  }
  return "";
}

// P over outputs at the w of the result. P - D bounds the distance to the optimum, unless D belongs
// to relaxed outputs: that D can be above the smallest P.
void run_audit(Problem& problem, const Experiment& experiment, const Result& result,
               const Vector& weights, Console& console, Audit& out) {
  ProblemPlanes source(problem, static_cast<std::uint64_t>(experiment.seed), problem.audit());
  PlaneCheck plane_check(source, {problem.formulation(), nullptr, false},
                         [&](const EvaluationPoint&, std::int64_t done, std::int64_t total) {
                           console.progress("audit", "answers of " + out.oracle, done, total);
                         });
  if (problem.formulation().is_hard_margin()) {  // these answers give the tolerance for rounding
    const Vector zero(weights.size(), 0.0);
    plane_check.ask_oracle({zero, "w = 0"});
  }
  const MeanSlackBounds slack = plane_check.ask_oracle(
      {weights, "the w of the model", static_cast<std::uint64_t>(result.passes)});
  const PrimalBounds primal = bound_primal(
      problem.formulation(),
      problem.kernel() ? problem.kernel()->squared_norm(result.w, weights) : squared_norm(weights),
      {slack.low_by_answers, slack.high, slack.low_by_answers});
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

Json splits_json(const SplitEvaluations& splits) {
  Json json = Json::object();
  for (const auto& [split, evaluation] : splits) json[split] = metrics_json(evaluation);
  return json;
}

}  // namespace

ModelMetrics measure(Problem& problem, const Experiment& experiment, const Objective& objective,
                     const Result& result, Console& console) {
  ModelMetrics metrics;
  const auto seed = static_cast<std::uint64_t>(experiment.seed);
  try {
    const Vector scores = problem.kernel() ? problem.kernel()->weights_of(result.w) : Vector();
    const Vector& weights = problem.kernel() ? scores : result.w;
    Predictor own(problem, weights, seed);
    const auto probabilities = probabilities_of(problem, objective, weights);
    evaluate_splits(problem, own, probabilities.get(), metrics.splits);
    if (probabilities != nullptr && !probabilities->are_exact()) {
      console.warn(Probabilities::approximate_text);
    }
    for (std::size_t k = 0; k < experiment.predict_with.size(); ++k) {
      Predictor other(problem, weights, seed, problem.prediction_oracle(k));
      PredictedWith& predicted = metrics.predicted_with.emplace_back();
      predicted.oracle = experiment.predict_with[k].text;
      predicted.refusal =
          refusal_of([&] { evaluate_splits(problem, other, nullptr, predicted.splits); });
    }
    if (experiment.audit_with) {
      Audit audit;
      audit.oracle = experiment.audit_with->text;
      audit.refusal =
          refusal_of([&] { run_audit(problem, experiment, result, weights, console, audit); });
      metrics.audit = audit;
    }
  } catch (const Cancelled&) {
    metrics.is_complete = false;
    const bool is_stopped = stop_requested() || result.stopped_by == StoppedBy::signal;
    console.warn(std::string(is_stopped ? "stopped on request" : "max_seconds has passed") +
                 ": not all splits are measured; measure the rest with sculpt evaluate");
  }
  return metrics;
}

ValidationValue measure_validation(Problem& problem, const Experiment& experiment,
                                   const Objective& objective, const Result& result,
                                   const ValidationRule& rule) {
  const Vector scores = problem.kernel() ? problem.kernel()->weights_of(result.w) : Vector();
  const Vector& weights = problem.kernel() ? scores : result.w;
  Predictor predictor(problem, weights, static_cast<std::uint64_t>(experiment.seed));
  const ExampleList examples = problem.validation();
  Evaluation evaluation = predictor.run(examples, {});
  if (evaluation.metrics.empty()) {
    throw Failure(Exit::data, rule.position +
                                  ": \"validate_every\": no validation example has a truth; use "
                                  "labelled examples");
  }
  const auto probabilities = probabilities_of(problem, objective, weights);
  if (probabilities != nullptr) {
    add_probability_metrics(problem, *probabilities, examples, evaluation);
  }
  std::vector<std::string> names;
  for (const Metric& metric : evaluation.metrics) {
    names.push_back(metric.name);
    if (metric.name != rule.metric) continue;
    if (metric.better.empty()) break;
    const bool higher = metric.better == "higher";
    const double worst = std::numeric_limits<double>::max();
    return {std::isfinite(metric.value) ? metric.value : (higher ? -worst : worst), higher};
  }
  throw Failure(Exit::config, rule.position + ": \"validate_metric\" is \"" + rule.metric +
                                  "\", which is no metric that tells better models; use one of: " +
                                  joined(names, ", "));
}

void add_metrics(Json& event, const ModelMetrics& metrics) {
  event["all_measured"] = metrics.is_complete;
  event.update(splits_json(metrics.splits));
  for (const auto& [split, evaluation] : metrics.splits) {
    for (const Metric& metric : evaluation.metrics) {
      if (!metric.better.empty()) event["better"][metric.name] = metric.better;
    }
  }
  for (const PredictedWith& other : metrics.predicted_with) {
    Json& json = event["predict_with"][other.oracle] = splits_json(other.splits);
    if (!other.refusal.empty()) json["refused"] = other.refusal;
  }
  if (!metrics.audit) return;
  const Audit& audit = *metrics.audit;
  if (!audit.refusal.empty()) {
    event["audit"] = {{"oracle", audit.oracle}, {"refused", audit.refusal}};
    return;
  }
  event["audit"] = {{"oracle", audit.oracle},
                    {"primal", number_json(audit.primal())},
                    {"primal_low", number_json(audit.primal_low)},
                    {"primal_high", number_json(audit.primal_high)},
                    {"gap", number_json(audit.gap)},
                    {"relative_gap", number_json(audit.relative_gap)},
                    {"known", bound_kind_words[static_cast<std::size_t>(audit.bound_kind())]}};
}

}  // namespace sculpt::core
