// training_end.cpp - the part of Training after the model is written: what it reports.

#include <nlohmann/json.hpp>
#include <optional>

#include "base/memory/process_memory.hpp"
#include "base/text/text_out.hpp"
#include "command/plan/run_costs.hpp"
#include "command/training/advice_facts.hpp"
#include "command/training/model_metrics.hpp"
#include "command/training/rank_summary.hpp"
#include "command/training/training.hpp"
#include "launch/example_weights.hpp"
#include "launch/run_events.hpp"
#include "run/best_checkpoint.hpp"

namespace sculpt::core {

using Json = nlohmann::ordered_json;

// Measures the model, writes the event "finished" and prints the summary.
void Training::finish(Problem& problem, const Solver& solver, const Result& result) {
  const ModelMetrics metrics = [&] {
    const ScopedTimer timed(times_.evaluation);
    const std::function<bool()> time_is_over = last_evaluation_limit(result);
    const Services::ScopedStopCondition stop_condition(problem.services(), time_is_over);
    return measure(problem, experiment_, *objective_, result, console_);
  }();
  times_.total = progress().seconds;
  const RunCosts costs = costs_of_run(ranks_, problem, solver.traits(), watch_.seconds());
  std::optional<RankSummary> ranks;
  if (ranks_ != nullptr) ranks = rank_summary(*ranks_, costs);
  if (!folder_.writes()) return;
  Json event = {{"event", "finished"},
                {"minimizes", solver_.descriptor.minimizes ? objective_->kind() : "nothing"}};
  event.update(certificate_json(result, problem.oracle().relaxes()));
  add_run_times(event, times_);
  memory_.peak = process_memory().peak;
  event["peak_memory_bytes"] = memory_.peak;
  std::string kernel_rows;
  if (ProblemKernel* const kernel = problem.kernel()) {
    const KernelRows& rows = kernel->product().rows();
    event["kernel_rows"] = {{"computed", rows.computed_count()}, {"asked", rows.asked_count()}};
    kernel_rows = kernel_rows_text(rows.computed_count(), rows.asked_count());
  }
  if (ranks) event["ranks"] = rank_summary_json(*ranks);
  event["division"] = run_costs_json(costs);
  event["checkpoint_written"] = !checkpoint_is_outdated_ && has_checkpoint(folder_.checkpoints());
  if (!validated_.is_null()) event["validated"] = validated_;
  add_metrics(event, metrics);
  folder_.append_event(event);
  drop_previous_checkpoint(folder_.checkpoints());  // the last one belongs to the end of the run
  if (!validated_.is_null() && !is_limit(result.stopped_by)) {
    drop_best_checkpoints(folder_.checkpoints(), last_is_best(validated_));
  }
  AdviceFacts facts = advice_facts(problem, experiment_, {solver, solver_, *objective_}, result,
                                   columns_differ_, column_advice_);
  facts.calls_are_divided = shares_most_calls(event);
  if (settings_.is_quiet) {
    for (const std::string& warning : warnings_of(metrics)) console_.warn(warning);
    return;
  }
  const bool can_continue = facts.ended_early && has_checkpoint(folder_.checkpoints());
  TextOut out = report_out();
  print_result(out, experiment_, result, metrics, times_, facts, memory_,
               example_weights_text(problem.example_weights()), kernel_rows,
               ranks ? rank_summary_text(*ranks) : "", more_cores_row(event, times_), validated_,
               can_continue ? settings_.resume_command : "", folder_.model_path());
}

}  // namespace sculpt::core
