// training_resume.cpp - the part of Training that decides how a run resumes.

#include <utility>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"
#include "command/training/training.hpp"
#include "launch/resume.hpp"
#include "launch/run_events.hpp"
#include "model/model_file.hpp"

namespace sculpt::core {

using Json = nlohmann::ordered_json;

// The exit code of a run that has ended and cannot be resumed. Empty if it can.
std::optional<Exit> Training::exit_of_finished_run() {
  const Json event = folder_.finished_event();
  if (event.is_null()) return std::nullopt;
  std::optional<ModelFile> model;
  try {
    model.emplace(folder_.model_path());
  } catch (const Failure& damage) {
    if (damage.ends_process() || !has_checkpoint(folder_.checkpoints())) throw;
    console_.warn(damage.what() + std::string("; the last checkpoint is used to write it again"));
    return std::nullopt;
  }
  require_same_run(model->header(), identity_.model_header(data_hashes_), model->path().string());
  require_same_warm_start(model->header(), model->path().string());
  const Json earlier_solver = model->header().value("/config/solver"_json_pointer, Json());
  if (can_resume(event, earlier_solver, solver_.parameters.resolved())) return std::nullopt;
  // Stopped during the evaluation: the last checkpoint leads to the same model again.
  const bool all_measured = event.value("all_measured", Json(true)) == true;
  if (!all_measured && has_checkpoint(folder_.checkpoints())) return std::nullopt;
  const std::string rule = event["stopped_by"].get<std::string>();
  const std::string advice =
      rule.starts_with("max_") ? "; to continue, set a higher solver." + rule : "";
  console_.print_line(experiment_.name + ": has already ended, stopped by " + rule +
                      "; the model is " + folder_.model_path().string() + advice);
  warn_of_unmeasured(event);
  return exit_of(event);
}

// Warns about oracles that were not evaluated. Evaluation belongs to the run, so a run that has
// ended is not changed.
void Training::warn_of_unmeasured(const Json& finished) {
  const Json measured = finished.value("predict_with", Json::object());
  for (const OracleUse& use : experiment_.predict_with) {
    if (measured.contains(use.text)) continue;
    console_.warn("\"predict_with\": the model was not measured with " + use.text +
                  "; use sculpt evaluate RUN DATA --set oracle=...");
  }
  if (!experiment_.audit_with) return;
  const std::string& auditor = experiment_.audit_with->text;
  const Json audit = finished.value("audit", Json());
  if (audit.is_object() && audit.value("oracle", Json()) == auditor) return;
  console_.warn("\"audit_with\": the model was not audited by " + auditor +
                "; train again with --force, or with another --output");
}

// Opens the checkpoint to resume from, if there is one.
void Training::open_resume_checkpoint() {
  resume_checkpoint_ =
      open_checkpoint(folder_.checkpoints(), "; train again, with --force instead of --resume",
                      [this](const std::string& text) { console_.warn(text); });
  if (resume_checkpoint_ != nullptr) {
    Json identity = identity_.model_header(data_hashes_);
    identity.update(identity_.file_hashes(data_hashes_));
    if (settings_.trusts_rebuilt) identity.erase("libraries");
    require_same_run(resume_checkpoint_->header(), identity, resume_checkpoint_->path().string());
    require_same_warm_start(resume_checkpoint_->header(), resume_checkpoint_->path().string());
    identity_.set_warm_start_hash(resume_checkpoint_->header().value("warm_start", std::string()));
    earlier_progress_ = progress_in(*resume_checkpoint_);
    return;
  }
  const Json config = folder_.earlier_config();
  if (config.is_object()) {
    require_same_config(config, identity_.config(), (folder_.path() / "config.json").string());
  }
  folder_.require_no_model();
  console_.print_line(folder_.path().string() +
                      ": contains no checkpoint; training starts from the beginning");
}

// Throws if only one of the two runs uses warm_start. The checkpoint has what the run began with;
// the run that it came from may be gone.
void Training::require_same_warm_start(const Json& header, const std::string& path) const {
  const bool has_warm_start = solver_.warm_start() != nullptr;
  if (header.contains("warm_start") == has_warm_start) return;
  throw Failure(Exit::config,
                std::string("\"warm_start\" is ") + (has_warm_start ? "set" : "not set") +
                    ", but the run of " + path + " began " +
                    (has_warm_start ? "from nothing" : "from another run") + resume_advice);
}

}  // namespace sculpt::core
