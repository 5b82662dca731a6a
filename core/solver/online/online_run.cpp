#include "solver/online/online_run.hpp"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include "base/infinity.hpp"
#include "solver/mean_slack.hpp"

namespace sculpt::core {
namespace {

double value_of(const PrimalBounds& primal) {
  return std::isfinite(primal.high) ? primal.high : primal.low;
}

}  // namespace

void OnlineRun::Counts::save(StateWriter& out) const {
  out.put(mistakes);
  answers.save(out);
}

void OnlineRun::Counts::load(StateReader& in) {
  mistakes = in.get_count();
  answers.load(in);
}

OnlineRun::OnlineRun(const OnlineOptions& options, PlaneSource& source, Listener& listener,
                     const StopRequest& stop, Checkpoints& checkpoints)
    : RunCounters(options.stop, source, stop),
      options_(options),
      source_(source),
      listener_(listener),
      checkpoints_(checkpoints),
      sum_(static_cast<std::size_t>(source.dimension()), source.nonnegative()),
      scores_(source.inner_product(options.kernel_bytes()),
              static_cast<std::size_t>(source.dimension())),
      evaluated_(static_cast<std::size_t>(source.dimension())) {}

Result OnlineRun::solve() {
  resume();
  for (;;) {
    if (!finish_pass()) return finish_interrupted();
    const auto rule = stop_rule_after_pass();
    // An evaluation because of a limit: with another limit the run resumes before it.
    if (rule) write_checkpoint();
    if ((rule || evaluation_is_due()) && !evaluate()) return finish_interrupted();
    report();
    if (rule) return finish(*rule);
  }
}

// Makes the rest of the pass, batch after batch. Returns false if it was interrupted.
bool OnlineRun::finish_pass() {
  if (position_ == 0) counts_ = {};
  const auto number = static_cast<std::uint64_t>(passes() + 1);
  order_examples(options_.order, example_count(), source_.seed(), number, order_);
  const std::int64_t batch = options_.batch == 0 ? example_count() : options_.batch;
  while (position_ < example_count()) {
    Pass pass = next_pass();
    configure(pass);
    if (source_.escalates())
      pass.stop_escalating_above = [](std::int64_t) { return 0.0; };  // any mistake counts
    const std::int64_t count = std::min(batch, example_count() - position_);
    const auto examples = std::span(order_).subspan(static_cast<std::size_t>(position_),
                                                    static_cast<std::size_t>(count));
    if (!ask(scores_.w(sum_.last()), examples, pass)) return false;
    for (std::size_t k = 0; k < examples.size(); ++k) apply_step(examples[k], answers_[k]);
    position_ += count;
    is_written_ = false;
    const bool ends_pass = position_ == example_count();
    if (ends_pass ? checkpoints_.is_due() : checkpoints_.is_due_within_pass()) write_checkpoint();
  }
  return true;
}

bool OnlineRun::ask(WeightView w, std::span<const std::int64_t> examples, const Pass& pass) {
  const auto call_source = [&] { source_.separate(w, examples, pass, answers_); };
  try {
    return RunCounters::ask(static_cast<std::int64_t>(examples.size()), call_source);
  } catch (...) {
    write_checkpoint();
    throw;
  }
}

void OnlineRun::apply_step(std::int64_t example, const Separation& answer) {
  counts_.answers.add(answer);
  const double factor = answer.no_output ? 0 : step_factor(example, answer);
  if (factor == 0) return sum_.add_zero();
  ++counts_.mistakes;
  sum_.add(factor, answer.plane.a);
  scores_.add(factor, answer.plane.a);
}

// The rule that ends the run after this pass, if there is one.
std::optional<StoppedBy> OnlineRun::stop_rule_after_pass() const {
  if (stops_without_mistakes() && counts_.mistakes == 0) return StoppedBy::no_mistakes;
  return stop_rules().reached_limit(passes() + 1, oracle_calls());
}

bool OnlineRun::evaluation_is_due() const {
  return options_.evaluate_every > 0 && (passes() + 1) % options_.evaluate_every == 0;
}

// Evaluates P of the w that would be saved if the run ended here. Returns false if it was
// interrupted.
bool OnlineRun::evaluate() {
  record_counters();
  is_evaluating_ = true;
  Vector v;
  sum_.mean(mean_factor(), v);
  Vector w;
  const double squared_norm = scores_.multiply_exactly(v, w);
  MeanSlack mean;
  if (!sum_slack(w, mean)) return false;
  is_evaluating_ = false;
  is_written_ = false;
  pass_primal_ = bound_primal(options_.formulation, squared_norm, mean);
  keep_if_better(v, *pass_primal_);
  return true;
}

// Computes the mean slack at w. Returns false if it was interrupted.
bool OnlineRun::sum_slack(WeightView w, MeanSlack& mean) {
  Pass pass = with_checkpoint_poll(next_pass());
  pass.makes_steps = false;
  return sum_mean_slack(
      options_.formulation, source_, answers_, mean,
      [&](std::span<const std::int64_t> examples, std::vector<Separation>&) {
        return ask(w, examples, pass);
      },
      [](const Separation&) {});
}

// Stores v and its P. A run that minimizes P stores them only if P is lower.
void OnlineRun::keep_if_better(const Vector& v, const PrimalBounds& primal) {
  const bool is_lower = std::isfinite(evaluated_primal_.high)
                            ? primal.high < evaluated_primal_.high
                            : value_of(primal) < value_of(evaluated_primal_);
  if (has_evaluated_w_ && !stops_without_mistakes() && !is_lower) return;
  evaluated_.store(v);
  evaluated_primal_ = primal;
  has_evaluated_w_ = true;
}

void OnlineRun::report() {
  reported_counts_ = counts_;
  position_ = 0;
  count_pass();
  record_report();
  PassReport report;
  if (pass_primal_) {
    report.primal_low = pass_primal_->low;
    report.primal_high = pass_primal_->high;
    report.mean_slack = pass_primal_->mean_slack;
  }
  if (has_evaluated_w_) {
    report.best_primal = value_of(evaluated_primal_);
    report.primal_kind = bound_kind_of(evaluated_primal_.low, evaluated_primal_.high);
  }
  fill_answer_counts(source_, reported_counts_.answers, report);
  (stops_without_mistakes() ? report.mistakes : report.violated) = counts_.mistakes;
  fill(report);
  pass_primal_.reset();
  const ScopedPhase phase(clock(), &PhaseTimes::writing);
  listener_.pass_done(report);
}

// P is known for the w of the last evaluation only. Unless that w is the best of a run that
// minimizes P, the current mean is better, and nothing is known of it.
Result OnlineRun::finish_interrupted() {
  write_checkpoint();
  if (stops_without_mistakes() || !has_evaluated_w_) {
    Vector v;
    sum_.mean(mean_factor(), v);
    evaluated_.store(v);
    evaluated_primal_ = {infinity, infinity, 0};
    has_evaluated_w_ = false;
  }
  return finish(stop_rules().interruption().value_or(StoppedBy::signal));
}

Result OnlineRun::finish(StoppedBy rule) const {
  Result result;
  result.w = evaluated_.restored();
  result.primal = value_of(evaluated_primal_);
  result.primal_low = has_evaluated_w_ ? evaluated_primal_.low : 0;
  if (std::isfinite(evaluated_primal_.high)) result.primal_high = evaluated_primal_.high;
  if (!has_evaluated_w_) {
    result.uncertified_reason = UncertifiedReason::not_asked;
  } else if (result.primal_high) {
    result.uncertified_reason = UncertifiedReason::none;
  } else {
    result.uncertified_reason = std::isfinite(evaluated_primal_.low)
                                    ? UncertifiedReason::no_upper_bound
                                    : UncertifiedReason::violated;
  }
  result.stopped_by = rule;
  result.answers = reported_counts_.answers;
  fill(result);
  return result;
}

// A checkpoint that is due within an evaluation contains the state at its beginning.
Pass OnlineRun::with_checkpoint_poll(Pass pass) {
  const auto is_stopped = std::move(pass.interrupted);
  pass.interrupted = [this, is_stopped, solver_thread = std::this_thread::get_id()] {
    const bool may_write = std::this_thread::get_id() == solver_thread && !is_written_;
    if (may_write && checkpoints_.is_due()) write();
    return is_stopped();
  };
  return pass;
}

void OnlineRun::record_counters() {
  recorded_counters_.clear();
  save_counts(recorded_counters_);
  recorded_counters_.put(position_);
  counts_.save(recorded_counters_);
  reported_counts_.save(recorded_counters_);
}

void OnlineRun::write() {
  const ScopedPhase phase(clock(), &PhaseTimes::writing);
  checkpoints_.write(reported_passes(), [this](StateWriter& out) {
    out.write(recorded_counters_.bytes());
    save_times(out);
    sum_.save(out);
    scores_.save(out);
    out.put(has_evaluated_w_);
    const PrimalBounds& primal = evaluated_primal_;
    for (const double bound : {primal.low, primal.high, primal.mean_slack}) out.put(bound);
    evaluated_.save(out);
  });
  is_written_ = true;
}

// Writes the state if it is not written yet.
void OnlineRun::write_checkpoint() {
  if (is_written_) return;
  if (!is_evaluating_) record_counters();
  write();
}

void OnlineRun::resume() {
  StateReader* in = checkpoints_.saved_state();
  if (in == nullptr) return;
  load_counts(*in);
  position_ = in->get_count();
  in->require(position_ <= example_count(), "a position beyond the examples");
  counts_.load(*in);
  reported_counts_.load(*in);
  load_times(*in);
  sum_.load(*in);
  scores_.load(*in);
  has_evaluated_w_ = in->get_flag();
  PrimalBounds& primal = evaluated_primal_;
  for (double* bound : {&primal.low, &primal.high, &primal.mean_slack}) {
    *bound = in->get<double>();
    in->require(!std::isnan(*bound), "a bound that is not a number");
  }
  evaluated_.load(*in);
  in->require(in->bytes_left() == 0, "more than the state of this solver");
  is_written_ = true;
}

}  // namespace sculpt::core
