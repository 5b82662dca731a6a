#include "qp/qp_solver.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "linalg/sparse_state.hpp"
#include "qp/stall_detector.hpp"

namespace sculpt::core {
namespace {

// Measured on the OCR letters (626 and 6251 words). These constants change the path to the optimum,
// not the optimum.
constexpr int sweeps_per_evaluation = 20;   // at most, before all planes are scored
constexpr double max_gap_correction = 100;  // one bad evaluation must not stop all further ones

// FaceAscent runs again when sweeps have taken sweeps_per_face times the work of its last run. It
// runs earlier if it closed more of the gap for its work than sweeps do. A unit of work takes
// sweeps two to three times as long, unless they run in parts. Values of 0.2 to 10 were measured on
// letter, satimage, texts of 58 classes, OCR letters, conll2000 and yeast.
constexpr double sweeps_per_face = 0.6;

// The same with an inner product.
constexpr double sweeps_per_product_face = 4;

// Newton steps start when ascent has done newton_fraction_ times their expected work. This fraction
// is divided by newton_fraction_decrease after a solve that needed Newton steps. It is multiplied
// by newton_fraction_increase after one that did not. It stays at least min_newton_fraction, and
// becomes at most fraction_when_unfinished if the work limit ended the solve.
constexpr double newton_fraction_decrease = 4;
constexpr double newton_fraction_increase = 2;
constexpr double min_newton_fraction = 1e-3;
constexpr double fraction_when_unfinished = 0.25;

// If Newton steps miss the tolerance, ascent continues for this many times their work.
constexpr double ascent_after_newton = 4;

// Ascent is stuck if it stalls at a gap of more than this fraction of the terms of D.
constexpr double min_stuck_gap = 1e-9;

// The restricted gap is a difference of sums as large as dual_magnitude(). Below this fraction
// of it, the gap is rounding.
constexpr double rounding = 1e-14;

// If w is scaled, the gap is proportional to the error of w, and the gain of the dual to its
// square. So steps are useful although the dual no longer changes in double precision.
constexpr double scaled_rounding = 1e-22;

}  // namespace

QpSolver::QpSolver(WorkingSet& working_set, Workers* workers)
    : working_set_(working_set),
      workers_(workers),
      chunks_(working_set),
      parts_(working_set, workers),
      face_(working_set, workers),
      interior_(working_set, workers),
      block_gaps_(static_cast<std::size_t>(working_set.block_count()), 0.0),
      slack_(static_cast<std::size_t>(working_set.block_count()), 0.0) {}

QpEnd QpSolver::solve(const QpRequest& request) {
  const QpEnd end = ascend_until_done(request);
  if (end != QpEnd::inseparable && working_set_.dual_has_fallen()) {
    // D fell by rounding: goes back to the last accepted alpha.
    working_set_.restore_accepted_alpha();
    evaluate_sum();
  }
  return end;
}

// Alternates ascent and evaluation until the gap is small, nothing progresses or a limit is
// reached. Newton steps take over once if they are due.
QpEnd QpSolver::ascend_until_done(const QpRequest& request) {
  const double max_work = request.max_sweeps * (scoring_work() + work_of_moving_all());
  if (working_set_.set_alpha_to_infeasible_plane()) return QpEnd::inseparable;
  StallDetector stall_detector;
  double visited_gap = 0;
  gap_correction_ = 1;
  had_conflict_ = false;
  measure_changed();
  work_ = 0;  // without the work of measure_changed(): a resumed run evaluates everything there
  newton_work_ = work_at_newton_end_ = 0;
  for (;; evaluate()) {
    if (working_set_.is_inseparable(request.separation_floor)) return QpEnd::inseparable;
    const double open_gap =
        request.fraction_of_dual > 0 ? std::min(estimated_gap_, restricted_gap_) : restricted_gap_;
    if (visited_gap > 0) {
      gap_correction_ = std::clamp(open_gap / visited_gap, 1.0, max_gap_correction);
    }
    if (open_gap <= effective_tolerance(request)) return record_end(QpEnd::tolerance);
    const double magnitude = working_set_.dual_magnitude();
    const bool is_linear = working_set_.slack_term().is_linear();
    const double min_gain = is_linear && weight_scale() == 1 ? rounding : scaled_rounding;
    const bool is_stalled = stall_detector.update(gain_, min_gain * magnitude, working_set_.dual(),
                                                  rounding * magnitude, open_gap);
    const bool is_stuck = is_stalled && open_gap > min_stuck_gap * magnitude;
    if (newton_is_due(is_stuck)) {
      const std::optional<QpEnd> end = solve_by_newton(request);
      if (end) return *end;
    } else if (is_stalled || ascent_after_newton_is_done()) {
      return record_end(QpEnd::rounding);
    }
    if (work_ > max_work) return request.is_trial ? QpEnd::work : record_end(QpEnd::work);
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

// Updates what a finished solve() says about the next one. If ascent was enough, Newton steps start
// later.
QpEnd QpSolver::record_end(QpEnd end) {
  unfinished_work_ = end == QpEnd::work ? unfinished_work_ + work_ : 0;
  if (end == QpEnd::tolerance && work_ > 0) {
    newton_fraction_ = std::min(1.0, newton_fraction_increase * newton_fraction_);
  }
  if (end == QpEnd::work) newton_fraction_ = std::min(newton_fraction_, fraction_when_unfinished);
  return end;
}

// `is_stuck`: ascent gains nothing although rounding does not explain the gap. The expected work of
// Newton steps is computed late, because it reads all planes.
bool QpSolver::newton_is_due(bool is_stuck) {
  if (work_at_newton_end_ > 0) return false;
  if (working_set_.inner_product() != nullptr) return false;  // the matrix is one of entries
  if (is_stuck) return std::isfinite(interior_.expected_work());
  const double ascent = unfinished_work_ + work_;
  if (ascent < newton_fraction_ * InteriorPoint::min_work(working_set_)) return false;
  if (newton_work_ == 0) newton_work_ = interior_.expected_work();
  return ascent >= newton_fraction_ * newton_work_;
}

bool QpSolver::ascent_after_newton_is_done() const {
  const double work_since = work_ - work_at_newton_end_;
  return work_at_newton_end_ > 0 && work_since > ascent_after_newton * interior_.work();
}

// Returns none if double precision allows no further Newton steps. Ascent may still gain some
// digits.
std::optional<QpEnd> QpSolver::solve_by_newton(const QpRequest& request) {
  const double separation_floor = request.separation_floor;
  InteriorPoint::Request newton_request;
  newton_request.tolerance = effective_tolerance(request);
  newton_request.stop = request.stop;
  if (working_set_.slack_term().is_forbidden() && separation_floor > 0) {
    // 1 / the norm of the longest w allowed.
    const double min_margin = separation_floor * working_set_.largest_norm_after_column_scaling();
    newton_request.dual_limit = 0.5 / (min_margin * min_margin);
  }
  const double primal = restricted_gap_ + working_set_.dual();
  const InteriorPoint::End end =
      interior_.ascend(sparse_evaluation_point(), restricted_gap_, newton_request);
  work_ += interior_.work();
  work_at_newton_end_ = work_;
  if (interior_.primal() < primal) newton_point_ = interior_.newton_point();
  newton_fraction_ = std::max(min_newton_fraction, newton_fraction_ / newton_fraction_decrease);
  unfinished_work_ = 0;
  evaluate();
  if (working_set_.is_inseparable(separation_floor)) return QpEnd::inseparable;
  if (end == InteriorPoint::End::interrupted) return QpEnd::interrupted;
  if (restricted_gap_ <= effective_tolerance(request)) return QpEnd::tolerance;
  return std::nullopt;
}

// Runs sweeps and conjugate gradients, whichever gains more for its work. Ends when the gaps of the
// last visits are small enough, or when Newton steps are due. Returns false if it was interrupted.
bool QpSolver::ascend(const QpRequest& request) {
  // Pairwise steps solve a single block from its Gram matrix alone, unless there are bounds.
  const bool is_single_block = block_gaps_.size() == 1 && !working_set_.has_bounds();
  const double work_of_moves = work_of_moving_all();
  for (int k = 0; k < sweeps_per_evaluation; ++k) {
    const double gain_before = gain_;
    const double work_before = work_;
    if (!sweep(request)) return false;
    const double gain = gain_ - gain_before;
    const double work = work_ - work_before;
    gain_ += working_set_.scale_to_best_dual();
    if (gap_correction_ * total_gap() <= effective_tolerance(request)) return true;
    if (newton_fraction_ < 1 && newton_is_due(false)) return true;  // as in earlier solves
    work_since_face_ += work;
    const bool are_sweeps_better = rate(gain, work) > face_rate_;
    if (are_sweeps_better && work_since_face_ < work_until_face(work_of_moves)) continue;
    if (!is_single_block) ascend_on_face();
  }
  return true;
}

// The work of sweeps before FaceAscent runs again. `work_of_moves`: work_of_moving_all(). With an
// inner product its products take far more work than all else, so it must be worth them.
double QpSolver::work_until_face(double work_of_moves) const {
  if (working_set_.inner_product() == nullptr) return sweeps_per_face * face_work_;
  return sweeps_per_product_face * std::max(face_work_, work_of_moves);
}

// The fraction of the gap that one unit of work closed. It is relative to the gap that the last
// sweep found, so that steps of different solves can be compared.
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

// The blocks' gaps and shrunk planes are not saved: they are computed again before they are read.
void QpSolver::save(StateWriter& out) const {
  out.put_array(slack_);
  out.put(restricted_gap_);
  out.put(weight_scaling_.factor());
  out.put(gain_);
  out.put(std::uint64_t{sweep_number_});
  out.put(face_rate_);
  out.put(face_work_);
  out.put(work_since_face_);
  out.put(newton_point_.has_value());
  save_sparse(newton_point_.value_or(SparseVector()), out);
  out.put(newton_fraction_);
  out.put(unfinished_work_);
  face_.save(out);
}

void QpSolver::load(StateReader& in) {
  in.get_array(slack_);
  in.require(slack_.size() == block_gaps_.size(), "slacks of another number of blocks");
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
  const bool has_newton_point = in.get_flag();
  newton_point_.emplace();
  load_sparse(in, working_set_.w().dense().size(), *newton_point_);
  working_set_.add_columns(*newton_point_);
  if (!has_newton_point) newton_point_.reset();
  newton_fraction_ = in.get<double>();
  unfinished_work_ = in.get<double>();
  face_.load(in);
  is_evaluated_ = false;
  in.require(newton_fraction_ > 0 && newton_fraction_ <= 1 && unfinished_work_ >= 0 &&
                 std::isfinite(unfinished_work_),
             "a fraction of the work of Newton steps that is out of range");
  in.require(std::isfinite(face_rate_), "a rate of gain in the QP that is not finite");
  in.require(restricted_gap_ >= 0 && std::isfinite(factor) && factor >= 0 && std::isfinite(gain_),
             "a gap, scaling or gain of the QP that is out of range");
  in.require(face_work_ >= 0 && std::isfinite(face_work_) && work_since_face_ >= 0 &&
                 std::isfinite(work_since_face_),
             "work of the QP that is out of range");
  weight_scaling_.set_factor(factor);
}

double QpSolver::effective_tolerance(const QpRequest& request) const {
  return std::max({request.tolerance, request.fraction_of_dual * working_set_.dual(),
                   rounding * working_set_.dual_magnitude()});
}

}  // namespace sculpt::core
