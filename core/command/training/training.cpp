#include "command/training/training.hpp"

#include <cmath>
#include <iostream>
#include <map>
#include <new>
#include <thread>
#include <utility>

#include "base/cancelled.hpp"
#include "base/current_activity.hpp"
#include "base/memory/free_memory.hpp"
#include "base/memory/out_of_memory.hpp"
#include "base/memory/process_memory.hpp"
#include "base/text/message_text.hpp"
#include "command/data/column_scales.hpp"
#include "command/training/bottleneck.hpp"
#include "command/training/model_metrics.hpp"
#include "command/training/pass_log.hpp"
#include "command/training/warm_start_planes.hpp"
#include "launch/crash_report.hpp"
#include "launch/resume.hpp"
#include "launch/run_events.hpp"
#include "launch/stop_signal.hpp"
#include "model/model_file.hpp"
#include "problem/sources/problem_ports.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// True if calls of the oracle are cheap compared with the steps, so that more calls do not matter.
bool is_cheap(const TimeSplit& times) {
  return times.oracle < 0.25 * (times.sweeps + times.qp);
}

// "target 0.1 %", with the epsilon that would also end the run.
std::string target_text(const Json& solver) {
  const Json gap = solver.value("relative_gap", Json());
  if (!gap.is_number()) return "target";
  const Json epsilon = solver.value("epsilon", Json());
  return "target " + percent_text(gap.get<double>()) +
         (epsilon.is_number() ? " or epsilon " + number_text(epsilon.get<double>()) : "");
}

// The evaluation may exceed max_seconds by this fraction, and at least by this many seconds.
constexpr double part_for_measuring = 0.1;
constexpr double min_seconds_for_measuring = 1;

// An audit computes the slacks of hinges, so the objective must be a hinge.
void require_audit_of_hinge(const Experiment& experiment, const Objective& objective) {
  if (!experiment.audit_with || objective.is_hinge()) return;
  throw Failure(Exit::config,
                "audit_with: an audit is of structural hinges, and the solver minimizes " +
                    objective.text() + "; leave it out");
}

}  // namespace

Training::Training(const Assembly& assembly, const Settings& settings, const Stopwatch& watch)
    : assembly_(assembly),
      experiment_(assembly.experiment()),
      solver_(experiment_.solver),
      identity_(assembly_, solver_),
      settings_(settings),
      folder_(settings.output, settings.existing),
      watch_(watch) {}

Exit Training::run() {
  if (settings_.existing == RunFolder::Existing::resume) {
    data_ = data_hashes(experiment_);
    if (const auto exit = finished_before()) return *exit;
    open_resume_checkpoint();
  }
  const std::unique_ptr<Solver> solver = solver_.kind.create(solver_.parameters.values());
  ProblemSpec choices = assembly_.choices(sources_of(experiment_));
  choices.formulation = solver->formulation();
  choices.guard = settings_.guard;
  Problem problem(choices, Purpose::training, settings_.threads, callbacks_to(console_));
  if (!problem.serial_note().empty()) console_.warn(problem.serial_note());
  data_ = data_hashes(experiment_);  // of the data that was read, not of the files after training
  columns_ =
      column_remedy(problem.dataset().component().name(), assembly_.parameters(0).resolved());
  ProblemPorts offered(problem, static_cast<std::uint64_t>(experiment_.seed));
  solver->require_ports(offered.ports(), solver_.kind.name);
  objective_ = solver->objective(problem.domain());
  require_read_back(*objective_, solver_.kind.name);
  require_audit_of_hinge(experiment_, *objective_);
  if (ProblemPlanes* const planes = offered.planes()) {
    planes->advise_on_columns(columns_.to_do);
    if (earlier_ == nullptr && solver_.warm_start() != nullptr) {
      load_warm_start_planes(problem, *solver, *planes);
    }
  }
  const DataColumns columns = columns_of_data(problem);
  plan_memory(problem, *solver, columns);
  warn_of_columns(problem, columns);
  open_folder(problem);
  set_crash_advice(settings_.advice_to_go_on);
  log_crashes_to(folder_.path() / "events.jsonl");
  try {
    return train(problem, *solver, offered.ports());
  } catch (const Failure& failure) {
    // Failures with advice have other causes, such as too many open files.
    const bool is_memory = failure.exit() == Exit::memory && failure.advice().empty();
    if (is_memory) end_out_of_memory(failure.what());
    folder_.note_failure(static_cast<int>(failure.exit()), failure.what());
    if (!failure.fault_at()) throw;
    throw with_advice(failure, settings_.advice_to_go_on);
  } catch (const std::bad_alloc&) {
    end_out_of_memory("out of memory");
  } catch (const std::exception& error) {
    folder_.note_failure(static_cast<int>(Exit::internal), error.what());
    throw;
  }
}

// Adds the warnings about columns.
void Training::warn_of_columns(Problem& problem, const DataColumns& columns) {
  const std::string wide = width_warning(problem, columns);
  if (!wide.empty()) warnings_.push_back(wide);
  const std::string apart =
      column_warning(problem, columns, columns_, assembly_.parameters(1).resolved());
  columns_differ_ = !apart.empty();
  if (columns_differ_) warnings_.push_back(apart);
}

void Training::plan_memory(Problem& problem, const Solver& solver, const DataColumns& columns) {
  const ProblemShape shape = shape_of(problem, columns);
  const std::int64_t available = free_memory_for_this_process();
  require_memory(problem, shape, solver_.kind, solver, available);
  memory_.expected = estimated_peak(shape, solver);
  warnings_ = memory_warnings(shape, solver_.kind, solver, available);
}

// Here the memory of the solver is free again, and the last checkpoint is complete.
void Training::end_out_of_memory(const std::string& what) {
  const std::string folder = folder_.checkpoints().string();
  const std::string kept =
      has_checkpoint(folder_.checkpoints())
          ? "\n  the last checkpoint is kept in " + folder +
                "; with more memory go on: " + settings_.command_to_go_on
          : "\n  there is no checkpoint in " + folder + " yet (checkpoint_seconds)";
  const Failure failure = out_of_memory(what, kept);
  folder_.note_failure(static_cast<int>(failure.exit()), failure.what());
  throw Failure(failure);
}

// The exit code of a run that has ended and cannot be resumed. Empty if it can.
std::optional<Exit> Training::finished_before() {
  const Json event = folder_.finished();
  if (event.is_null()) return std::nullopt;
  std::optional<ModelFile> model;
  try {
    model.emplace(folder_.model_path());
  } catch (const Failure& damage) {
    if (!has_checkpoint(folder_.checkpoints())) throw;
    console_.warn(damage.what() + std::string("; it is written anew from the last checkpoint"));
    return std::nullopt;
  }
  require_same_run(model->header(), identity_.of(data_), model->path().string());
  require_same_start(model->header(), model->path().string());
  const Json then = model->header().value("/config/solver"_json_pointer, Json());
  if (may_go_on(event, then, solver_.parameters.resolved())) return std::nullopt;
  // Stopped during the evaluation: the last checkpoint leads to the same model again.
  const bool all_measured = event.value("all_measured", Json(true)) == true;
  if (!all_measured && has_checkpoint(folder_.checkpoints())) return std::nullopt;
  console_.say(experiment_.name + ": has ended before, stopped by " +
               event["stopped_by"].get<std::string>() + "; the model is " +
               folder_.model_path().string());
  warn_of_unmeasured(event);
  return exit_of(event);
}

// Warns about oracles that were not evaluated. Evaluation belongs to the run, so a run that has
// ended is not changed.
void Training::warn_of_unmeasured(const Json& finished) {
  const Json with = finished.value("predict_with", Json::object());
  for (const OracleUse& use : experiment_.predict_with) {
    if (with.contains(use.text)) continue;
    console_.warn("predict_with: it was not measured with " + use.text +
                  "; sculpt evaluate RUN DATA --set oracle=... does that");
  }
  if (!experiment_.audit_with) return;
  const std::string& auditor = experiment_.audit_with->text;
  if (finished.value("audit", Json::object()).value("oracle", "") == auditor) return;
  console_.warn("audit_with: it was not audited by " + auditor +
                "; train it anew with that, or into another --output");
}

// Opens the checkpoint to resume from, if there is one.
void Training::open_resume_checkpoint() {
  earlier_ =
      open_checkpoint(folder_.checkpoints(), "; train again, with --force in place of --resume",
                      [this](const std::string& text) { console_.warn(text); });
  if (earlier_ != nullptr) {
    Json known = identity_.of(data_);
    known.update(identity_.files());
    if (settings_.trusts_rebuilt) known.erase("libraries");
    require_same_run(earlier_->header(), known, earlier_->path().string());
    require_same_start(earlier_->header(), earlier_->path().string());
    identity_.begin_with(earlier_->header().value("warm_start", std::string()));
    before_ = progress_in(*earlier_);
    return;
  }
  const Json config = folder_.earlier_config();
  if (config.is_object()) {
    require_same_config(config, identity_.config(), (folder_.path() / "config.json").string());
  }
  folder_.require_no_model();
  console_.say("no checkpoint in " + folder_.path().string() + ": starting afresh");
}

// Throws if only one of the two runs uses warm_start. The planes are in the checkpoint; the run
// that they came from may be gone.
void Training::require_same_start(const Json& then, const std::string& place) const {
  const bool warm = solver_.warm_start() != nullptr;
  if (then.contains("warm_start") == warm) return;
  throw Failure(Exit::config, std::string("solver.warm_start is ") + (warm ? "set" : "unset") +
                                  ", but " + place + " is of a run that began " +
                                  (warm ? "without" : "with") + " the planes of another" +
                                  resume_advice);
}

void Training::load_warm_start_planes(Problem& problem, const Solver& solver, PlaneSource& source) {
  Json known = identity_.of(data_, problem, *objective_);
  known.update(identity_.files());
  WarmStartPlanes earlier =
      core::load_warm_start_planes(experiment_, solver_, solver, known, source, console_);
  console_.say("beginning with " + std::to_string(earlier.working_set.plane_count()) +
               " planes of " + solver_.warm_start());
  identity_.begin_with(std::move(earlier.hash));
  planes_ = std::move(earlier.working_set);
}

// The run from the first pass on.
Exit Training::train(Problem& problem, Solver& solver, const Ports& ports) {
  print_start(console_, experiment_, solver_.kind, *objective_, problem);
  console_.say("expects to need " + memory_text(memory_.expected));
  for (const std::string& warning : warnings_) console_.warn(warning);
  PassLog log(folder_, console_, solver_.kind.name, before_.pass);
  Json known = identity_.of(data_, problem, *objective_);
  known.update(identity_.files());
  RunCheckpoints checkpoints(
      folder_.checkpoints(), std::move(known), experiment_.checkpoint_seconds,
      [this] { return so_far(); }, std::move(earlier_), console_);
  if (planes_) checkpoints.begin_with(*planes_);
  current_activity = {"training", before_.pass + 1, to_need_less(solver_.kind, solver)};
  const Json target = solver_.parameters.resolved().value("relative_gap", Json());
  const Result result =
      solve_soundly(solver, solver_.kind.name, ports, log, checkpoints,
                    target.is_number() ? std::optional(target.get<double>()) : std::nullopt);
  current_activity = {"writing and measuring the model"};
  stop_done();
  console_.end_passes();
  times_.solver = result.times;
  times_.writing += result.times.writing;
  save(problem, result);
  finish(problem, solver, result, checkpoints.is_behind());
  return result.reached ? Exit::reached : Exit::not_reached;
}

// Makes the run folder, or resumes the run in it.
void Training::open_folder(Problem& problem) {
  times_.reading = before_.reading + watch_.seconds();
  const Timed timed(times_.writing);
  if (earlier_ == nullptr) {
    folder_.create(identity_.config());
    folder_.append_event(started_event(problem));
    return;
  }
  require_same_run(earlier_->header(), identity_.of(data_, problem, *objective_),
                   earlier_->path().string());
  folder_.reopen(identity_.config(), before_.pass);
  folder_.append_event(
      {{"event", "resumed"}, {"pass", before_.pass}, {"seconds", before_.seconds}});
  console_.say("going on behind pass " + std::to_string(before_.pass));
}

Json Training::started_event(Problem& problem) const {
  Json event = {{"event", "started"},
                {"sculpt", SCULPT_VERSION},
                {"name", experiment_.name},
                {"components", assembly_.components()},
                {"solver", solver_.kind.name},
                {"examples", problem.training().size()},
                {"validation_examples", problem.validation().size()},
                {"dimension", problem.dimension()},
                {"formulation", objective_->json()},
                {"reading_seconds", times_.reading},
                {"memory_estimate_bytes", memory_.expected}};
  if (!warnings_.empty()) event["warnings"] = warnings_;
  if (planes_) event["warm_start"] = {{"planes", planes_->plane_count()}};
  return event;
}

RunProgress Training::so_far() const {
  return {0, before_.seconds + watch_.seconds(), times_.reading};
}

void Training::save(Problem& problem, const Result& result) {
  const Timed timed(times_.writing);
  Json header = identity_.of(data_, problem, *objective_);
  header["certificate"] = certificate_json(result, problem.oracle().relaxes());
  std::map<std::string, std::string> states;
  for (Problem::State& state : problem.states()) states[state.kind] = std::move(state.bytes);
  write_model(folder_.model_path(), {header, result.w, states});
  if (result.stopped_by != StoppedBy::signal) folder_.remove_replaced();
}

// The evaluation may use the rest of max_seconds, plus 10 % of max_seconds (at least one second).
// So a run that was stopped by max_seconds still prints metrics if they are cheap.
std::function<bool()> Training::limit_of_measuring(const Result& result) const {
  const Json max_seconds = solver_.parameters.resolved().value("max_seconds", Json());
  if (!max_seconds.is_number()) return {};
  const auto most = max_seconds.get<double>();
  const double left = std::max(0.0, most - result.elapsed_seconds) +
                      std::max(min_seconds_for_measuring, part_for_measuring * most);
  return [watch = Stopwatch(), left] { return watch.seconds() >= left; };
}

void Training::finish(Problem& problem, const Solver& solver, const Result& result,
                      bool checkpoint_is_behind) {
  const ModelMetrics figures = [&] {
    const Timed timed(times_.evaluation);
    const std::function<bool()> time_is_up = limit_of_measuring(result);
    const Services::Limit limit(problem.services(), time_is_up);
    return measure(problem, experiment_, result, console_);
  }();
  times_.total = so_far().seconds;
  Json event = {{"event", "finished"}};
  event.update(certificate_json(result, problem.oracle().relaxes()));
  add_run_times(event, times_);
  memory_.peak = process_memory().peak;
  event["peak_memory_bytes"] = memory_.peak;
  event["checkpoint_written"] = !checkpoint_is_behind && has_checkpoint(folder_.checkpoints());
  add_figures(event, figures);
  folder_.append_event(event);
  drop_previous_checkpoint(folder_.checkpoints());  // the last one belongs to the end of the run
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  AdviceFacts shape{solver.traits()};
  const int asked_on = shape.asks_one_by_one ? 1 : problem.workers().threads();
  shape.shares_slack = shape.shares_slack && problem.training().size() > 1;
  shape.more_threads = problem.serial_note().empty() && asked_on < cores;
  shape.takes_gap = solver_.kind.takes("relative_gap");
  shape.takes_c = solver_.kind.takes("C");
  shape.is_hinge = objective_->is_hinge();
  shape.escalates = problem.oracle().escalates();
  shape.columns_differ = columns_differ_;
  shape.oracle_is_cheap = is_cheap(result.times);
  shape.suits_one_slack = suits_one_slack(problem.training().size(), problem.dimension());
  shape.columns = columns_;
  if (const auto formulation = solver.formulation()) {
    shape.slacks_vanish = !formulation->hard_margin() && slacks_vanish(result);
    shape.C = formulation->C;
    shape.needs_one_argmax = formulation->needs_one_argmax();
  }
  shape.factor_graph = problem.features().offers_factor_graph();
  shape.target = target_text(solver_.parameters.resolved());
  print_result(std::cout, experiment_, result, figures, times_, shape, memory_,
               folder_.model_path());
}

}  // namespace sculpt::core
