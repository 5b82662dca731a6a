#include "solver/crf/log_loss_run.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace sculpt::core {

double LogLossRun::Bounds::gap() const {
  return std::max(0.0, primal - dual);
}

double LogLossRun::Bounds::relative_gap() const {
  return gap() == 0 ? 0 : gap() / std::abs(primal);
}

LogLossRun::LogLossRun(const CrfOptions& options, const Ports& ports, Listener& listener,
                       const StopRequest& stop, Checkpoints& checkpoints)
    : RunCounters(options.stop, *ports.expectations, stop),
      options_(options),
      source_(*ports.expectations),
      listener_(listener),
      checkpoints_(checkpoints) {}

Vector LogLossRun::begin_descent(std::int64_t passes, Vector* warm_start) {
  Vector w = warm_start != nullptr ? std::move(*warm_start)
                                   : Vector(static_cast<std::size_t>(source_.dimension()), 0.0);
  if (passes == 0) return w;
  descent_.emplace(options_.terms, source_, std::move(w), options_.sgd_batch);
  return {};
}

std::optional<StoppedBy> LogLossRun::descend_stochastically(std::int64_t passes, Vector& w) {
  constexpr std::int64_t steps_at_a_time = 64;
  const auto ask_source = [this](std::int64_t count, const std::function<void()>& call) {
    return ask(count, call);
  };
  while (descent_) {
    // A run that resumes at its limit makes no further pass.
    if (descent_->is_between_passes()) {
      if (const auto rule = reached_limit()) return *rule;
    }
    if (descent_->is_between_passes() ? checkpoints_.is_due() : checkpoints_.is_due_within_pass()) {
      write_checkpoint();
    }
    const auto pass = static_cast<std::uint64_t>(this->passes() + 1);
    // Every rank makes the steps at single examples itself. They still have to agree on a stop.
    if (source_.ranks() != nullptr) source_.ranks()->together("stochastic steps", [] {});
    const std::int64_t calls = oracle_calls();
    if (!descent_->advance(steps_at_a_time, pass, ask_source)) {
      if (!descent_->has_chosen_rate()) subtract_calls(oracle_calls() - calls);
      return interruption();
    }
    if (!descent_->has_ended_pass()) continue;
    descent_->begin_pass();
    report(nullptr, no_value);
    if (this->passes() >= passes) {  // before a limit ends the run: it may be resumed
      w = descent_->w();
      descent_.reset();
    }
    if (const auto rule = reached_limit()) return *rule;
  }
  return std::nullopt;
}

StoppedBy LogLossRun::interruption() const {
  return stop_rules().interruption().value_or(StoppedBy::signal);
}

void LogLossRun::save_descent(StateWriter& out) const {
  out.put(descent_.has_value());
  if (descent_) descent_->save(out);
}

void LogLossRun::load_descent(StateReader& in) {
  if (!in.get_flag()) return;
  const Vector zero(static_cast<std::size_t>(source_.dimension()), 0.0);
  descent_.emplace(options_.terms, source_, zero, options_.sgd_batch).load(in);
}

void LogLossRun::report(const Bounds* bounds, double progress) {
  count_pass();
  record_report();
  PassReport report;
  fill(report);
  report.progress = progress;
  if (bounds != nullptr) {
    report.best_primal = bounds->primal;
    report.primal_low = bounds->is_exact ? bounds->primal : -infinity;
    report.primal_high = bounds->is_exact ? bounds->primal : infinity;
    report.dual = bounds->dual;
    report.gap = bounds->gap();
    report.relative_gap = bounds->relative_gap();
    report.certified = bounds->is_exact;
  }
  listener_.pass_done(report);
}

Result LogLossRun::result_of(StoppedBy rule, const Bounds* bounds, Vector w) const {
  Result result;
  fill(result);
  result.stopped_by = rule;
  result.w = std::move(w);
  if (bounds == nullptr) {  // before the first gradient of all examples
    result.primal_low = no_value;
    return result;
  }
  const bool is_exact = bounds->is_exact;
  result.primal = bounds->primal;
  result.primal_low = is_exact ? bounds->primal : -infinity;
  if (is_exact) result.primal_high = bounds->primal;
  result.dual = bounds->dual;
  result.gap = bounds->gap();
  result.relative_gap = bounds->relative_gap();
  result.rounding = bounds->rounding;
  result.certified = is_exact;
  result.uncertified_reason = is_exact ? UncertifiedReason::none : UncertifiedReason::approximate;
  result.reached = has_reached_target(rule, is_exact);
  result.answers.no_output_count = bounds->no_output_count;
  return result;
}

}  // namespace sculpt::core
