#include "command/inputs/finished_run.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "base/failure.hpp"
#include "base/file/content_hash.hpp"
#include "base/file/open_file.hpp"
#include "base/file/stored_json.hpp"
#include "base/infinity.hpp"
#include "base/surroundings.hpp"
#include "command/inputs/weight_count.hpp"
#include "command/training/best_pass.hpp"
#include "command/training/rank_summary.hpp"
#include "launch/component_search.hpp"
#include "launch/rank_agreement.hpp"
#include "launch/resume.hpp"
#include "launch/run_checkpoints.hpp"
#include "launch/run_events.hpp"
#include "launch/split_sources.hpp"
#include "run/best_checkpoint.hpp"
#include "run/past_events.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

fs::path config_in(const fs::path& folder, const std::string& command) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    throw Failure(Exit::missing, folder.string() + ": is not a run folder; " + command +
                                     " needs the folder with "
                                     "config.json and model.sculpt that train writes");
  }
  fs::path config = folder / "config.json";
  require_regular_file(config, Exit::missing);
  return config;
}

// The hashes of the training data. The message for a missing file tells how to give its new path.
Json training_hashes(const Assembly& assembly, const ModelFile& model) {
  Json hashes;
  try {
    hashes = data_hashes(assembly);
  } catch (const Failure& failure) {
    if (failure.ends_process()) throw;
    throw failure.with_text(failure.what() + std::string("; give the path of the training data "
                                                         "with --set dataset.train=PATH"));
  }
  const Json trained = training_header(model.header())["data"];
  for (const auto& [key, hash] : trained.items()) {
    if (!key.starts_with("dataset.") || hashes.contains(key)) continue;
    throw Failure(Exit::missing, "the file of \"" + key +
                                     "\" is missing; give its path with --set " + key + "=PATH");
  }
  return hashes;
}

// The checkpoint with the planes of the model. nullptr: there is none, or no longer.
std::unique_ptr<Checkpoint> checkpoint_of_model(const ModelFile& model, const fs::path& folder,
                                                Console& console) {
  const Json validated = model.header().value("validated", Json());
  if (validated.is_object() && !last_is_best(validated)) {
    return open_best_checkpoint(folder / "checkpoints", [&](const Checkpoint& checkpoint) {
      const Json state = checkpoint.header().value("validated", Json());
      return state.is_object() && state.value("next_pass", Json()) == validated["best_pass"];
    });
  }
  return open_checkpoint(folder / "checkpoints", "; train again, with --force",
                         [&](const std::string& text) { console.warn(text); });
}

}  // namespace

bool model_ends_run(const ModelFile& model, const fs::path& folder) {
  const fs::path events = folder / "events.jsonl";
  const Json event = last_event(events);
  const Json kind = event.is_null() ? Json("finished") : event.value("event", Json());
  if (kind == "finished" || kind == "resumed") return kind == "finished";
  const Json passes = model.header().value("/certificate/passes"_json_pointer, Json());
  return passes.is_number_integer() && passes == last_pass(events);
}

Experiment training_experiment(const JsonDocument& config, const std::vector<Override>& overrides,
                               Registry& registry) {
  Experiment experiment(config, overrides, declared_in(registry));
  experiment.splits.resize(1);  // train comes first
  return experiment;
}

FinishedRun::FinishedRun(const std::string& command, const fs::path& folder,
                         const std::vector<Override>& overrides, Console& console)
    : FinishedRun(command, folder, JsonDocument::read(config_in(folder, command).string()),
                  overrides, console) {}

FinishedRun::FinishedRun(const std::string& command, const fs::path& folder,
                         const JsonDocument& config, const std::vector<Override>& overrides,
                         Console& console)
    : console_(console),
      advice_("; " + command +
              " needs the run as it was trained (--set may only change paths of data)"),
      model_(folder),
      registry_(registry_settings(config, overrides)),
      assembly_(training_experiment(config, overrides, registry_), model_, registry_),
      chosen_solver_(assembly_.experiment().solver),
      identity_(assembly_, chosen_solver_),
      solver_(chosen_solver_.descriptor.create(chosen_solver_.parameters.values())),
      data_hashes_(training_hashes(assembly_, model_)),
      checkpoint_(checkpoint_of_model(model_, folder, console_)) {
  require_ended(folder);
  Json identity = identity_.model_header(data_hashes_);
  // Without libraries: the commands do not rely on them.
  identity["paths"] = identity_.path_hashes(data_hashes_);
  require_agreement(identity);
  drop_outdated_checkpoint(folder);
}

// A run that continued after its model was written has a later checkpoint. The two then belong to
// different passes.
void FinishedRun::require_ended(const fs::path& folder) const {
  if (model_ends_run(model_, folder)) return;
  throw Failure(Exit::data, folder.string() +
                                ": the run has not ended, or it has continued since its model was "
                                "written; finish it with train --resume");
}

// The checkpoint is too old if the last one could not be written, for example on a full disk.
void FinishedRun::drop_outdated_checkpoint(const fs::path& folder) {
  const Json event = last_event(folder / "events.jsonl");
  if (checkpoint_ == nullptr || event.is_null()) return;
  const bool is_finished = event.value("event", Json()) == "finished";
  if (is_finished ? event.value("checkpoint_written", Json()) != Json(false)
                  : progress_in(*checkpoint_).pass == last_pass(folder / "events.jsonl")) {
    return;
  }
  console_.warn("the checkpoint is older than the model" +
                std::string(is_finished ? ", because the last one could not be written" : "") +
                "; it is left out");
  checkpoint_.reset();
}

void FinishedRun::require_agreement(const Json& identity) const {
  require_same_run(training_header(model_.header()), identity, model_.path().string(), advice_);
  if (checkpoint_ == nullptr) return;
  require_same_run(training_header(checkpoint_->header()), identity, checkpoint_->path().string(),
                   advice_);
}

std::unique_ptr<Problem> FinishedRun::bind(int threads) {
  ProblemSpec spec = assembly_.problem_spec(sources_of(assembly_.experiment()));
  spec.formulation = solver_->formulation();
  auto problem =
      std::make_unique<Problem>(spec, Purpose::training, threads, callbacks_to(console_));
  if (!problem->serial_warning().empty()) console_.warn(problem->serial_warning());
  const std::unique_ptr<Objective> objective = solver_->objective(problem->domain());
  const Json identity = identity_.model_header(data_hashes_, *problem, *objective);
  require_agreement(identity);
  require_weight_count(model_, *problem, weight_count_advice);
  if (Ranks* const ranks = surroundings().ranks()) {
    require_one_run(*ranks, identity_for_ranks(identity, *problem));
  }
  return problem;
}

// What all ranks must have in common: with the plugins, the model and the checkpoint.
Json FinishedRun::identity_for_ranks(Json identity, const Problem& problem) const {
  identity.update(identity_.file_hashes(data_hashes_));
  identity["data"]["model"] = file_hash(model_.path().string());
  if (checkpoint_ != nullptr) identity["data"]["checkpoint"] = checkpoint_->header();
  return common_identity(std::move(identity), problem);
}

std::unique_ptr<Solver> FinishedRun::solver_until(double relative_gap) const {
  const SolverDescriptor& descriptor = chosen_solver_.descriptor;
  const std::span<const sculpt_value> checked = chosen_solver_.parameters.values();
  std::vector<sculpt_value> values(checked.begin(), checked.end());
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string_view name = descriptor.parameters[k].name;
    if (name == "relative_gap") {
      values[k].is_default = 0;
      values[k].real = relative_gap;
    } else if (name == "epsilon" || name == "max_passes" || name == "max_oracle_calls" ||
               name == "max_seconds") {
      values[k].is_default = 1;
      values[k].real = std::nan("");
      values[k].integer = -1;
    }
  }
  return descriptor.create(values);
}

ReportedCertificate FinishedRun::reported_certificate() const {
  return read_stored_values(model_.path(), "; train again or use another copy",
                            [this] { return read_certificate(); });
}

ReportedCertificate FinishedRun::read_certificate() const {
  // null means that the value is not finite.
  const auto number = [](const Json& value) {
    return value.is_null() ? infinity : value.get<double>();
  };
  const Json& certificate = model_.header().at("certificate");
  const auto rule = certificate.at("stopped_by").get<std::string>();
  ReportedCertificate reported;
  reported.primal = number(certificate.at("primal"));
  const Json& dual = certificate.at("dual");
  reported.dual = dual.is_null() ? std::nan("") : dual.get<double>();
  reported.gap = number(certificate.at("gap"));
  reported.relative_gap = number(certificate.at("relative_gap"));
  reported.certified = certificate.at("certified").get<bool>();
  reported.is_bounded = reported.certified || !certificate.value("primal_high", Json()).is_null();
  reported.primal_kind = bound_kind_in(certificate);
  reported.stopped = rule == name_of(StoppedBy::signal) || rule == name_of(StoppedBy::max_seconds);
  if (certificate.contains("residual")) reported.residual = number(certificate["residual"]);
  if (certificate.contains("hinge_primal")) {
    reported.hinge_primal = number(certificate["hinge_primal"]);
  }
  reported.passes = certificate.at("passes").get_ref<const Json::number_unsigned_t&>();
  const Json parameters = chosen_solver_.parameters.resolved();
  const Json gap_target = parameters.value("relative_gap", Json());
  const Json target = gap_target.is_number() ? gap_target : parameters.value("residual", Json());
  if (target.is_number()) reported.target = target.get<double>();
  reported.reached = exit_of(certificate) == Exit::reached;
  reported.by_epsilon = reported.reached && rule == name_of(StoppedBy::epsilon) &&
                        parameters.value("epsilon", Json()).is_number();
  return reported;
}

}  // namespace sculpt::core
