// training_passes.cpp - the part of Training from the first pass to the result.

#include <algorithm>
#include <type_traits>
#include <utility>

#include "base/current_activity.hpp"
#include "base/memory/process_memory.hpp"
#include "base/surroundings.hpp"
#include "base/text/message_text.hpp"
#include "command/training/model_metrics.hpp"
#include "command/training/pass_log.hpp"
#include "command/training/training.hpp"
#include "command/training/validated_run.hpp"
#include "command/training/zero_weights.hpp"
#include "verify/weight_point.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// The evaluation may exceed max_seconds by this fraction, and at least by this many seconds.
constexpr double evaluation_share = 0.1;
constexpr double min_evaluation_seconds = 1;

// The rules that may end the run, from the resolved keys of the solver.
RunGoals goals_of(const Json& solver) {
  const auto set = [&](const char* key, auto& goal) {
    const Json value = solver.value(key, Json());
    if (value.is_number()) goal = value.get<typename std::decay_t<decltype(goal)>::value_type>();
  };
  RunGoals goals;
  set("relative_gap", goals.relative_gap);
  set("residual", goals.residual);
  set("max_passes", goals.max_passes);
  set("max_oracle_calls", goals.max_oracle_calls);
  set("max_seconds", goals.max_seconds);
  return goals;
}

}  // namespace

// The file with the state, the planes or the weights that the run begins with. Empty if it begins
// with nothing.
std::string Training::origin_of_state() const {
  if (resume_checkpoint_ != nullptr) return resume_checkpoint_->path().string();
  return warm_start_planes_ || warm_start_weights_ ? solver_.warm_start() : "";
}

// The checkpoints of the run, or of a part of it. `more`: keys for their headers.
std::unique_ptr<RunCheckpoints> Training::make_checkpoints(Json identity, const Json& more,
                                                           std::unique_ptr<Checkpoint> resumed) {
  identity.update(more);
  auto checkpoints = std::make_unique<RunCheckpoints>(
      folder_.checkpoints(), std::move(identity), experiment_.checkpoint_seconds,
      [this] { return progress(); }, std::move(resumed), console_, folder_.writes());
  // The solver takes them. The planes are in the first checkpoint, the weights may not be.
  if (!std::exchange(has_started_, true) && warm_start_planes_) {
    checkpoints->set_warm_start_planes(*warm_start_planes_);
  }
  if (warm_start_weights_) {
    given_weights_ = validation_rule_ ? *warm_start_weights_ : std::move(*warm_start_weights_);
    checkpoints->set_warm_start_weights(given_weights_);
  }
  return checkpoints;
}

// The passes of the solver, to the end of the run.
Result Training::solve(Problem& problem, Solver& solver, const Ports& ports) {
  PassLog log(folder_, console_, solver_.descriptor.name, earlier_progress_.pass,
              settings_.pass_done);
  Json identity = identity_.model_header(data_hashes_, problem, *objective_);
  identity.update(file_hashes_);
  const SolverOrigin origin{solver_.descriptor.name, origin_of_state()};
  const Json target = solver_.parameters.resolved().value("relative_gap", Json());
  const auto relative_gap = target.is_number() ? std::optional(target.get<double>()) : std::nullopt;
  const auto stop = [this, is_requested = stop_request()] {
    console_.refresh_live();
    return is_requested();
  };
  if (!validation_rule_) {
    const auto checkpoints =
        make_checkpoints(identity, Json::object(), std::move(resume_checkpoint_));
    Result result = solve_and_check(solver, origin, ports, log, stop, *checkpoints, relative_gap);
    checkpoint_is_outdated_ = checkpoints->is_outdated();
    return result;
  }
  const auto measure = [&](const Result& result) {
    const std::function<bool()> time_is_over = evaluation_limit(result);
    const Services::ScopedStopCondition stop_condition(problem.services(), time_is_over);
    return measure_validation(problem, experiment_, *objective_, result, *validation_rule_);
  };
  const auto make_part = [&](const Json& state, std::unique_ptr<Checkpoint> resumed) {
    return make_checkpoints(identity, state, std::move(resumed));
  };
  ValidatedRun run(*validation_rule_, {solver_, ports, folder_, console_, log, stop, relative_gap,
                                       ranks_, make_part, measure});
  Result result = run.run(std::move(resume_checkpoint_), origin);
  checkpoint_is_outdated_ = run.checkpoint_is_outdated();
  times_.evaluation += run.measuring_seconds();
  validated_ = run.json();
  return result;
}

// The run from the first pass on.
Exit Training::train(Problem& problem, Solver& solver, const Ports& ports) {
  print_start(console_, experiment_, solver_.descriptor, *objective_, problem, data_sizes_);
  console_.print_line("this run is expected to need " + memory_text(memory_.expected));
  for (const std::string& line : memory_.plan) console_.print_line(line);
  for (const std::string& warning : warnings_) console_.warn(warning);
  console_.set_goals(goals_of(solver_.parameters.resolved()));
  current_activity = {"training", earlier_progress_.pass + 1,
                      memory_advice(solver_.descriptor, solver)};
  Result result = solve(problem, solver, ports);
  if (ProblemKernel* const kernel = problem.kernel()) {
    result.squared_norm = point_of(result.w, &kernel->product()).squared_norm();
  }
  current_activity = {"writing and measuring the model"};
  clear_stop_request();
  console_.end_passes();
  const std::string zero_weights = zero_weights_warning(result, problem);
  if (!zero_weights.empty()) console_.warn(zero_weights);
  times_.solver = result.times;
  times_.writing += result.times.writing;
  save_model(problem, result);
  finish(problem, solver, result);
  return result.reached ? Exit::reached : Exit::not_reached;
}

// The evaluation may use the rest of max_seconds, plus 10 % of max_seconds (at least one second).
// So a run that was stopped by max_seconds still prints metrics if they are cheap.
std::function<bool()> Training::evaluation_limit(const Result& result) const {
  const Json max_seconds = solver_.parameters.resolved().value("max_seconds", Json());
  if (!max_seconds.is_number()) return {};
  const auto limit = max_seconds.get<double>();
  const double seconds_left = std::max(0.0, limit - result.elapsed_seconds) +
                              std::max(min_evaluation_seconds, evaluation_share * limit);
  return [watch = Stopwatch(), seconds_left] { return watch.seconds() >= seconds_left; };
}

// Who stops a run does not want to wait for its metrics. Cheap ones are still printed.
std::function<bool()> Training::last_evaluation_limit(const Result& result) const {
  if (result.stopped_by != StoppedBy::signal) return evaluation_limit(result);
  return [watch = Stopwatch()] { return watch.seconds() >= min_evaluation_seconds; };
}

}  // namespace sculpt::core
