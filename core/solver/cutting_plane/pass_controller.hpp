// pass_controller.hpp - what the solvers with a working set share: certificate, stopping, and the
// QP between two passes.
//
// Held by CuttingPlaneContext, beside the working set that it reports of. A solver asks the oracle
// through ask(), writes into `found` what the pass found, and leaves the rest to this.
//
// Passes at one w ask at place(): w, or s w where that has a smaller P (see
// qp/working_set/weight_scaling.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/file/state_stream.hpp"
#include "objective/certificate.hpp"
#include "qp/qp_solver.hpp"
#include "qp/stall_counter.hpp"
#include "qp/working_set/working_set.hpp"
#include "solver/options.hpp"
#include "solver/run_counters.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// Of the pass under way or the last one. In batches the answers belong to several w: estimates.
struct PassFindings {
  bool at_one_w = true;         // not in batches
  double dual_before = 0;       // D where it began
  double gap = 0;               // P - D, of P_high if that is finite, else of P_low
  double excess = 0;            // H - xi: n_slack the largest of an example, one_slack the mean
  double shortfall = 0;         // hard margin: by which part of b the worst plane is missed, <= 1
  std::int64_t new_planes = 0;  // added to the working set
  bool skips_oracles =
      false;  // skip_costlier_oracles() was called: not every oracle was asked all that it could
  AnswerCounts answers;
};

// The part of b > 0 that a slack misses; all of it at most.
inline double shortfall_of(double slack, double b) {
  return b > 0 ? std::min(1.0, slack / b) : 1;
}

class PassController : public RunCounters {
 public:
  // All outlive it.
  PassController(const SolverOptions& options, const PlaneSource& source, Listener& listener,
                 const StopRequest& stop, WorkingSet& working_set, QpSolver& qp_solver);

  // Begins the next pass: its number, and the poll that breaks it off. At one w: moves the place.
  Pass begin_pass(bool at_one_w);
  // The same at one w that is none of the above, such as a mean.
  Pass begin_pass_at(Vector place);

  // For the pass begun last: of several oracles the next is oracles_skipped where one has found a
  // plane worth having, beyond `slack` of an example, which is called from any thread. A plane is
  // worth having that by itself would keep the target away. Nothing is oracles_skipped after a pass
  // that found the target in reach or nothing new, nor in one that a limit makes the last: only
  // asking all of them proves anything.
  void skip_costlier_oracles(Pass& pass, std::function<double(std::int64_t example)> slack);

  // The pass begun last was finished; it counts from here on.
  void end_pass();

  // Where a pass at one w asks.
  WeightView place() const;
  // formulation.slack_cost(), 0 for the rounding of planes that hard margin satisfies: `rounding`
  // of the slack, or what the QP leaves.
  double cost(double slack, double rounding = 0) const;
  // Adds what an answer proves of its example to sums over the examples.
  void add_cost(const SlackBounds& slack, double rounding, MeanSlack& sum) const;

  // Counts what was found beside planes.
  void note_answers(std::span<const Separation> answers);
  // Adds the plane of an answer to its block when H > slack + epsilon. False: it did not, or the
  // block has it.
  bool add_if_violated(std::int64_t block, const Separation& answer, double slack);
  // The same in two steps and with the further planes of the answer. The first changes nothing and
  // may be made side by side for different blocks; `zeros`: see WorkingSet::make_plane.
  void find_violated(std::int64_t block, const Separation& answer, double slack, Vector& zeros,
                     std::vector<WorkingSet::NewPlane>& out) const;
  void add(std::int64_t block, WorkingSet::NewPlane plane);
  // The size of the terms that the slack of a block is a difference of.
  double magnitude_of_b(std::int64_t block, const Separation& answer) const;

  // Bounds of P at the place where all examples were asked.
  void certify(const MeanSlack& mean);
  // Tells the listener of a pass in batches, after its QP.
  void report_batches();

  // A limit that ends the run behind the pass begun last. A pass that oracles_skipped oracles and
  // proved nothing is never the last: extra calls may reach a limit that was not in sight before
  // it, and the next pass, which is beyond that, asks all.
  std::optional<StoppedBy> limit_after_pass() const;
  // Whether what the next pass asks depends on a limit.
  bool asks_by_limit() const { return source_.escalates() && limit(true).has_value(); }
  // relative_gap or epsilon, when the last certify() reached it.
  std::optional<StoppedBy> target() const;
  // Neither a new plane nor a better QP solution could change anything, or new planes have not for
  // long: they are violated by little more than rounding.
  bool exhausted() const;

  // Re-solves the QP to qp_fraction of what the pass found. After a pass that found no new plane
  // another one can help only at another w: then until the QP is exact or, as far as it can tell, a
  // target is reached. `most_sweeps` bounds the work at a time; `poll` is called now and then.
  QpEnd solve_qp(double most_sweeps, const std::function<void()>& poll);
  // Behind the last of these before the next pass: planes that are of no use go, and those that
  // there is no room for.
  void reduce();
  // Whether the next pass is the first, and there are planes already: those of an earlier run.
  bool is_first_with_planes() const { return passes() == 0 && working_set_.plane_count() > 0; }
  // Before the first pass, over the planes of an earlier run, roughly.
  QpEnd solve_first_qp(double most_sweeps);

  // In place of solve_qp(), or behind it (`did_full_step`), where a solver makes steps of its own:
  // evaluates what they have come to and keeps, beside the planes with alpha > 0, the latest
  // `most_idle` of each block, as far as there is room for them. None goes while D hardly rises:
  // the same planes would come and go for ever. True: D had fallen, so that alpha is that of the
  // call before.
  bool evaluate_and_drop(std::size_t most_idle, bool did_full_step);
  // Steps could raise D by rounding alone, when last seen.
  bool qp_is_exact() const { return qp_is_exact_; }

  // The state, for ResumePoints. In parts of their own: the w of the certificate, and the times of
  // RunCounters, which go on behind a mark.
  void save(StateWriter& out) const;
  void load(StateReader& in);
  void save_best(StateWriter& out) const { certificate_.save_w(out); }
  void load_best(StateReader& in) { certificate_.load_w(in); }

  Result interrupted();
  Result finish(StoppedBy rule);
  // Under hard margin: whether a run that ends by this rule gains nothing any more though margins
  // are violated.
  bool stopped_with_violated_margins(StoppedBy rule) const;

  PassFindings found;

 private:
  std::optional<double> min_useful_violation() const;
  std::int64_t planes_optimized() const;
  void report(const PrimalBounds& primal);
  double margin_bound() const;
  MeanSlack seen_slack() const;
  double unexplained_gap() const;
  QpRequest qp_request(double most_sweeps) const;
  QpEnd ascend(const QpRequest& request);
  QpEnd solve_to_dual_fraction(const QpRequest& request);
  double epsilon_gap() const;
  double weight_scale(double squared_norm) const;
  void move_place();
  std::span<const std::int32_t> columns_of_place() const;
  void certify_working_set();
  UncertifiedReason uncertified_reason() const;
  void keep_within_limit();
  void free_planes();

  const SolverOptions& options_;
  const PlaneSource& source_;
  Listener& listener_;
  WorkingSet& working_set_;
  QpSolver& qp_solver_;
  Certificate certificate_;
  bool is_at_w_ = true;    // the place is w itself
  bool is_given_ = false;  // begin_pass_at(): planes that were dropped may have a part in it
  Vector place_;           // [dimension] where it is not w; room for it once it was
  double place_squared_norm_ = 0;
  PassFindings last_pass_;  // that was finished
  std::optional<double>
      min_useful_violation_;          // of the pass under way, for skip_costlier_oracles()
  bool all_asked_ = false;            // at one w, some time
  bool new_planes_optimized_ = true;  // a QP has seen those of the pass
  bool qp_is_exact_ = true;           // to rounding, over the working set before the pass
  double dual_at_drop_ = 0;           // by evaluate_and_drop()
  StallCounter stall_counter_;        // certificates
};

}  // namespace sculpt::core
