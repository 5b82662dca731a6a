#include "command/inputs/finished_run.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "launch/resume.hpp"
#include "launch/run_checkpoints.hpp"
#include "launch/run_events.hpp"
#include "run/past_events.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* advice_for_verify = "; verify takes a run as it was trained";

fs::path config_in(const fs::path& folder) {
  std::error_code problem;
  if (!fs::is_directory(folder, problem)) {
    throw Failure(Exit::missing, folder.string() +
                                     ": is no run folder; verify needs the folder with config.json "
                                     "and model.sculpt that train has left");
  }
  return folder / "config.json";
}

// P and D do not depend on the splits other than "train". Their files may be gone.
Experiment trained_on(const JsonDocument& config, const std::vector<Override>& overrides,
                      Registry& registry) {
  Experiment experiment(config, overrides, declared_in(registry));
  experiment.splits.resize(1);  // train comes first
  return experiment;
}

Json data_of(const Experiment& experiment) {
  try {
    return data_hashes(experiment);
  } catch (const Failure& failure) {
    throw Failure(failure.exit(),
                  failure.what() + std::string("; say where the training data is "
                                               "now with --set dataset.train=PATH"));
  }
}

// A run that continued after its model was written has a later checkpoint. The two then belong to
// different passes.
void require_end(const fs::path& folder) {
  const Json event = last_event(folder / "events.jsonl");
  if (event.is_null() || event.value("event", Json()) == "finished") return;
  throw Failure(Exit::data, folder.string() +
                                ": has not ended, or has gone on since its model was written; end "
                                "it with train --resume");
}

}  // namespace

FinishedRun::FinishedRun(const fs::path& folder, const std::vector<Override>& overrides,
                         Console& console)
    : FinishedRun(folder, JsonDocument::read(config_in(folder).string()), overrides, console) {}

FinishedRun::FinishedRun(const fs::path& folder, const JsonDocument& config,
                         const std::vector<Override>& overrides, Console& console)
    : console_(console),
      model_(folder),
      registry_(registry_settings(config, overrides)),
      assembly_(trained_on(config, overrides, registry_), model_, registry_),
      chosen_(assembly_.experiment().solver),
      identity_(assembly_, chosen_),
      solver_(chosen_.kind.create(chosen_.parameters.values())),
      data_(data_of(assembly_.experiment())),
      checkpoint_(open_checkpoint(folder / "checkpoints", "; train again, with --force",
                                  [&](const std::string& text) { console_.warn(text); })) {
  require_end(folder);
  Json known = identity_.of(data_);
  known["paths"] = identity_.files()["paths"];  // without libraries: verify does not rely on them
  require_one_run(known);
  leave_out_stale_checkpoint(folder);
}

// The checkpoint is too old if the last one could not be written, for example on a full disk.
void FinishedRun::leave_out_stale_checkpoint(const fs::path& folder) {
  const Json event = last_event(folder / "events.jsonl");
  if (checkpoint_ == nullptr || event.is_null()) return;
  if (event.value("checkpoint_written", Json()) != Json(false)) return;
  console_.warn(
      "the checkpoint is older than the model: the last one could not be written, and "
      "this one is left out");
  checkpoint_.reset();
}

void FinishedRun::require_one_run(const Json& known) const {
  require_same_run(trained_header(model_.header()), known, model_.path().string(),
                   advice_for_verify);
  if (checkpoint_ == nullptr) return;
  require_same_run(trained_header(checkpoint_->header()), known, checkpoint_->path().string(),
                   advice_for_verify);
}

std::unique_ptr<Problem> FinishedRun::bind(int threads) {
  ProblemSpec choices = assembly_.choices(sources_of(assembly_.experiment()));
  choices.formulation = solver_->formulation();
  auto problem =
      std::make_unique<Problem>(choices, Purpose::training, threads, callbacks_to(console_));
  if (!problem->serial_note().empty()) console_.warn(problem->serial_note());
  require_one_run(identity_.of(data_, *problem, *solver_->objective(problem->domain())));
  if (static_cast<std::int64_t>(model_.weights().size()) != problem->dimension()) {
    throw Failure(Exit::data, model_.path().string() + ": holds " +
                                  std::to_string(model_.weights().size()) +
                                  " weights, but its features have " +
                                  std::to_string(problem->dimension()) + "; the model is damaged");
  }
  return problem;
}

ReportedCertificate FinishedRun::reported() const {
  // null means not finite
  const auto number = [](const Json& value) {
    return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
  };
  try {
    const Json& certificate = model_.header().at("certificate");
    const auto rule = certificate.at("stopped_by").get<std::string>();
    ReportedCertificate reported;
    reported.primal = number(certificate.at("primal"));
    const Json& dual = certificate.at("dual");
    reported.dual = dual.is_null() ? std::nan("") : dual.get<double>();
    reported.gap = number(certificate.at("gap"));
    reported.relative_gap = number(certificate.at("relative_gap"));
    reported.certified = certificate.at("certified").get<bool>();
    reported.bounded = reported.certified || !certificate.value("primal_high", Json()).is_null();
    reported.known = bound_kind_in(certificate);
    reported.stopped =
        rule == name_of(StoppedBy::signal) || rule == name_of(StoppedBy::max_seconds);
    reported.passes = certificate.at("passes").get<std::uint64_t>();
    const Json parameters = chosen_.parameters.resolved();
    const Json target = parameters.value("relative_gap", Json());
    if (target.is_number()) reported.target = target.get<double>();
    reported.reached = exit_of(certificate) == Exit::reached;
    reported.by_epsilon = reported.reached && rule == name_of(StoppedBy::epsilon) &&
                          parameters.value("epsilon", Json()).is_number();
    return reported;
  } catch (const Json::exception&) {
    throw Failure(Exit::data, model_.path().string() +
                                  ": holds no certificate that could be verified; the model is "
                                  "damaged");
  }
}

}  // namespace sculpt::core
