// qp_solver.hpp - the QP over the whole working set: block after block until the gap is small.
//
// Called by the solvers. Maximizes the dual of WorkingSet,
//
//   D(alpha) = sum alpha b - 1/2 ||w||^2 - 1/2 ridge sum_i A_i^2,
//
// by block-coordinate ascent over the product of the blocks' simplices or orthants. The order of
// blocks is shuffled for every sweep. Two things speed it up: FaceAscent, and scaling all alpha by
// one factor, unless slacks are linear. `tolerance` limits the restricted gap, P minus D with only
// the planes of the working set. P is that of one w, the evaluation point:
//
//   linear     at w:    sum_i [ cap xi_i - sum_p alpha_ip score_ip ]   =  P(w) - D
//              or s w:  1/2 s^2 ||w||^2 + cap sum_i xi_i(s)  -  D, if slacks are mostly gap
//   squared    at s w:  1/2 s^2 ||w||^2 + 1/(2 ridge) sum_i xi_i(s)^2  -  D
//   forbidden  at s w:  1/2 s^2 ||w||^2 - D, infinite while planes stay violated at s w
//
// with the s of WeightScaling. Between two evaluations of the gap, planes far from violated are
// shrunk (skipped), and blocks near their optimum are skipped.
//
// Newton steps (interior/interior_point.hpp) take over at most once a solve(). This happens if
// ascent has taken as much work as they would, or if ascent stalls at a gap that rounding does not
// explain. The evaluation point is then the w that they end at, if P is smaller there.
//
// Deterministic: work is counted in plane entries touched, and no clock is used.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/phase_times.hpp"
#include "qp/block/block_visit.hpp"
#include "qp/block/pairwise_steps.hpp"
#include "qp/face_ascent.hpp"
#include "qp/interior/interior_point.hpp"
#include "qp/sweep_in_chunks.hpp"
#include "qp/sweep_in_parts.hpp"
#include "qp/working_set/weight_scaling.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

enum class QpEnd {
  tolerance,    // The restricted gap, evaluated at one w, is at most the tolerance.
  rounding,     // No progress in double precision, or Newton steps and later ascent missed the
                // tolerance.
  work,         // The limit on work was reached.
  interrupted,  // The request's `stop` returned true.
  inseparable   // Slacks forbidden: alpha proves that no w satisfies all planes.
};

struct QpRequest {
  // On the restricted gap. Values below the rounding of D are raised to it.
  double tolerance = 0;
  // Slacks forbidden: a tolerance as a fraction of the current dual, because the gap stays infinite
  // for long. It applies to the restricted gap or the sum of the blocks' estimates (BlockGap),
  // whichever is smaller. 0: not used.
  double fraction_of_dual = 0;
  double max_sweeps = 1e9;  // Limit of work, in scorings of the whole working set.
  // True: if the limit of work ends the solve, the next Newton steps do not start earlier.
  bool is_trial = false;
  double separation_floor = 0;  // See WorkingSet::is_inseparable(); 0: the proof is a = 0, b > 0.
  std::function<bool()> stop;   // Called every few blocks; empty: never stops.
  PhaseClock* clock = nullptr;  // Measures the sweeps over more than one block.
};

class QpSolver {
 public:
  // Both must outlive it; workers == nullptr: this thread alone. The result is the same.
  explicit QpSolver(WorkingSet& working_set, Workers* workers = nullptr);

  // Never fails. However it ends, alpha is feasible, w = sum alpha a, and the dual is that of
  // alpha.
  QpEnd solve(const QpRequest& request);

  // Scores all planes of a block that are not shrunk, at the current w. `score`: scratch memory.
  BlockGap measure(std::int64_t block, std::vector<double>& score) const;

  // Optimizes these blocks, each alone or, with an inner product, those with a large gap together.
  void improve(std::span<const std::int64_t> blocks);

  // Computes the exact state at the current alpha: slack(), the restricted gap, the working set's
  // dual, and which planes are shrunk. solve() ends with it. Returns true if D had fallen, and the
  // alpha of the previous evaluation was restored.
  bool evaluate();

  // The evaluation point: the w at which the last evaluate() computed P. It is weight_scale() times
  // w, or the end of the Newton steps, which has few weights. newton_point(): nullptr if it is a
  // multiple of w.
  const SparseVector* newton_point() const { return newton_point_ ? &*newton_point_ : nullptr; }
  double weight_scale() const { return newton_point_ ? 1 : weight_scaling_.factor(); }
  SparseVector sparse_evaluation_point() const;
  Vector evaluation_point() const;  // [dimension]

  // The slack of the planes in the working set, at the evaluation point.
  const std::vector<double>& slack() const { return slack_; }  // [block_count] xi_i
  double mean_slack() const;
  double restricted_gap() const { return restricted_gap_; }

  // The work of the last solve() and of the calls since then, in plane entries touched. It is the
  // same on every machine.
  double work() const { return work_; }

  // The state between two calls of solve(): the last evaluate(), the end of Newton steps and
  // their next start, the order of sweeps, and the work until the next FaceAscent.
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  QpEnd ascend_until_done(const QpRequest& request);
  QpEnd record_end(QpEnd end);
  bool newton_is_due(bool is_stuck);
  bool ascent_after_newton_is_done() const;
  std::optional<QpEnd> solve_by_newton(const QpRequest& request);
  void compare_newton_point();
  bool ascend(const QpRequest& request);
  bool sweep(const QpRequest& request);
  bool sweep_in_chunks(double tolerance, const std::function<bool()>& stop);
  void improve_in_chunks(std::span<const std::int64_t> blocks);
  void visit(std::int64_t block, double tolerance);
  double rate(double gain, double work) const;
  void ascend_on_face();
  void evaluate_sum();
  void measure_changed();
  void measure_all();
  void measure_block(std::int64_t block, std::vector<double>& score);
  double scoring_work() const;
  double work_of_moving_all() const;
  double work_until_face(double work_of_moves) const;
  bool is_at_w() const;
  void move_evaluation_point();
  bool slacks_are_mostly_gap() const;
  void scale_evaluation_point();
  static void shrink_planes(Block& block, double level, const std::vector<double>& score);
  double effective_tolerance(const QpRequest& request) const;
  double total_gap() const;

  WorkingSet& working_set_;
  Workers* workers_;
  SweepInChunks chunks_;
  SweepInParts parts_;
  bool had_conflict_ = false;  // SweepInParts had one in the current solve()
  FaceAscent face_;
  InteriorPoint interior_;
  WeightScaling weight_scaling_;
  std::optional<SparseVector> newton_point_;  // Set if P is smaller there than at s w.
  double newton_work_ = 0;         // Expected work of Newton steps in the current solve().
  double work_at_newton_end_ = 0;  // The value of work_ when they last ended; 0: not yet.
  double newton_fraction_ = 1;     // They begin when ascent has done this fraction of newton_work_.
  double unfinished_work_ = 0;     // Work of ascent in solves that it did not finish.
  std::vector<double> block_gaps_;  // [block_count] at the last visit or evaluation.
  std::vector<double> slack_;       // [block_count]
  double restricted_gap_ = 0;
  double estimated_gap_ = 0;        // Estimate of the restricted gap, from the blocks' gaps.
  double gap_correction_ = 1;       // Quotient: restricted gap / gap found by visits before it.
  std::uint64_t sweep_number_ = 0;  // Over all solves; it decides the order of the next sweep.
  double face_rate_ = 0;            // Rate of the last FaceAscent, see rate().
  double face_work_ = 0;            // Work of the last FaceAscent.
  double work_since_face_ = 0;
  bool is_evaluated_ = false;  // True: alpha is that of the last evaluate().
  double gain_ = 0;            // Gain of the dual since the last evaluation.
  double work_ = 0;            // Entries touched in the current solve().
  BlockVisit visit_;
  std::vector<std::int64_t> blocks_to_visit_;  // Blocks of the current sweep.
  std::vector<double> score_;
};

}  // namespace sculpt::core
