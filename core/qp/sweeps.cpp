#include "qp/sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "qp/standstill.hpp"

namespace sculpt::core {
namespace {

// Measured on the OCR letters (626 and 6251 words); they change the way to the optimum, not it.
constexpr int sweeps_per_face = 8;         // block sweeps before conjugate gradients
constexpr int sweeps_per_evaluation = 20;  // at most, before all planes are scored
constexpr double most_optimism = 100;      // one bad evaluation must not stop all further ones
constexpr int face_iterations = 15;
constexpr int most_sweeps = 1 << 30;  // that a state may claim; a single block counts on and on
constexpr double sleep_share = 0.01;  // asleep: this part of max |b| below the block's best score
constexpr double skip_share = 0.2;    // skipped: a gap below this part of the block's tolerance
constexpr double block_share = 0.1;   // a visit ends at this part of the gap it found
constexpr std::int64_t steps_per_plane = 20;
constexpr std::int64_t poll_every = 16;  // blocks

// The restricted gap is a difference of sums of size scale(): below this part it is rounding.
constexpr double rounding = 1e-14;

// The gap of a stretched w falls with the error of w, of which the gain of the dual is the square:
// below what the dual itself shows.
constexpr double stretched_rounding = 1e-22;

}  // namespace

Sweeps::Sweeps(WorkingSet& working_set)
    : working_set_(working_set),
      face_(working_set),
      gap_(static_cast<std::size_t>(working_set.block_count()), 0.0),
      slack_(static_cast<std::size_t>(working_set.block_count()), 0.0) {}

QpEnd Sweeps::solve(const QpRequest& request) {
  const double most_work =
      request.max_sweeps * (static_cast<double>(working_set_.entry_count()) + 1);
  work_ = 0;
  if (working_set_.rest_on_contradiction()) return QpEnd::inseparable;
  const double least_gain = working_set_.slack_term().is_linear() ? rounding : stretched_rounding;
  Standstill standstill;
  double visited_gap = 0;
  optimism_ = 1;
  for (;;) {
    evaluate();
    if (working_set_.is_inseparable(request.separation_floor)) return QpEnd::inseparable;
    const double lack =
        request.part_of_dual > 0 ? std::min(estimate_, restricted_gap_) : restricted_gap_;
    if (visited_gap > 0) {
      optimism_ = std::clamp(lack / visited_gap, 1.0, most_optimism);
    }
    if (lack <= tolerance(request)) return QpEnd::tolerance;
    if (work_ > most_work) return QpEnd::work;
    const double scale = working_set_.scale();
    if (standstill.after(gain_, least_gain * scale, working_set_.dual(), rounding * scale, lack)) {
      return QpEnd::rounding;
    }
    gain_ = 0;
    if (!climb(request)) {
      evaluate();
      return QpEnd::interrupted;
    }
    visited_gap = total_gap();
  }
}

BlockGap Sweeps::measure(std::int64_t block) {
  working_set_.score(block, score_);
  return block_gap(working_set_.block(block), working_set_.slack_term(), score_);
}

void Sweeps::improve(std::int64_t index) {
  Block& block = working_set_.block(index);
  std::fill(block.asleep.begin(), block.asleep.end(), std::uint8_t{0});
  visit(index, 0);
}

// Sweeps and conjugate gradients until the gaps of the last visits say that it is enough. False:
// interrupted.
bool Sweeps::climb(const QpRequest& request) {
  for (int k = 0; k < sweeps_per_evaluation; ++k) {
    if (!sweep(request)) return false;
    gain_ += working_set_.climb_ray();
    if (optimism_ * total_gap() <= tolerance(request)) return true;
    // Pairwise steps solve a single block from its Gram matrix alone, but for the bounds.
    const bool alone = gap_.size() == 1 && !working_set_.has_bounds();
    if (++sweeps_since_face_ < sweeps_per_face || alone) continue;
    const FaceAscent::Outcome outcome = face_.improve(face_iterations);
    gain_ += outcome.gain;
    work_ += outcome.work;
    sweeps_since_face_ = 0;
  }
  return true;
}

bool Sweeps::sweep(const QpRequest& request) {
  const InPhase phase(gap_.size() > 1 ? request.clock : nullptr, &TimeSplit::sweeps);
  const double share = tolerance(request) / static_cast<double>(gap_.size());
  for (std::int64_t block = 0; block < working_set_.block_count(); ++block) {
    if (block % poll_every == 0 && request.stop && request.stop()) return false;
    if (gap_[static_cast<std::size_t>(block)] > skip_share * share) {
      visit(block, block_share * share);
    }
  }
  return true;
}

void Sweeps::visit(std::int64_t index, double tolerance) {
  Block& block = working_set_.block(index);
  work_ += static_cast<double>(working_set_.score_awake(index, score_));
  const BlockGap found = block_gap(block, working_set_.slack_term(), score_);
  gap_[static_cast<std::size_t>(index)] = found.gap;
  if (found.gap <= tolerance) return;
  before_ = block.alpha;
  const auto size = static_cast<std::int64_t>(block.size());
  const PairwiseSteps done =
      improve_block(block, working_set_.slack_term(), score_,
                    std::max(tolerance, block_share * found.gap), steps_per_plane * size);
  work_ += static_cast<double>(done.steps * size);
  gain_ += done.gain + working_set_.move_w(index, before_);
}

void Sweeps::evaluate() {
  working_set_.refresh();
  stretch_.clear();
  const SlackTerm& term = working_set_.slack_term();
  for (std::int64_t index = 0; index < working_set_.block_count(); ++index) {
    const BlockGap found = measure(index);
    gap_[static_cast<std::size_t>(index)] = found.gap;
    slack_[static_cast<std::size_t>(index)] = found.slack;
    Block& block = working_set_.block(index);
    if (!term.is_linear()) stretch_.add_block(block, term, score_);
    send_to_sleep(block, found.level);
  }
  restricted_gap_ = estimate_ = total_gap();
  if (!term.is_linear()) stretch_w();
  work_ += static_cast<double>(working_set_.entry_count());
}

// Moves the place of evaluation from w to s w.
void Sweeps::stretch_w() {
  stretch_.find(working_set_, slack_);
  const double factor = stretch_.factor();
  restricted_gap_ = std::max(0.0, 0.5 * factor * factor * working_set_.squared_norm() +
                                      stretch_.slack_cost() - working_set_.dual());
}

double Sweeps::mean_slack() const {
  return std::accumulate(slack_.begin(), slack_.end(), 0.0) / static_cast<double>(slack_.size());
}

// Planes that the next sweeps are unlikely to need; those that carry alpha never sleep.
void Sweeps::send_to_sleep(Block& block, double level) const {
  double largest = 0;
  for (const double b : block.b) largest = std::max(largest, std::abs(b));
  for (std::size_t p = 1; p < block.size(); ++p) {
    block.asleep[p] = block.alpha[p] == 0 && score_[p] < level - sleep_share * largest ? 1 : 0;
  }
}

// The blocks' gaps, and who sleeps, are left out: they are found anew before they are read.
void Sweeps::save(StateWriter& out) const {
  out.put_array(slack_);
  out.put(restricted_gap_);
  out.put(stretch_.factor());
  out.put(gain_);
  out.put(std::int32_t{sweeps_since_face_});
}

void Sweeps::load(StateReader& in) {
  in.get_array(slack_);
  in.require(slack_.size() == gap_.size(), "slacks of another number of blocks");
  in.require(std::all_of(slack_.begin(), slack_.end(),
                         [](double slack) { return slack >= 0 && std::isfinite(slack); }),
             "a slack that is negative or not finite");
  restricted_gap_ = in.get<double>();
  const auto factor = in.get<double>();
  gain_ = in.get<double>();
  sweeps_since_face_ = in.get<std::int32_t>();
  in.require(restricted_gap_ >= 0 && std::isfinite(factor) && factor >= 0 && std::isfinite(gain_),
             "a figure of the QP that is out of range");
  in.require(sweeps_since_face_ >= 0 && sweeps_since_face_ < most_sweeps,
             "a number of sweeps that is out of range");
  stretch_.set_factor(factor);
}

double Sweeps::tolerance(const QpRequest& request) const {
  return std::max({request.tolerance, request.part_of_dual * working_set_.dual(),
                   rounding * working_set_.scale()});
}

double Sweeps::total_gap() const {
  return std::accumulate(gap_.begin(), gap_.end(), 0.0);
}

}  // namespace sculpt::core
