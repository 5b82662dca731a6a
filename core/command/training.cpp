#include "command/training.hpp"

#include <iostream>
#include <map>
#include <utility>

#include "cancelled.hpp"
#include "command/objective.hpp"
#include "command/resume.hpp"
#include "command/run_checkpoints.hpp"
#include "command/stop_signal.hpp"
#include "experiment/nearest_name.hpp"
#include "model/model_file.hpp"
#include "problem/problem_separator.hpp"
#include "run/content_hash.hpp"
#include "run/run_events.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const SolverKind& find_kind(const Section& section) {
  if (const SolverKind* found = find_solver(section.use)) return *found;
  std::vector<std::string> names;
  for (const SolverKind& known : solver_kinds()) names.emplace_back(known.name);
  refuse(section.use_position,
         "there is no solver \"" + section.use + "\"; " + suggest_name(section.use, names));
}

// Writes every pass to the run folder and to the screen.
class PassLog : public Listener {
 public:
  PassLog(RunFolder& folder, Console& console) : folder_(folder), console_(console) {}
  void pass_done(const PassReport& report) override {
    folder_.append_event(pass_event(report));
    console_.pass(report);
  }

 private:
  RunFolder& folder_;
  Console& console_;
};

Json data_hashes(const Experiment& experiment) {
  Json hashes = Json::object();
  for (const Split& split : experiment.splits) {
    hashes[split.name] = split.text ? content_hash(*split.text) : file_hash(split.path);
  }
  return hashes;
}

// Of the files that keys other than the splits name: {"features.lexicon": [hash]}; what is no file
// stands for itself.
void add_path_hashes(const std::string& section, const CheckedParameters& parameters,
                     Json& hashes) {
  const Json without = parameters.resolved_without_paths();
  for (const auto& [key, value] : parameters.resolved().items()) {
    if (without.contains(key)) continue;
    Json& list = hashes[section + "." + key] = Json::array();
    for (const Json& path : value.is_array() ? value : Json::array({value})) {
      std::error_code problem;
      const bool is_file =
          path.is_string() && fs::is_regular_file(path.get<std::string>(), problem);
      list.push_back(is_file ? Json(file_hash(path.get<std::string>())) : path);
    }
  }
}

}  // namespace

ChosenSolver::ChosenSolver(const Section& section)
    : kind(find_kind(section)), parameters(kind.parameters, section.keys, section.use) {}

Training::Training(const Assembly& assembly, const Settings& settings, const Stopwatch& watch)
    : assembly_(assembly),
      experiment_(assembly.experiment()),
      solver_(experiment_.solver),
      folder_(settings.output, settings.existing),
      resume_(settings.existing == RunFolder::Existing::resume),
      threads_(settings.threads),
      guard_(settings.guard),
      watch_(watch) {}

Exit Training::run() {
  if (resume_) {
    data_ = data_hashes(experiment_);
    if (const auto exit = finished_before()) return *exit;
    find_earlier();
  }
  const std::unique_ptr<Solver> solver = solver_.kind.create(solver_.parameters.values());
  Choices choices = assembly_.choices(sources_of(experiment_));
  choices.formulation = solver->formulation();
  choices.guard = guard_;
  Problem problem(choices, Purpose::training, threads_, callbacks_to(console_));
  if (!problem.serial_note().empty()) console_.warn(problem.serial_note());
  data_ = data_hashes(experiment_);  // of what was read, not of what is there after training
  open_folder(problem);
  try {
    return train(problem, *solver);
  } catch (const Failure& failure) {
    folder_.note_failure(static_cast<int>(failure.exit()), failure.what());
    throw;
  } catch (const std::exception& error) {
    folder_.note_failure(static_cast<int>(Exit::internal), error.what());
    throw;
  }
}

// The exit of a run that has ended and that nothing allows to go on.
std::optional<Exit> Training::finished_before() {
  const Json event = folder_.finished();
  if (event.is_null()) return std::nullopt;
  const ModelFile model(folder_.model_path());
  require_same_run(model.header(), identity(), model.path().string());
  const Json then = model.header().value("/config/solver"_json_pointer, Json());
  if (may_go_on(event, then, solver_.parameters.resolved())) return std::nullopt;
  console_.say(experiment_.name + ": has ended before, stopped by " +
               event["stopped_by"].get<std::string>() + "; the model is " +
               folder_.model_path().string());
  return exit_of(event);
}

// The checkpoint to go on from, if there is one.
void Training::find_earlier() {
  earlier_ = open_checkpoint(folder_.checkpoints(),
                             [this](const std::string& text) { console_.warn(text); });
  if (earlier_ != nullptr) {
    Json known = identity();
    known["paths"] = path_hashes();
    require_same_run(earlier_->header(), known, earlier_->path().string());
    earlier_seconds_ = progress_in(*earlier_).seconds;
    return;
  }
  const Json config = folder_.earlier_config();
  if (config.is_object()) {
    require_same_config(config, this->config(), (folder_.path() / "config.json").string());
  }
  console_.say("no checkpoint in " + folder_.path().string() + ": starting afresh");
}

// From the first pass on.
Exit Training::train(Problem& problem, Solver& solver) {
  print_start(console_, experiment_, problem);
  PassLog log(folder_, console_);
  ProblemSeparator separator(problem, static_cast<std::uint64_t>(experiment_.seed));
  Json known = identity(problem);
  known["paths"] = path_hashes();
  RunCheckpoints checkpoints(
      folder_.checkpoints(), std::move(known), experiment_.checkpoint_seconds,
      [this] { return seconds(); }, std::move(earlier_), console_);
  const Result result = solver.solve(separator, log, stop_requested, checkpoints);
  stop_done();
  console_.end_passes();
  save(problem, result);
  folder_.model_is_written();
  finish(problem, result, seconds());
  return result.reached ? Exit::reached : Exit::not_reached;
}

// Makes the run folder, or goes on in it.
void Training::open_folder(Problem& problem) {
  if (earlier_ == nullptr) {
    folder_.create(config());
    folder_.append_event(started_event(problem));
    return;
  }
  require_same_run(earlier_->header(), identity(problem), earlier_->path().string());
  const Progressed progress = progress_in(*earlier_);
  folder_.reopen(config(), progress.pass);
  folder_.append_event(
      {{"event", "resumed"}, {"pass", progress.pass}, {"seconds", progress.seconds}});
  console_.say("going on behind pass " + std::to_string(progress.pass));
}

// dataset, features, loss, oracles, solver
const CheckedParameters& Training::checked(std::size_t position) const {
  const std::size_t components = 3 + experiment_.oracles.size();
  return position < components ? assembly_.parameters(position) : solver_.parameters;
}

Json Training::config() const {
  return experiment_.resolved(
      [this](const Section&, std::size_t position) { return checked(position).resolved(); });
}

// What is known of the run before anything is loaded: the first part of the model's header.
Json Training::identity() const {
  return {{"sculpt", SCULPT_VERSION},
          {"name", experiment_.name},
          {"config", experiment_.resolved_for_model([this](const Section&, std::size_t position) {
             return checked(position).resolved_without_paths();
           })},
          {"components", assembly_.components()},
          {"data", data_},
          {"seed", experiment_.seed}};
}

Json Training::identity(Problem& problem) const {
  Json json = identity();
  json["examples"] = problem.training().size();
  json["dimension"] = problem.dimension();
  json["formulation"] = objective_json(objective_of(problem));
  return json;
}

Json Training::path_hashes() const {
  Json hashes = Json::object();
  std::size_t position = 0;
  for (const char* section : {"dataset", "features", "loss"}) {
    add_path_hashes(section, checked(position++), hashes);
  }
  for (std::size_t k = 0; k < experiment_.oracles.size(); ++k) {
    add_path_hashes("oracle", checked(position++), hashes);
  }
  return hashes;
}

Json Training::started_event(Problem& problem) const {
  return {{"event", "started"},
          {"sculpt", SCULPT_VERSION},
          {"name", experiment_.name},
          {"components", assembly_.components()},
          {"solver", solver_.kind.name},
          {"examples", problem.training().size()},
          {"dimension", problem.dimension()},
          {"formulation", objective_json(objective_of(problem))}};
}

void Training::save(Problem& problem, const Result& result) const {
  Json header = identity(problem);
  header["certificate"] = certificate_json(result);
  std::map<std::string, std::string> states;
  for (Problem::State& state : problem.states()) states[state.kind] = std::move(state.bytes);
  write_model(folder_.model_path(), {header, result.w, states});
}

void Training::finish(Problem& problem, const Result& result, double seconds) {
  Json event = {{"event", "finished"}};
  event.update(certificate_json(result));
  event["seconds"] = seconds;
  event["oracle_seconds"] = result.oracle_seconds;
  event["qp_seconds"] = result.qp_seconds;
  const Measured measured = measure(problem, result);
  for (const auto& [split, evaluation] : measured) event[split] = metrics_json(evaluation);
  folder_.append_event(event);
  drop_previous_checkpoint(folder_.checkpoints());  // the last one is that of the end
  print_result(std::cout, experiment_, result, measured, seconds, folder_.model_path());
}

// The model is there by now: a stop request costs the splits that are not measured yet.
Measured Training::measure(Problem& problem, const Result& result) {
  Measured measured;
  Predictor predictor(problem, result.w, static_cast<std::uint64_t>(experiment_.seed));
  try {
    for (const char* split : {"train", "validation", "test"}) {
      const Range range = problem.dataset().split(split);
      if (range.size() > 0) measured.emplace_back(split, predictor.run(range, {}));
    }
  } catch (const Cancelled&) {
    console_.warn("stopped on request: not all splits have been measured");
  }
  return measured;
}

}  // namespace sculpt::core
