#include "command/training_figures.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "cancelled.hpp"
#include "linalg/products.hpp"
#include "problem/problem_separator.hpp"
#include "run/run_events.hpp"
#include "verify/plane_audit.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// Of the splits that hold examples; `out` has those that were measured when a stop request came.
void measure_splits(Problem& problem, Predictor& predictor, Measured& out) {
  const ExampleList validation = problem.validation();
  const ExampleList test(problem.dataset().split("test"));
  const std::array<std::pair<const char*, const ExampleList*>, 3> splits = {
      {{"train", &problem.training()}, {"validation", &validation}, {"test", &test}}};
  for (const auto& [split, examples] : splits) {
    if (examples->size() > 0) out.emplace_back(split, predictor.run(*examples, {}));
  }
}

// P of outputs at the w of the result. Its distance to D says how far that is from the least P, but
// where D is that of relaxed outputs, which may be more than any P.
Audit audit(Problem& problem, const Experiment& experiment, const Result& result,
            Console& console) {
  ProblemSeparator separator(problem, static_cast<std::uint64_t>(experiment.seed), problem.audit());
  const std::string name = experiment.audit_with->text;
  PlaneAudit asked(separator, {problem.formulation(), nullptr, false},
                   [&](const Place&, std::int64_t done, std::int64_t total) {
                     console.progress("audit", "answers of " + name, done, total);
                   });
  const FreshSlack slack =
      asked.ask({result.w, "the w of the model", static_cast<std::uint64_t>(result.passes)});
  const PrimalBounds primal = bound_primal(problem.formulation(), squared_norm(result.w),
                                           {slack.asked, slack.high, slack.asked});
  Audit out{name, primal.low, primal.high};
  if (problem.oracle().relaxes() || std::isnan(result.dual)) return out;
  out.gap = std::max(0.0, out.primal() - result.dual);
  out.relative_gap = out.gap == 0 ? 0 : out.gap / std::abs(out.primal());
  return out;
}

Json measured_json(const Measured& measured) {
  Json json = Json::object();
  for (const auto& [split, evaluation] : measured) json[split] = metrics_json(evaluation);
  return json;
}

}  // namespace

Figures measure(Problem& problem, const Experiment& experiment, const Result& result,
                Console& console) {
  Figures figures;
  const auto seed = static_cast<std::uint64_t>(experiment.seed);
  try {
    Predictor own(problem, result.w, seed);
    measure_splits(problem, own, figures.splits);
    for (std::size_t k = 0; k < experiment.predict_with.size(); ++k) {
      Predictor other(problem, result.w, seed, problem.predictor(k));
      figures.predicted_with.emplace_back(experiment.predict_with[k].text, Measured());
      measure_splits(problem, other, figures.predicted_with.back().second);
    }
    if (experiment.audit_with) figures.audit = audit(problem, experiment, result, console);
  } catch (const Cancelled&) {
    figures.complete = false;
    console.warn("stopped on request: not all splits have been measured");
  }
  return figures;
}

void add_figures(Json& event, const Figures& figures) {
  event["all_measured"] = figures.complete;
  event.update(measured_json(figures.splits));
  for (const auto& [oracle, measured] : figures.predicted_with) {
    event["predict_with"][oracle] = measured_json(measured);
  }
  if (!figures.audit) return;
  const Audit& audit = *figures.audit;
  event["audit"] = {{"oracle", audit.oracle},
                    {"primal", number_json(audit.primal())},
                    {"primal_low", number_json(audit.primal_low)},
                    {"primal_high", number_json(audit.primal_high)},
                    {"gap", number_json(audit.gap)},
                    {"relative_gap", number_json(audit.relative_gap)}};
}

}  // namespace sculpt::core
