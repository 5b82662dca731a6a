#include "launch/run_events.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/infinity.hpp"

namespace sculpt::core {

using Json = nlohmann::ordered_json;

Json number_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json pass_event(const PassReport& report) {
  Json event = {{"event", "pass"},
                {"pass", report.pass},
                {"oracle_calls", report.oracle_calls},
                {"planes", report.planes},
                {"active_planes", report.active_planes},
                {"primal_low", number_json(report.primal_low)},
                {"primal_high", number_json(report.primal_high)},
                {"primal", number_json(report.best_primal)},
                {"dual", number_json(report.dual)},
                {"gap", number_json(report.gap)},
                {"relative_gap", number_json(report.relative_gap)},
                {"certified", report.certified},
                {"mean_slack", number_json(report.mean_slack)},
                {"separation", number_json(report.margin_bound)},
                {"seconds", report.elapsed_seconds}};
  for (const ReportedPhase& part : solver_phases) event[part.key] = report.times.*part.phase;
  if (report.progress) event["progress"] = number_json(*report.progress);
  if (report.residual) event["residual"] = number_json(*report.residual);
  if (report.fractional) event["fractional"] = *report.fractional;
  if (report.escalated) event["escalated"] = *report.escalated;
  if (report.mistakes) event["mistakes"] = *report.mistakes;
  if (report.violated) event["violated"] = *report.violated;
  return event;
}

Json metrics_json(const Evaluation& evaluation) {
  Json json = Json::object();
  for (const Metric& metric : evaluation.metrics) json[metric.name] = number_json(metric.value);
  if (std::isfinite(evaluation.loss_standard_error)) {
    json["loss_standard_error"] = evaluation.loss_standard_error;
  }
  json["examples"] = evaluation.measured_count;
  if (evaluation.measures_probabilities()) {
    json["log_loss_examples"] = evaluation.probability_count;
  }
  if (evaluation.unlabelled_count > 0) json["unlabelled"] = evaluation.unlabelled_count;
  if (evaluation.no_output_count > 0) json["no_output"] = evaluation.no_output_count;
  if (!evaluation.warning.empty()) json["warning"] = evaluation.warning;
  return json;
}

Json certificate_json(const Result& result, bool relaxed) {
  Json json = {{"objective", relaxed ? "relaxed" : "standard"},
               {"primal", number_json(result.primal)},
               {"primal_low", number_json(result.primal_low)},
               {"primal_high", result.primal_high ? number_json(*result.primal_high) : Json()},
               {"dual", number_json(result.dual)},
               {"gap", number_json(result.gap)},
               {"relative_gap", number_json(result.relative_gap)},
               {"certified", result.certified},
               {"passes", result.passes},
               {"oracle_calls", result.oracle_calls},
               {"stopped_by", name_of(result.stopped_by)}};
  if (result.residual) json["residual"] = number_json(*result.residual);
  if (result.hinge) {
    json["hinge_primal"] = number_json(result.hinge->value());
    json["hinge_primal_low"] = number_json(result.hinge->low);
  }
  return json;
}

BoundKind bound_kind_in(const Json& certificate) {
  const auto bound = [&](const char* key) {
    const Json value = certificate.value(key, Json());
    return value.is_null() ? infinity : value.get<double>();
  };
  return bound_kind_of(bound("primal_low"), bound("primal_high"));
}

}  // namespace sculpt::core
