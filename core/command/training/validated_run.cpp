#include "command/training/validated_run.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cancelled.hpp"
#include "base/failure.hpp"
#include "base/stopwatch.hpp"
#include "base/text/message_text.hpp"
#include "launch/run_events.hpp"
#include "launch/stop_signal.hpp"
#include "run/best_checkpoint.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* state_key = "validated";

// The state of the validations in a checkpoint. Throws Failure(Exit::data).
void load_state(const Checkpoint& checkpoint, BestPass& best, double& seconds) {
  try {
    const Json& state = checkpoint.header().at(state_key);
    best.load(state);
    seconds = state.at("seconds").get<double>();
  } catch (const Json::exception&) {
    checkpoint.refuse("its header does not say what the validations have found");
  }
}

bool ends_at_once(StoppedBy rule) {
  return rule == StoppedBy::signal || rule == StoppedBy::max_seconds;
}

}  // namespace

ValidatedRun::ValidatedRun(ValidationRule rule, Parts parts)
    : best_pass_(std::move(rule)), parts_(std::move(parts)) {
  const Json keys = parts_.solver.parameters.resolved();
  const Json passes = keys.value("max_passes", Json());
  const Json seconds = keys.value("max_seconds", Json());
  if (passes.is_number()) max_passes_ = passes.get<std::int64_t>();
  if (seconds.is_number()) max_seconds_ = seconds.get<double>();
}

// The solver with this limit of passes. Measuring takes its part of max_seconds.
std::unique_ptr<Solver> ValidatedRun::solver_until(std::int64_t pass) const {
  const SolverDescriptor& descriptor = parts_.solver.descriptor;
  const std::span<const sculpt_value> checked = parts_.solver.parameters.values();
  std::vector<sculpt_value> values(checked.begin(), checked.end());
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string_view name = descriptor.parameters[k].name;
    if (name == "max_passes") {
      values[k].is_default = 0;
      values[k].integer = pass;
      values[k].real = static_cast<double>(pass);
    }
    if (name == "max_seconds" && max_seconds_) {
      values[k].real = std::max(0.0, *max_seconds_ - measuring_seconds_);
    }
  }
  return descriptor.create(values);
}

// Reads what the validations before the checkpoint found.
void ValidatedRun::restore(const Checkpoint& resumed) {
  load_state(resumed, best_pass_, measuring_seconds_);
  resumed_seconds_ = measuring_seconds_;
  if (best_pass_.exists()) restore_best();
}

// Solves again from the checkpoint of the best pass to its end, which is at most one pass.
void ValidatedRun::restore_best() {
  const auto is_of_best = [&](const Checkpoint& checkpoint) {
    BestPass before(best_pass_.rule());
    double ignored = 0;
    load_state(checkpoint, before, ignored);
    return before.next_pass() == best_pass_.pass();
  };
  const std::unique_ptr<Checkpoint> checkpoint =
      open_best_checkpoint(parts_.folder.checkpoints(), is_of_best);
  if (checkpoint == nullptr) {
    throw Failure(Exit::data, parts_.folder.checkpoints().string() +
                                  ": the checkpoint of the best pass, " +
                                  std::to_string(best_pass_.pass()) +
                                  ", is missing; train again, with --force instead of --resume");
  }
  const std::optional<double> max_seconds = std::exchange(max_seconds_, std::nullopt);
  ReadOnlyCheckpoints state(*checkpoint);
  Listener nobody;
  const SolverOrigin origin{parts_.solver.descriptor.name, checkpoint->path().string()};
  const std::unique_ptr<Solver> solver = solver_until(best_pass_.pass());
  best_ = solve_and_check(*solver, origin, parts_.ports, nobody, parts_.stop, state, parts_.target);
  max_seconds_ = max_seconds;
  if (best_->stopped_by == StoppedBy::signal) throw Cancelled();
}

Result ValidatedRun::run(std::unique_ptr<Checkpoint> resumed, const SolverOrigin& origin) {
  if (resumed != nullptr) restore(*resumed);
  SolverOrigin part_origin = origin;
  for (;;) {
    last_is_best_ = false;
    const std::int64_t next = best_pass_.next_pass();
    const bool is_last = max_passes_ && *max_passes_ <= next;
    const std::int64_t limit = is_last ? *max_passes_ : next;
    Json state = best_pass_.state();
    state["seconds"] = measuring_seconds_;
    state["next_pass"] = next;
    const auto checkpoints = parts_.make_checkpoints({{state_key, state}}, std::move(resumed));
    parts_.log.hold_back_from(limit);
    const std::unique_ptr<Solver> solver = solver_until(limit);
    Result result = solve_and_check(*solver, part_origin, parts_.ports, parts_.log, parts_.stop,
                                    *checkpoints, parts_.target);
    is_outdated_ = checkpoints->is_outdated();
    const StoppedBy stopped_by = result.stopped_by;
    const bool has_ended = is_last || stopped_by != StoppedBy::max_passes;
    if (has_ended) parts_.log.release();
    if (has_ended && ends_at_once(stopped_by) && best_pass_.exists()) {
      return choose(std::move(result), stopped_by);
    }
    const std::int64_t pass = has_ended ? result.passes : limit;
    const std::optional<StoppedBy> rule = validate(result, pass, has_ended);
    if (rule) {
      parts_.log.release();
      return choose(std::move(result), *rule);
    }
    if (is_outdated_) {
      throw Failure(Exit::write_failed,
                    parts_.folder.checkpoints().string() +
                        ": a run with \"validate_every\" continues from its checkpoints, and the "
                        "last one could not be written; free space on the disk");
    }
    // The first rank has written it.
    if (parts_.ranks != nullptr) parts_.ranks->together("a checkpoint", [] {});
    resumed = open_checkpoint(parts_.folder.checkpoints(), "",
                              [this](const std::string& text) { parts_.console.warn(text); });
    part_origin.state_file = resumed->path().string();
    parts_.log.continue_after(progress_in(*resumed).pass);
  }
}

// Measures the model after this pass, and keeps it if it is the best. Returns the rule that ends
// the run now, if one does.
std::optional<StoppedBy> ValidatedRun::validate(Result& result, std::int64_t pass, bool has_ended) {
  ValidationValue value;
  try {
    const ScopedTimer timed(measuring_seconds_);
    value = parts_.measure(result);
  } catch (const Cancelled&) {
    return stop_signal() != 0 ? StoppedBy::signal : StoppedBy::max_seconds;
  }
  const bool is_best =
      best_pass_.add(pass, value.value, value.higher_is_better, has_ended && result.reached);
  report(pass, value, is_best);
  last_is_best_ = is_best;
  if (is_best) best_ = result;
  // The last checkpoint is that of the last model. A run with a higher limit forgets this
  // validation, and needs the best pass before it.
  if (is_best && !has_ended && parts_.folder.writes())
    keep_best_checkpoint(parts_.folder.checkpoints());
  if (has_ended) return result.stopped_by;
  if (best_pass_.patience_is_over()) return StoppedBy::validation;
  return std::nullopt;
}

void ValidatedRun::report(std::int64_t pass, const ValidationValue& value, bool is_best) {
  parts_.folder.append_event({{"event", "validated"},
                              {"pass", pass},
                              {"metric", best_pass_.rule().metric},
                              {"value", number_json(value.value)},
                              {"best", is_best}});
  if (!is_best) return;
  parts_.console.add_note("  validation after pass " + std::to_string(pass) + ": " +
                          best_pass_.rule().metric + " " + number_text(value.value) +
                          ", the best so far");
}

// The result of the best pass. Counts of time are those of the whole run.
Result ValidatedRun::choose(Result last, StoppedBy rule) {
  stopped_by_ = rule;
  if (!best_ || last_is_best_) {
    last.stopped_by = rule;
    last.reached = last.reached && has_reached_target(rule, last.certified);
    return last;
  }
  Result chosen = *std::move(best_);
  // A target that the last model has reached is not one of this model.
  chosen.stopped_by = is_limit(rule) ? rule : StoppedBy::validation;
  chosen.reached = false;
  chosen.times = last.times;
  chosen.elapsed_seconds = last.elapsed_seconds;
  return chosen;
}

Json ValidatedRun::json() const {
  if (!best_pass_.exists()) return nullptr;
  return {{"metric", best_pass_.rule().metric},    {"best_pass", best_pass_.pass()},
          {"best_value", best_pass_.value()},      {"last_pass", best_pass_.last_pass()},
          {"last_value", best_pass_.last_value()}, {"run_stopped_by", name_of(stopped_by_)}};
}

}  // namespace sculpt::core
