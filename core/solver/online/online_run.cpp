#include "solver/online/online_run.hpp"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include "base/infinity.hpp"
#include "linalg/products.hpp"
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
      judged_(static_cast<std::size_t>(source.dimension())) {}

Result OnlineRun::solve() {
  resume();
  for (;;) {
    if (!learn()) return interrupted();
    const auto end = verdict();
    // An evaluation because of a limit: with another limit the run resumes before it.
    if (end) write_checkpoint();
    if ((end || is_due()) && !evaluate()) return interrupted();
    report();
    if (end) return finish(*end);
  }
}

// Makes the rest of the pass, batch after batch. Returns false if it was interrupted.
bool OnlineRun::learn() {
  if (position_ == 0) counts_ = {};
  const auto number = static_cast<std::uint64_t>(passes() + 1);
  order_examples(options_.order, example_count(), source_.seed(), number, order_);
  const std::int64_t batch = options_.batch == 0 ? example_count() : options_.batch;
  while (position_ < example_count()) {
    Pass pass = next_pass();
    pose(pass);
    if (source_.escalates())
      pass.stop_escalating_above = [](std::int64_t) { return 0.0; };  // any mistake counts
    const std::int64_t count = std::min(batch, example_count() - position_);
    const auto examples = std::span(order_).subspan(static_cast<std::size_t>(position_),
                                                    static_cast<std::size_t>(count));
    if (!ask(sum_.last(), examples, pass)) return false;
    for (const Separation& answer : answers_) take(answer);
    position_ += count;
    written_ = false;
    const bool ends = position_ == example_count();
    if (ends ? checkpoints_.due() : checkpoints_.due_within_pass()) write_checkpoint();
  }
  return true;
}

bool OnlineRun::ask(WeightView w, std::span<const std::int64_t> examples, const Pass& pass) {
  const auto question = [&] { source_.separate(w, examples, pass, answers_); };
  try {
    return RunCounters::ask(static_cast<std::int64_t>(examples.size()), question);
  } catch (...) {
    write_checkpoint();
    throw;
  }
}

void OnlineRun::take(const Separation& answer) {
  counts_.answers.count(answer);
  const double scale = answer.no_output ? 0 : step(answer);
  if (scale == 0) return sum_.rest();
  ++counts_.mistakes;
  sum_.add(scale, answer.plane.a);
}

// Why the run ends after this pass, if it does.
std::optional<StoppedBy> OnlineRun::verdict() const {
  if (stops_without_mistakes() && counts_.mistakes == 0) return StoppedBy::no_mistakes;
  return stopping().limit(passes() + 1, oracle_calls());
}

bool OnlineRun::is_due() const {
  return options_.evaluate_every > 0 && (passes() + 1) % options_.evaluate_every == 0;
}

// Evaluates P of the w that would be saved now. Returns false if it was interrupted.
bool OnlineRun::evaluate() {
  mark();
  evaluating_ = true;
  Vector w;
  sum_.mean(factor(), w);
  MeanSlack mean;
  if (!sum_slack(w, mean)) return false;
  evaluating_ = false;
  written_ = false;
  latest_ = bound_primal(options_.formulation, squared_norm(w), mean);
  keep(w, *latest_);
  return true;
}

// Returns false if it was interrupted.
bool OnlineRun::sum_slack(WeightView w, MeanSlack& mean) {
  const Pass pass = with_checkpoint_poll(next_pass());
  return sum_mean_slack(
      options_.formulation, source_, answers_, mean,
      [&](std::span<const std::int64_t> examples, std::vector<Separation>&) {
        return ask(w, examples, pass);
      },
      [](const Separation&) {});
}

// A run that minimizes P keeps the best w.
void OnlineRun::keep(WeightView w, const PrimalBounds& primal) {
  const bool is_lower = std::isfinite(bounds_.high) ? primal.high < bounds_.high
                                                    : value_of(primal) < value_of(bounds_);
  if (is_judged_ && !stops_without_mistakes() && !is_lower) return;
  judged_.keep(w.dense());
  bounds_ = primal;
  is_judged_ = true;
}

void OnlineRun::report() {
  last_ = counts_;
  position_ = 0;
  count_pass();
  note_report();
  PassReport report;
  if (latest_) {
    report.primal_low = latest_->low;
    report.primal_high = latest_->high;
    report.mean_slack = latest_->mean_slack;
  }
  if (is_judged_) {
    report.best_primal = value_of(bounds_);
    report.primal_kind = bound_kind_of(bounds_.low, bounds_.high);
  }
  fill_answer_counts(source_, last_.answers, report);
  (stops_without_mistakes() ? report.mistakes : report.violated) = counts_.mistakes;
  fill(report);
  latest_.reset();
  const InPhase phase(clock(), &TimeSplit::writing);
  listener_.pass_done(report);
}

// P is known for the w of the last evaluation only. Unless that w is the best of a run that
// minimizes P, the current mean is better, and nothing is known of it.
Result OnlineRun::interrupted() {
  write_checkpoint();
  if (stops_without_mistakes() || !is_judged_) {
    Vector w;
    sum_.mean(factor(), w);
    judged_.keep(w);
    bounds_ = {infinity, infinity, 0};
    is_judged_ = false;
  }
  return finish(stopping().interrupted().value_or(StoppedBy::signal));
}

Result OnlineRun::finish(StoppedBy rule) const {
  Result result;
  result.w = judged_.restored();
  result.primal = value_of(bounds_);
  result.primal_low = is_judged_ ? bounds_.low : 0;
  if (std::isfinite(bounds_.high)) result.primal_high = bounds_.high;
  if (!is_judged_) {
    result.uncertified_reason = UncertifiedReason::not_asked;
  } else if (result.primal_high) {
    result.uncertified_reason = UncertifiedReason::none;
  } else {
    result.uncertified_reason = std::isfinite(bounds_.low) ? UncertifiedReason::no_upper_bound
                                                           : UncertifiedReason::violated;
  }
  result.stopped_by = rule;
  result.answers = last_.answers;
  fill(result);
  return result;
}

// A checkpoint that is due within an evaluation contains the state at its beginning.
Pass OnlineRun::with_checkpoint_poll(Pass pass) {
  const auto stop = std::move(pass.interrupted);
  pass.interrupted = [this, stop, here = std::this_thread::get_id()] {
    if (std::this_thread::get_id() == here && !written_ && checkpoints_.due()) write();
    return stop();
  };
  return pass;
}

void OnlineRun::mark() {
  marked_.clear();
  save_counts(marked_);
  marked_.put(position_);
  counts_.save(marked_);
  last_.save(marked_);
}

void OnlineRun::write() {
  const InPhase phase(clock(), &TimeSplit::writing);
  checkpoints_.write(reported(), [this](StateWriter& out) {
    out.write(marked_.bytes());
    save_times(out);
    sum_.save(out);
    out.put(is_judged_);
    for (const double bound : {bounds_.low, bounds_.high, bounds_.mean_slack}) out.put(bound);
    judged_.save(out);
  });
  written_ = true;
}

// Writes the state if it is not written yet.
void OnlineRun::write_checkpoint() {
  if (written_) return;
  if (!evaluating_) mark();
  write();
}

void OnlineRun::resume() {
  StateReader* in = checkpoints_.earlier();
  if (in == nullptr) return;
  load_counts(*in);
  position_ = in->get_count();
  in->require(position_ <= example_count(), "a position beyond the examples");
  counts_.load(*in);
  last_.load(*in);
  load_times(*in);
  sum_.load(*in);
  is_judged_ = in->get_flag();
  for (double* bound : {&bounds_.low, &bounds_.high, &bounds_.mean_slack}) {
    *bound = in->get<double>();
    in->require(!std::isnan(*bound), "a bound that is no number");
  }
  judged_.load(*in);
  in->require(in->left() == 0, "more than the state of this solver");
  written_ = true;
}

}  // namespace sculpt::core
