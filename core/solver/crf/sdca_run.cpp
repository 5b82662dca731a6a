#include "solver/crf/sdca_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/infinity.hpp"
#include "base/text/message_text.hpp"
#include "linalg/mean_rounding.hpp"
#include "linalg/products.hpp"

namespace sculpt::core {
namespace {

// Passes of steps between two passes that compute P: at first, and at most.
constexpr std::int64_t first_interval = 2;
constexpr std::int64_t max_interval = 8;

// So many measurements without any gain end the run.
constexpr std::int64_t max_still = 3;

// P and D may contradict each other by this fraction of P. Oracles may work in single precision.
constexpr double contradiction_tolerance = 1e-6;

}  // namespace

SdcaRun::SdcaRun(const CrfOptions& options, const Ports& ports, Listener& listener,
                 const StopRequest& stop, Checkpoints& checkpoints)
    : LogLossRun(options, ports, listener, stop, checkpoints), ascent_(options.terms, ports) {}

Result SdcaRun::solve() {
  const std::int64_t descent = options().sgd_passes.value_or(0);
  if (StateReader* const state = checkpoints().saved_state()) {
    load(*state);
  } else {
    w_ = begin_descent(descent, checkpoints().warm_start_weights());
  }
  if (const auto rule = descend_stochastically(descent, w_)) return finish(*rule);
  if (!begin()) return finish(interruption());
  for (;;) {
    if (const auto rule = stop_rule()) return finish(*rule);
    if (checkpoints().is_due()) write_checkpoint();
    const bool measures = passes_left_ == 0 && ascent_.has_ended_pass();
    if (!(measures ? measure() : ascend())) return finish(interruption());
    const Bounds known = bounds();
    report(&known, progress_);
  }
}

// Sets the blocks to the distributions of w, which gives P(w) and D; or completes the blocks of a
// checkpoint. Returns false if it was interrupted.
bool SdcaRun::begin() {
  if (has_blocks_) {
    if (!is_restored_) return true;
    is_restored_ = !ask(0, [&] { ascent_.restore_means(next_pass()); });
    return !is_restored_;
  }
  const std::int64_t asked = asked_count(example_count(), source().example_weights());
  BlockAscent::Start start;
  if (!ask(asked, [&] { start = ascent_.start(w_, next_pass()); })) return false;
  add_calls((start.passes - 1) * asked);
  has_blocks_ = true;
  best_.primal = start.primal;
  best_.rounding =
      mean_rounding(example_count(), std::abs(best_.primal) + squared_norm(w_) + start.magnitude);
  best_.no_output_count = ascent_.no_output_count();
  last_dual_ = ascent_.dual();
  interval_ = passes_left_ = first_interval;
  is_measured_ = true;
  const Bounds known = bounds();
  report(&known, progress_);
  return true;
}

// A pass of steps. Returns false if it was interrupted.
bool SdcaRun::ascend() {
  if (ascent_.has_ended_pass()) ascent_.begin_pass(static_cast<std::uint64_t>(passes() + 1));
  is_measured_ = false;
  const Pass pass = next_pass();
  while (!ascent_.has_ended_pass()) {
    if (checkpoints().is_due_within_pass()) write_checkpoint();
    if (!ask(1, [&] { ascent_.step(pass); })) return false;
  }
  --passes_left_;
  if (bounds().relative_gap() <= options().stop.relative_gap) passes_left_ = 0;
  return true;
}

// A pass at one w: P and the gap. Returns false if it was interrupted.
bool SdcaRun::measure() {
  const std::int64_t asked = asked_count(example_count(), source().example_weights());
  CellGap measured;
  if (!ask(asked, [&] { measured = ascent_.measure(next_pass()); })) return false;
  is_measured_ = true;
  const double primal = ascent_.dual() + measured.gap;
  const double rounding = mean_rounding(example_count(), measured.magnitude);
  require_dual_below(best_.primal, rounding);
  if (primal < best_.primal) {
    progress_ = (best_.primal - primal) / std::max(std::abs(primal), 1e-300);
    best_.primal = primal;
    best_.rounding = rounding;
    w_ = ascent_.w();
  } else {
    progress_ = 0;
  }
  const bool is_still = !(ascent_.dual() - last_dual_ > rounding) && measured.gap >= last_gap_;
  still_ = is_still ? still_ + 1 : 0;
  plan(measured.gap);
  last_gap_ = measured.gap;
  last_dual_ = ascent_.dual();
  return true;
}

// D was computed anew, and P at another w. Together they may show what no step shows.
void SdcaRun::require_dual_below(double primal, double rounding) const {
  const double excess = ascent_.dual() - primal;
  const double magnitude = std::abs(primal) + std::abs(ascent_.dual());
  if (excess <= contradiction_tolerance * magnitude + 2 * (rounding + best_.rounding)) return;
  source().report_contradiction(
      -1, "its log Z and its E[z] contradict each other: they prove the dual " +
              number_text(ascent_.dual(), 9) + ", but the primal is " + number_text(primal, 9));
}

// Chooses how many passes of steps come before P is computed again. The gap is supposed to fall by
// the same factor with each pass as it did before.
void SdcaRun::plan(double gap) {
  const double target = options().stop.relative_gap * std::abs(best_.primal);
  std::int64_t passes = interval_;
  if (gap < last_gap_ && std::isfinite(last_gap_) && gap > 0 && target > 0) {
    const double fall = std::log(last_gap_ / gap) / static_cast<double>(interval_);
    const double needed = std::log(gap / target) / fall;
    passes = needed < static_cast<double>(max_interval)
                 ? static_cast<std::int64_t>(std::ceil(needed))
                 : max_interval;
  }
  interval_ = passes_left_ = std::clamp<std::int64_t>(passes, 1, max_interval);
}

// Why no further pass is made. After steps D is a sum of rises, which proves nothing: a pass at one
// w must follow.
std::optional<StoppedBy> SdcaRun::stop_rule() const {
  if (is_measured_ && bounds().relative_gap() <= options().stop.relative_gap) {
    return StoppedBy::relative_gap;
  }
  if (still_ >= max_still) return StoppedBy::standstill;
  return ascent_.has_ended_pass() ? reached_limit() : std::nullopt;
}

LogLossRun::Bounds SdcaRun::bounds() const {
  Bounds known = best_;
  const bool is_equal = std::abs(best_.primal - ascent_.dual()) <= best_.rounding;
  known.dual = is_equal ? best_.primal : ascent_.dual();
  return known;
}

Result SdcaRun::finish(StoppedBy rule) {
  write_checkpoint();
  if (!has_blocks_) {
    return result_of(rule, nullptr, is_descending() ? descending_w() : std::move(w_));
  }
  const Bounds known = bounds();
  return result_of(rule, &known, std::move(w_));
}

void SdcaRun::write_checkpoint() {
  checkpoints().write(reported_passes(), [this](StateWriter& out) {
    save_counts(out);
    save_descent(out);
    out.put(has_blocks_);
    out.put(is_measured_);
    if (!is_descending()) out.put_array(w_);
    if (has_blocks_) {
      ascent_.save(out);
      for (const double value : {best_.primal, best_.rounding, last_gap_, last_dual_, progress_}) {
        out.put(value);
      }
      for (const std::int64_t count : {best_.no_output_count, passes_left_, interval_, still_}) {
        out.put(count);
      }
    }
    save_times(out);
  });
}

void SdcaRun::load(StateReader& in) {
  load_counts(in);
  load_descent(in);
  has_blocks_ = is_restored_ = in.get_flag();
  is_measured_ = in.get_flag();
  if (!is_descending()) {
    in.get_array(w_);
    in.require(std::ssize(w_) == source().dimension(), "a vector of another dimension");
    in.require(std::all_of(w_.begin(), w_.end(), [](double one) { return std::isfinite(one); }),
               "a weight that is not finite");
  }
  in.require(!(has_blocks_ && is_descending()), "two states in one");
  if (has_blocks_) {
    ascent_.load(in);
    load_best(in);
  }
  load_times(in);
  in.require(in.bytes_left() == 0, "more than the state of this solver");
}

void SdcaRun::load_best(StateReader& in) {
  for (double* const value :
       {&best_.primal, &best_.rounding, &last_gap_, &last_dual_, &progress_}) {
    *value = in.get<double>();
  }
  in.require(std::isfinite(best_.primal) && best_.rounding >= 0 && best_.rounding < infinity &&
                 last_gap_ >= 0 && std::isfinite(last_dual_),
             "a primal, a dual or a gap that is no such number");
  for (std::int64_t* const count : {&best_.no_output_count, &passes_left_, &interval_, &still_}) {
    *count = in.get_count();
  }
  in.require(passes_left_ <= interval_ && interval_ <= max_interval, "a wrong number of passes");
}

std::vector<Vector> SdcaRun::load_dual_vectors(StateReader& in) {
  load(in);
  if (!has_blocks_) return {};
  return {ascent_.theta()};
}

}  // namespace sculpt::core
