// qp_solver.hpp - the QP over the whole working set: block after block until the gap is small.
//
// Called by the solvers. Maximizes the dual of WorkingSet,
//
//   D(alpha) = sum alpha b - 1/2 ||w||^2 - 1/2 ridge sum_i A_i^2,
//
// by block-coordinate ascent over the product of the blocks' simplices or orthants, in an order
// that is shuffled for every sweep, sped up by FaceAscent, and by scaling alpha along its ray where
// no cap forbids it. What `tolerance` bounds is the restricted gap, P with only the planes of the
// working set against D, at a frozen place:
//
//   linear     place w:    sum_i [ cap xi_i - sum_p alpha_ip score_ip ]   =  P(w) - D
//              or s w:     1/2 s^2 ||w||^2 + cap sum_i xi_i(s)  -  D, where slacks are mostly gap
//   squared    place s w:  1/2 s^2 ||w||^2 + 1/(2 ridge) sum_i xi_i(s)^2  -  D
//   forbidden  place s w:  1/2 s^2 ||w||^2 - D, infinite while planes stay violated at s w
//
// with the s of WeightScaling. Between two evaluations of it, planes far from violated sleep and
// blocks near their optimum are skipped. Newton steps (interior/interior_point.hpp) take over, once
// a solve(), if ascent has taken as much work as they would, or if it stands still at a gap that is
// no rounding; the place is the w that they end at if P is less there. Deterministic: work is
// counted in plane entries touched, no clock enters.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/time_split.hpp"
#include "qp/block/block_visit.hpp"
#include "qp/block/pairwise_steps.hpp"
#include "qp/face_ascent.hpp"
#include "qp/interior/interior_point.hpp"
#include "qp/sweep_in_parts.hpp"
#include "qp/working_set/weight_scaling.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

enum class QpEnd {
  tolerance,    // the restricted gap, evaluated at one w, is at most the tolerance
  rounding,     // no further progress: doubles allow none, or Newton steps and the ascent behind
                // them have ended short of the tolerance
  work,         // the bound on work was reached
  interrupted,  // the request's `stop` said so
  inseparable   // slacks forbidden: alpha proves that no w satisfies all planes
};

struct QpRequest {
  double tolerance = 0;  // on the restricted gap; rounding bounds it from below
  // Slacks forbidden, where the gap stays infinite for long: as a part of the dual that is reached,
  // on the least of it and the sum of the blocks' estimates (BlockGap). 0: off.
  double part_of_dual = 0;
  double max_sweeps = 1e9;      // work bound, in scorings of the whole working set
  bool is_trial = false;        // ending by that bound says nothing of how hard the QP is
  double separation_floor = 0;  // see WorkingSet::is_inseparable(); 0: only a = 0, b > 0 is a proof
  std::function<bool()> stop;   // polled every few blocks; empty: never
  SplitClock* clock = nullptr;  // hears of the sweeps over more than one block
};

class QpSolver {
 public:
  // Both outlive it; workers == nullptr: this thread alone. The result is the same.
  explicit QpSolver(WorkingSet& working_set, Workers* workers = nullptr);

  // Never fails: alpha is feasible, w = sum alpha a and the dual is that of alpha, however it ends.
  QpEnd solve(const QpRequest& request);

  // Scores of one block at the present w, all planes not_shrunk, into room that the caller lends.
  BlockGap measure(std::int64_t block, std::vector<double>& score) const;

  // Optimizes one block alone, all its planes not_shrunk.
  void improve(std::int64_t block);

  // The exact state at the present alpha: slack(), the restricted gap, the working set's dual, and
  // who sleeps. solve() ends with it.
  // True: D had fallen, so that alpha is that of the evaluation before.
  bool evaluate();

  // The place of the last evaluate() is weight_scale() times its base: w, or where Newton steps
  // ended, the weights of which are few.
  const SparseVector* newton_place() const { return newton_place_ ? &*newton_place_ : nullptr; }
  double weight_scale() const { return newton_place_ ? 1 : stretch_.factor(); }
  SparseVector sparse_place() const;
  Vector place() const;  // [dimension]

  // Of the planes in the working set, at that place.
  const std::vector<double>& slack() const { return slack_; }  // [block_count] xi_i
  double mean_slack() const;
  double restricted_gap() const { return restricted_gap_; }

  // Of the last solve(), and of the calls since then, in plane entries touched: the same on every
  // machine.
  double work() const { return work_; }

  // What outlives a solve(): the last evaluate(), the place of Newton steps and when they begin
  // next, the order of sweeps, and how far it is to the next FaceAscent.
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  QpEnd ascend_until_done(const QpRequest& request);
  QpEnd ended(QpEnd end);
  bool newton_is_due(bool stuck);
  bool ascent_after_newton_is_done() const;
  std::optional<QpEnd> solve_by_newton(const QpRequest& request);
  void compare_newton_place();
  bool ascend(const QpRequest& request);
  bool sweep(const QpRequest& request);
  void visit(std::int64_t block, double tolerance);
  double rate(double gain, double work) const;
  void ascend_on_face();
  void evaluate_sum();
  void measure_changed();
  void measure_all();
  void measure_into(std::int64_t block, std::vector<double>& score);
  double scoring_work() const;
  bool is_at_w() const;
  void move_place();
  bool slacks_are_excess() const;
  void scale_w();
  static void shrink_planes(Block& block, double level, const std::vector<double>& score);
  double tolerance(const QpRequest& request) const;
  double total_gap() const;

  WorkingSet& working_set_;
  Workers* workers_;
  SweepInParts parts_;
  bool parts_clash_ = false;  // in the solve() under way
  FaceAscent face_;
  InteriorPoint interior_;
  WeightScaling stretch_;
  std::optional<SparseVector> newton_place_;  // where P is less than at s w
  double newton_work_ = 0;      // that Newton steps are expected to take in the solve() under way
  double newton_done_ = 0;      // work_ when they ended last
  double newton_part_ = 1;      // they begin when ascent has taken this part of it
  double unfinished_work_ = 0;  // of ascent, in solves that it did not bring to their end
  std::vector<double> gap_;     // [block_count] at the last visit or evaluation
  std::vector<double> slack_;   // [block_count]
  double restricted_gap_ = 0;
  double estimate_ = 0;             // of it, from the blocks' gaps
  double gap_correction_ = 1;       // restricted gap / what the visits before it had found
  std::uint64_t sweep_number_ = 0;  // over all solves: the order of the next sweep follows from it
  double face_rate_ = 0;            // of the last FaceAscent, see rate()
  double face_work_ = 0;            // that it took
  double work_since_face_ = 0;
  bool is_evaluated_ = false;  // alpha is that of the last evaluate()
  double gain_ = 0;            // of the dual, since the last evaluation
  double work_ = 0;            // entries touched in the solve() under way
  BlockVisit visit_;
  std::vector<std::int64_t> to_visit_;  // in the sweep under way
  std::vector<double> score_;
  std::vector<std::vector<double>> scores_;  // [threads]
};

}  // namespace sculpt::core
