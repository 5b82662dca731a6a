#include "solver/n_slack.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "cancelled.hpp"
#include "qp/sweeps.hpp"
#include "qp/working_set.hpp"
#include "solver/progress.hpp"

namespace sculpt::core {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A frozen pass asks so many examples at a time and polls for a stop in between.
constexpr std::int64_t chunk = 256;

// A violation below this part of |b| + |<w, a>| is rounding.
constexpr double rounding = 1e-12;

// Work bounds of one QP, in scorings of the working set: past the first, a new pass helps more.
constexpr double sweeps_per_pass = 300;
constexpr double sweeps_when_exhausted = 5000;

class Run {
 public:
  Run(const NSlackOptions& options, Separator& separator, Listener& listener,
      const StopRequest& stop)
      : options_(options),
        separator_(separator),
        listener_(listener),
        count_(separator.example_count()),
        cap_(options.C / static_cast<double>(count_)),
        working_set_(count_, separator.dimension(), cap_),
        sweeps_(working_set_),
        progress_(options.stop, stop, separator.dimension()),
        examples_(static_cast<std::size_t>(count_)),
        answers_(static_cast<std::size_t>(count_)) {
    std::iota(examples_.begin(), examples_.end(), std::int64_t{0});
  }

  bool next_pass_is_frozen() const;
  bool ask_all();
  void certify();
  void add_violated();
  bool ask_in_batches();
  std::optional<StoppedBy> target() const;
  bool exhausted() const { return new_planes_ == 0 && qp_is_exact_; }
  std::optional<StoppedBy> limit() const;
  bool solve_qp();

  Result interrupted() const {
    return finish(progress_.stopping.interrupted().value_or(StoppedBy::signal));
  }
  Result finish(StoppedBy rule) const { return progress_.result(rule, working_set_); }

 private:
  void begin_pass();
  bool ask(std::int64_t begin, std::int64_t end);
  double size_of_b(std::int64_t example) const;
  bool add_if_violated(std::int64_t example, double slack);
  void improve_batch(std::int64_t begin, std::int64_t end);

  const NSlackOptions& options_;
  Separator& separator_;
  Listener& listener_;
  std::int64_t count_;  // n
  double cap_;          // C/n
  WorkingSet working_set_;
  Sweeps sweeps_;
  Progress progress_;
  std::vector<std::int64_t> examples_;  // [n] 0, 1, ...
  std::vector<Separation> answers_;     // [n] of the pass under way
  std::vector<Separation> chunk_answers_;

  std::int64_t new_planes_ = 0;  // in the last pass
  double pass_gap_ = 0;          // what the last pass found; in batches only an estimate
  double excess_ = 0;            // max_i H_i - xi_i, likewise
  bool in_batches_ = false;      // the last pass was
  bool qp_is_exact_ = true;      // to rounding, over the working set before the last pass
};

// In batches the answers belong to different w and prove nothing: all are asked at one w when they
// say that the gap is small, when nothing new was found, and in the last pass that a limit allows.
bool Run::next_pass_is_frozen() const {
  if (options_.batch == 0 || options_.batch >= count_) return true;
  const Stopping& stopping = progress_.stopping;
  if (stopping.limit(progress_.passes + 1, progress_.oracle_calls + count_)) return true;
  if (progress_.passes == 0) return false;
  const double small = std::max(options_.frozen_below, stopping.relative_gap());
  const double primal = working_set_.dual() + pass_gap_;
  return new_planes_ == 0 || pass_gap_ <= small * std::abs(primal) ||
         (stopping.epsilon() && excess_ <= *stopping.epsilon());
}

void Run::begin_pass() {
  ++progress_.passes;
  progress_.no_output = 0;
  progress_.truth_outside = 0;
  new_planes_ = 0;
  pass_gap_ = 0;
  excess_ = 0;
}

// Asks about [begin, end) at the present w. False: interrupted.
bool Run::ask(std::int64_t begin, std::int64_t end) {
  if (progress_.stopping.interrupted()) return false;
  const auto first = static_cast<std::size_t>(begin);
  const auto size = static_cast<std::size_t>(end - begin);
  const Timed timed(progress_.oracle_seconds);
  try {
    separator_.separate(working_set_.w(), std::span(examples_).subspan(first, size),
                        static_cast<std::uint64_t>(progress_.passes), chunk_answers_);
  } catch (const Cancelled&) {
    return false;
  }
  progress_.oracle_calls += end - begin;
  for (std::size_t k = 0; k < size; ++k) {
    progress_.no_output += chunk_answers_[k].no_output ? 1 : 0;
    progress_.truth_outside += chunk_answers_[k].truth_outside ? 1 : 0;
    answers_[first + k] = std::move(chunk_answers_[k]);
  }
  return true;
}

bool Run::ask_all() {
  begin_pass();
  in_batches_ = false;
  for (std::int64_t begin = 0; begin < count_; begin += chunk) {
    if (!ask(begin, std::min(begin + chunk, count_))) return false;
  }
  return true;
}

// The size of the terms that the slack of an example is a difference of.
double Run::size_of_b(std::int64_t example) const {
  const std::vector<double>& b = working_set_.block(example).b;
  const double answer = answers_[static_cast<std::size_t>(example)].plane.b;
  return std::max(std::abs(answer), *std::max_element(b.begin(), b.end()));
}

void Run::certify() {
  double low = 0;
  double high = 0;
  for (std::int64_t example = 0; example < count_; ++example) {
    const Separation& answer = answers_[static_cast<std::size_t>(example)];
    if (answer.no_output) continue;
    const double seen = sweeps_.slack()[static_cast<std::size_t>(example)];
    const SlackBounds slack = bound_slack(seen, answer.low, answer.high, size_of_b(example),
                                          "example " + std::to_string(example));
    low += slack.low;
    high += slack.high;
    excess_ = std::max(excess_, slack.high - seen);
  }
  const auto n = static_cast<double>(count_);
  const PrimalBounds primal =
      bound_primal(working_set_.squared_norm(), options_.C, low / n, high / n);
  pass_gap_ = (std::isfinite(primal.high) ? primal.high : primal.low) - working_set_.dual();
  progress_.certificate.update(working_set_.w(), primal, working_set_.dual(), working_set_.scale());
  progress_.report(listener_, working_set_, primal);
}

// Algorithm 1: S_i grows by the plane when H_i > xi_i + epsilon.
bool Run::add_if_violated(std::int64_t example, double slack) {
  Separation& answer = answers_[static_cast<std::size_t>(example)];
  if (answer.no_output) return false;
  const double b = answer.plane.b;
  const double noise = rounding * (std::abs(b) + std::abs(b - answer.low));
  const double allowed = std::max(noise, progress_.stopping.epsilon().value_or(0));
  if (answer.low <= slack + allowed) return false;
  return working_set_.add(example, PlaneVector(std::move(answer.plane.a)), b, answer.output);
}

void Run::add_violated() {
  const Timed timed(progress_.qp_seconds);
  for (std::int64_t example = 0; example < count_; ++example) {
    const double slack = sweeps_.slack()[static_cast<std::size_t>(example)];
    if (add_if_violated(example, slack)) ++new_planes_;
  }
}

bool Run::ask_in_batches() {
  begin_pass();
  in_batches_ = true;
  for (std::int64_t begin = 0; begin < count_; begin += options_.batch) {
    const std::int64_t end = std::min(begin + options_.batch, count_);
    if (!ask(begin, end)) return false;
    improve_batch(begin, end);
  }
  return true;
}

void Run::improve_batch(std::int64_t begin, std::int64_t end) {
  const Timed timed(progress_.qp_seconds);
  for (std::int64_t example = begin; example < end; ++example) {
    const Separation& answer = answers_[static_cast<std::size_t>(example)];
    const BlockGap seen = sweeps_.measure(example);
    const double excess = answer.no_output ? 0 : std::max(answer.low, answer.high) - seen.slack;
    pass_gap_ += seen.gap + cap_ * std::max(0.0, excess);
    excess_ = std::max(excess_, excess);
    if (add_if_violated(example, seen.slack)) ++new_planes_;
  }
  for (std::int64_t example = begin; example < end; ++example) sweeps_.improve(example);
}

std::optional<StoppedBy> Run::target() const {
  const Certificate& certificate = progress_.certificate;
  if (progress_.stopping.gap_reached(certificate)) return StoppedBy::relative_gap;
  const auto& epsilon = progress_.stopping.epsilon();
  // P - D <= C epsilon follows when the QP is solved; until then it must be seen.
  if (epsilon && excess_ <= *epsilon && (qp_is_exact_ || pass_gap_ <= options_.C * *epsilon)) {
    return StoppedBy::epsilon;
  }
  return std::nullopt;
}

std::optional<StoppedBy> Run::limit() const {
  return progress_.stopping.limit(progress_.passes, progress_.oracle_calls);
}

bool Run::solve_qp() {
  QpEnd end;
  {
    const Timed timed(progress_.qp_seconds);
    QpRequest request;
    request.tolerance = new_planes_ == 0 ? 0 : options_.qp_fraction * pass_gap_;
    request.max_sweeps = new_planes_ == 0 ? sweeps_when_exhausted : sweeps_per_pass;
    request.stop = [this] { return progress_.stopping.interrupted().has_value(); };
    end = sweeps_.solve(request);
    qp_is_exact_ = new_planes_ == 0 && (end == QpEnd::tolerance || end == QpEnd::rounding);
  }
  progress_.certificate.raise_dual(working_set_.dual(), working_set_.scale());
  if (in_batches_) {
    const auto& slack = sweeps_.slack();
    const double mean =
        std::accumulate(slack.begin(), slack.end(), 0.0) / static_cast<double>(count_);
    progress_.report(listener_, working_set_,
                     bound_primal(working_set_.squared_norm(), options_.C, mean, infinity));
  }
  return end != QpEnd::interrupted;
}

}  // namespace

Result NSlack::solve(Separator& separator, Listener& listener, const StopRequest& stop) {
  Run run(options_, separator, listener, stop);
  for (;;) {
    if (run.next_pass_is_frozen()) {
      if (!run.ask_all()) return run.interrupted();
      run.certify();
      if (const auto rule = run.target()) return run.finish(*rule);
      run.add_violated();
      if (run.exhausted()) return run.finish(StoppedBy::oracle_exhausted);
      if (const auto rule = run.limit()) return run.finish(*rule);
    } else {
      if (!run.ask_in_batches()) return run.interrupted();
    }
    if (!run.solve_qp()) return run.interrupted();
  }
}

}  // namespace sculpt::core
