#include "qp/qp_solver.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/random.hpp"
#include "linalg/sparse_state.hpp"
#include "qp/stall_detector.hpp"

namespace sculpt::core {
namespace {

// Measured on the OCR letters (626 and 6251 words). They change the way to the optimum, not the
// optimum.
constexpr int sweeps_per_evaluation = 20;  // at most, before all planes are scored
constexpr double max_optimism = 100;       // one bad evaluation must not stop all further ones

// Conjugate gradients are tried again when sweeps have taken this part of the work of the last
// ones. They are tried earlier if they closed more of the gap for their work than sweeps do. A unit
// of work takes sweeps two to three times as long, unless they run in parts. Measured, of 0.2 to
// 10, on letter, satimage, texts of 58 classes, OCR letters, conll2000 and yeast.
constexpr double sweeps_per_face = 0.6;

constexpr double skip_share = 0.2;   // skips blocks with a gap below this part of their tolerance
constexpr double block_share = 0.1;  // a visit ends at this part of the block's tolerance
constexpr std::size_t poll_every = 16;  // blocks

// Newton steps start when ascent has done newton_part_ times their expected work. These factors
// lower it after a solve that needed them, and raise it after one that did not. The last value is
// used if the work limit ended the solve.
constexpr double more_often = 4;
constexpr double less_often = 2;
constexpr double min_newton_part = 1e-3;
constexpr double part_when_unfinished = 0.25;

// If Newton steps miss the tolerance, ascent continues for this many times their work.
constexpr double ascent_after_newton = 4;

// Ascent is stuck if it stalls at a gap of more than this part of the terms of D.
constexpr double stuck_part = 1e-9;

// The restricted gap is a difference of sums of size scale(). Below this part it is rounding.
constexpr double rounding = 1e-14;

// If w is scaled, the gap is proportional to the error of w, and the gain of the dual to its
// square. So steps are useful although the dual no longer changes in double precision.
constexpr double stretched_rounding = 1e-22;

}  // namespace

QpSolver::QpSolver(WorkingSet& working_set, Workers* workers)
    : working_set_(working_set),
      workers_(workers),
      parts_(working_set, workers),
      face_(working_set, workers),
      interior_(working_set, workers),
      gap_(static_cast<std::size_t>(working_set.block_count()), 0.0),
      slack_(static_cast<std::size_t>(working_set.block_count()), 0.0) {}

QpEnd QpSolver::solve(const QpRequest& request) {
  const QpEnd end = ascend_until_done(request);
  if (end != QpEnd::inseparable && working_set_.dual_has_fallen()) {
    working_set_.restore_accepted_alpha();
    evaluate_sum();
  }
  return end;
}

QpEnd QpSolver::ascend_until_done(const QpRequest& request) {
  const double max_work = request.max_sweeps * scoring_work();
  if (working_set_.set_alpha_to_infeasible_plane()) return QpEnd::inseparable;
  StallDetector standstill;
  double visited_gap = 0;
  gap_correction_ = 1;
  parts_clash_ = false;
  measure_changed();
  work_ = 0;  // without the work of measure_changed(): a resumed run evaluates everything there
  newton_work_ = newton_done_ = 0;
  for (;; evaluate()) {
    if (working_set_.is_inseparable(request.separation_floor)) return QpEnd::inseparable;
    const double open_gap =
        request.part_of_dual > 0 ? std::min(estimate_, restricted_gap_) : restricted_gap_;
    if (visited_gap > 0) {
      gap_correction_ = std::clamp(open_gap / visited_gap, 1.0, max_optimism);
    }
    if (open_gap <= tolerance(request)) return ended(QpEnd::tolerance);
    const double scale = working_set_.scale();
    const bool is_linear = working_set_.slack_term().is_linear();
    const double min_gain = is_linear && weight_scale() == 1 ? rounding : stretched_rounding;
    const bool is_stalled =
        standstill.after(gain_, min_gain * scale, working_set_.dual(), rounding * scale, open_gap);
    const bool stuck = is_stalled && open_gap > stuck_part * scale;
    if (newton_is_due(stuck)) {
      const std::optional<QpEnd> end = solve_by_newton(request);
      if (end) return *end;
    } else if (is_stalled || ascent_after_newton_is_done()) {
      return ended(QpEnd::rounding);
    }
    if (work_ > max_work) return request.is_trial ? QpEnd::work : ended(QpEnd::work);
    gain_ = 0;
    if (!ascend(request)) {
      evaluate();
      return QpEnd::interrupted;
    }
    visited_gap = total_gap();
  }
}

BlockGap QpSolver::measure(std::int64_t block, std::vector<double>& score) const {
  working_set_.score(block, score);
  return block_gap(working_set_.block(block), working_set_.slack_term(), score);
}

void QpSolver::improve(std::int64_t index) {
  is_evaluated_ = false;
  Block& block = working_set_.block(index);
  std::fill(block.shrunk.begin(), block.shrunk.end(), std::uint8_t{0});
  visit(index, 0);
}

// Updates what a finished solve() says about the next one. If ascent was enough, Newton steps start
// later.
QpEnd QpSolver::ended(QpEnd end) {
  unfinished_work_ = end == QpEnd::work ? unfinished_work_ + work_ : 0;
  if (end == QpEnd::tolerance && work_ > 0) newton_part_ = std::min(1.0, less_often * newton_part_);
  if (end == QpEnd::work) newton_part_ = std::min(newton_part_, part_when_unfinished);
  return end;
}

// `stuck`: ascent gains nothing although rounding does not explain the gap. The expected work of
// Newton steps is computed late, because it reads all planes.
bool QpSolver::newton_is_due(bool stuck) {
  if (newton_done_ > 0) return false;
  if (stuck) return std::isfinite(interior_.expected_work());
  const double ascent = unfinished_work_ + work_;
  if (ascent < newton_part_ * InteriorPoint::min_work(working_set_)) return false;
  if (newton_work_ == 0) newton_work_ = interior_.expected_work();
  return ascent >= newton_part_ * newton_work_;
}

bool QpSolver::ascent_after_newton_is_done() const {
  return newton_done_ > 0 && work_ - newton_done_ > ascent_after_newton * interior_.work();
}

// Returns none if double precision allows no further Newton steps. Ascent may still gain some
// digits.
std::optional<QpEnd> QpSolver::solve_by_newton(const QpRequest& request) {
  const double floor = request.separation_floor;
  InteriorPoint::Request to;
  to.tolerance = tolerance(request);
  to.stop = request.stop;
  if (working_set_.slack_term().is_forbidden() && floor > 0) {
    const double shortest =
        floor * working_set_.longest_after_column_scaling();  // 1 / the longest w allowed
    to.ceiling = 0.5 / (shortest * shortest);
  }
  const double primal = restricted_gap_ + working_set_.dual();
  const InteriorPoint::End end = interior_.ascend(sparse_place(), restricted_gap_, to);
  work_ += interior_.work();
  newton_done_ = work_;
  if (interior_.primal() < primal) newton_place_ = interior_.place();
  newton_part_ = std::max(min_newton_part, newton_part_ / more_often);
  unfinished_work_ = 0;
  evaluate();
  if (working_set_.is_inseparable(floor)) return QpEnd::inseparable;
  if (end == InteriorPoint::End::interrupted) return QpEnd::interrupted;
  if (restricted_gap_ <= tolerance(request)) return QpEnd::tolerance;
  return std::nullopt;
}

// Runs sweeps and conjugate gradients, whichever gains more for its work. Ends when the gaps of the
// last visits are small enough, or when Newton steps are due. Returns false if it was interrupted.
bool QpSolver::ascend(const QpRequest& request) {
  // Pairwise steps solve a single block from its Gram matrix alone, unless there are bounds.
  const bool alone = gap_.size() == 1 && !working_set_.has_bounds();
  for (int k = 0; k < sweeps_per_evaluation; ++k) {
    const double gain_before = gain_;
    const double work_before = work_;
    if (!sweep(request)) return false;
    const double gain = gain_ - gain_before;
    const double work = work_ - work_before;
    gain_ += working_set_.scale_to_best_dual();
    if (gap_correction_ * total_gap() <= tolerance(request)) return true;
    if (newton_part_ < 1 && newton_is_due(false)) return true;  // as in earlier solves
    work_since_face_ += work;
    const bool sweeps_pay = rate(gain, work) > face_rate_;
    if (sweeps_pay && work_since_face_ < sweeps_per_face * face_work_) continue;
    if (!alone) ascend_on_face();
  }
  return true;
}

// The part of the gap that one unit of work closed. It is relative to the gap that the last sweep
// found, so that steps of different solves can be compared.
double QpSolver::rate(double gain, double work) const {
  return gain / total_gap() / (work + 1);
}

void QpSolver::ascend_on_face() {
  const FaceAscent::Outcome outcome = face_.improve();
  gain_ += outcome.gain;
  work_ += outcome.work;
  face_rate_ = rate(outcome.gain, outcome.work);
  face_work_ = outcome.work;
  work_since_face_ = 0;
}

bool QpSolver::sweep(const QpRequest& request) {
  const InPhase phase(gap_.size() > 1 ? request.clock : nullptr, &TimeSplit::sweeps);
  const double share = tolerance(request) / static_cast<double>(gap_.size());
  to_visit_.clear();
  for (std::int64_t block = 0; block < working_set_.block_count(); ++block) {
    if (gap_[static_cast<std::size_t>(block)] > skip_share * share) to_visit_.push_back(block);
  }
  // In a fixed order similar neighbors undo each other's steps: texts of 58 classes took twenty
  // times the work.
  Random(sweep_number_++, "order of a sweep").shuffle(to_visit_);
  if (!parts_clash_ && parts_.is_worth(to_visit_)) {
    if (request.stop && request.stop()) return false;
    const SweepInParts::Outcome done = parts_.run(to_visit_, block_share * share, gap_);
    work_ += done.work;
    gain_ += done.gain;
    parts_clash_ = done.clashed;
    return true;
  }
  for (std::size_t k = 0; k < to_visit_.size(); ++k) {
    if (k % poll_every == 0 && request.stop && request.stop()) return false;
    working_set_.prefetch_next(to_visit_, k);
    visit(to_visit_[k], block_share * share);
  }
  return true;
}

void QpSolver::visit(std::int64_t block, double tolerance) {
  const BlockVisit::Outcome done = visit_.improve(working_set_, block, working_set_.w(), tolerance);
  gap_[static_cast<std::size_t>(block)] = done.gap;
  work_ += done.work;
  gain_ += done.gain;
  if (done.moved) gain_ += working_set_.move_w(block, visit_.alpha_before());
}

// The blocks' gaps and shrunk planes are not saved: they are computed again before they are read.
void QpSolver::save(StateWriter& out) const {
  out.put_array(slack_);
  out.put(restricted_gap_);
  out.put(stretch_.factor());
  out.put(gain_);
  out.put(std::uint64_t{sweep_number_});
  out.put(face_rate_);
  out.put(face_work_);
  out.put(work_since_face_);
  out.put(newton_place_.has_value());
  save_sparse(newton_place_.value_or(SparseVector()), out);
  out.put(newton_part_);
  out.put(unfinished_work_);
  face_.save(out);
}

void QpSolver::load(StateReader& in) {
  in.get_array(slack_);
  in.require(slack_.size() == gap_.size(), "slacks of another number of blocks");
  in.require(std::all_of(slack_.begin(), slack_.end(),
                         [](double slack) { return slack >= 0 && std::isfinite(slack); }),
             "a slack that is negative or not finite");
  restricted_gap_ = in.get<double>();
  const auto factor = in.get<double>();
  gain_ = in.get<double>();
  sweep_number_ = in.get<std::uint64_t>();
  face_rate_ = in.get<double>();
  face_work_ = in.get<double>();
  work_since_face_ = in.get<double>();
  const bool has_newton_place = in.get_flag();
  newton_place_.emplace();
  load_sparse(in, working_set_.w().dense().size(), *newton_place_);
  working_set_.note_columns(*newton_place_);
  if (!has_newton_place) newton_place_.reset();
  newton_part_ = in.get<double>();
  unfinished_work_ = in.get<double>();
  face_.load(in);
  is_evaluated_ = false;
  in.require(newton_part_ > 0 && newton_part_ <= 1 && unfinished_work_ >= 0 &&
                 std::isfinite(unfinished_work_),
             "a share of Newton steps that is out of range");
  in.require(std::isfinite(face_rate_), "a gain of the QP that is not finite");
  in.require(restricted_gap_ >= 0 && std::isfinite(factor) && factor >= 0 && std::isfinite(gain_),
             "a figure of the QP that is out of range");
  in.require(face_work_ >= 0 && std::isfinite(face_work_) && work_since_face_ >= 0 &&
                 std::isfinite(work_since_face_),
             "work of the QP that is out of range");
  stretch_.set_factor(factor);
}

double QpSolver::tolerance(const QpRequest& request) const {
  return std::max({request.tolerance, request.part_of_dual * working_set_.dual(),
                   rounding * working_set_.scale()});
}

}  // namespace sculpt::core
