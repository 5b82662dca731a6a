// pass_controller.hpp - what the solvers with a working set share: certificate, stop rules, and
// the QP between two passes.
//
// Held by CuttingPlaneContext, next to the working set that it reports on. A solver asks the oracle
// through ask(), and writes into `findings` what the pass found.
//
// Passes at one w ask at query_point(): at w, or where P is smaller. That is s w (see
// qp/working_set/weight_scaling.hpp), or the end of Newton steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/file/state_stream.hpp"
#include "objective/certificate.hpp"
#include "qp/qp_solver.hpp"
#include "qp/stall_counter.hpp"
#include "qp/working_set/working_set.hpp"
#include "solver/options.hpp"
#include "solver/run_counters.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// About the current or the last pass. Answers of a pass in batches belong to several w, so gap
// and violation_beyond_slack are estimates.
struct PassFindings {
  bool at_one_w = true;      // False: in batches.
  double dual_at_begin = 0;  // D at its beginning.
  double gap = 0;            // P - D; P is P_high if that is finite, else P_low.
  // H_i - xi_i: the largest over the examples with c_i > 0. one_slack: of the weighted mean.
  double violation_beyond_slack = 0;
  double missing_margin_fraction = 0;  // Hard margin: the largest slack / b of a plane, <= 1.
  std::int64_t new_planes = 0;         // Added to the working set.
  bool skips_oracles = false;  // skip_costlier_oracles() was called, so not every oracle was asked
  AnswerCounts answers;
};

// slack / b for b > 0, at most 1. It is the part of b that is missing.
inline double missing_margin_fraction_of(double slack, double b) {
  return b > 0 ? std::min(1.0, slack / b) : 1;
}

class PassController : public RunCounters {
 public:
  // All arguments must outlive it.
  PassController(const SolverOptions& options, const PlaneSource& source, Listener& listener,
                 const StopRequest& stop, WorkingSet& working_set, QpSolver& qp_solver);

  // For solvers with a block for each example: violations and epsilon are then those of single
  // examples, without their weights. Call it before the first pass.
  void weigh_blocks();

  // Begins the next pass. Returns a Pass that holds its number and the function that says if it is
  // interrupted. A pass at one w moves the query point.
  Pass begin_pass(bool at_one_w);
  // The same at one given w, such as a mean. The query point is then this w; with an inner product
  // it is M w.
  Pass begin_pass_at(Vector w);

  // The first pass asks at this w [dimension], that of a run on other data. Call it before that
  // pass. Requires planes without an inner product.
  void start_at(Vector w) { start_point_ = std::move(w); }
  bool has_start_point() const { return passes() == 0 && start_point_.has_value(); }

  // In this pass, costlier oracles of a list are skipped for example i if its plane is violated by
  // more than slack(i) + the useful violation. `slack` is called on any thread. Nothing is skipped
  // in the last pass before a limit, or after a pass that reached the target or found nothing new.
  // A pass that skips oracles proves no gap. Requires the pass begun last.
  void skip_costlier_oracles(Pass& pass, std::function<double(std::int64_t example)> slack);

  // Counts the pass begun last as finished.
  void end_pass();

  // Computes w again, without the rounding of the steps, evaluates the QP there, and forgets what
  // was proved before. Only with an inner product.
  void make_exact();

  // The w at which a pass at one w asks.
  WeightView query_point() const;
  double query_point_squared_norm() const { return query_point_squared_norm_; }  // ||w||^2 there
  // formulation.slack_cost(slack). Under hard margin 0 for a slack that is at most `rounding`, or
  // at most what the QP may leave (satisfied_tolerance).
  double cost(double slack, double rounding = 0) const;
  // Adds what an answer proves of its example to the sums over the examples.
  void add_cost(std::int64_t example, const SlackBounds& slack, double rounding,
                MeanSlack& sum) const;
  // Raises findings.violation_beyond_slack. `beyond_slack`: H - xi of the planes of a block.
  void record_violation(std::int64_t block, double beyond_slack);

  // Counts answers with flags, such as relaxed ones.
  void count_answers(std::span<const Separation> answers);
  // Adds the plane of an answer to its block if H > slack + epsilon. Returns false if it is not
  // violated, or if the block has it already.
  bool add_if_violated(std::int64_t block, const Separation& answer, double slack);
  // The same in two steps, and with the next best planes of the answer. find_violated() changes
  // only `out` and may run on several threads for different blocks. `zeros`: see
  // WorkingSet::make_plane.
  void find_violated(std::int64_t block, const Separation& answer, double slack, Vector& zeros,
                     std::vector<WorkingSet::NewPlane>& out) const;
  void add(std::int64_t block, WorkingSet::NewPlane plane);
  // The largest b of the block and the answer: the size of the terms in the slack.
  double magnitude_of_b(std::int64_t block, const Separation& answer) const;

  // Computes the bounds of P at the query point, where all examples were asked, and reports the
  // pass.
  void certify(const MeanSlack& mean);
  // Reports a pass in batches, after its QP.
  void report_batches();

  // The limit that ends the run after the current pass, if there is one. Never after a pass that
  // skipped oracles and proved nothing: one more pass follows, beyond the limit, and calls all
  // oracles.
  std::optional<StoppedBy> limit_after_pass() const;
  // True if a limit changes what the next pass asks.
  bool next_pass_depends_on_limit() const {
    return source_.escalates() && limit_after_next_pass().has_value();
  }
  // The StoppedBy of the target that the last certify() reached: relative_gap or epsilon.
  std::optional<StoppedBy> reached_target() const;
  // True if neither a new plane nor a better QP solution can change anything. Also true if new
  // planes have changed nothing for many passes, because rounding explains most of their violation.
  bool is_exhausted() const;

  // Solves the QP to qp_fraction of the gap that the pass found. After a pass without new planes,
  // the next pass is only useful at another w. The QP is then solved until it is exact, or until
  // its gap would reach a target. `max_sweeps`: limit of work of one solve. `poll` is called from
  // time to time.
  QpEnd solve_qp(double max_sweeps, const std::function<void()>& poll);
  // Call it after the last QP before the next pass. Drops planes of no use, and planes beyond the
  // memory limit.
  void reduce_working_set();
  // True if the next pass is the first, and the working set has the planes of a warm start.
  bool starts_with_warm_start_planes() const {
    return passes() == 0 && working_set_.plane_count() > 0;
  }
  // Solves the QP over the planes of a warm start, roughly. Call it before the first pass.
  QpEnd solve_first_qp(double max_sweeps);

  // For a solver that makes its own steps, in place of solve_qp() or after it
  // (`did_fully_corrective_step`). Evaluates D and the gap, then drops planes. Each block keeps its
  // planes with alpha > 0 and the latest `max_idle` others, within the memory limit. If D rose by
  // less than 1 % of the gap, only the memory limit drops planes. Otherwise the same planes would
  // be dropped and found again forever. Returns true if D had fallen, and the alpha of the previous
  // call was restored.
  bool evaluate_and_drop(std::size_t max_idle, bool did_fully_corrective_step);
  // True if further steps could raise D by rounding only, at the last check.
  bool qp_is_exact() const { return qp_is_exact_; }

  // The state, for ResumePoints. The w of the certificate and the times of RunCounters are
  // separate: the times go on after a resume point.
  void save(StateWriter& out) const;
  void load(StateReader& in);
  void save_best(StateWriter& out) const { certificate_.save_w(out); }
  void load_best(StateReader& in) { certificate_.load_w(in); }

  // The result of a run that was interrupted. Reports its last pass, too.
  Result finish_interrupted();
  // The result of a run that ends by this rule. Frees the planes: call it once, at the end.
  Result finish(StoppedBy rule);
  // Hard margin: true if a run that ends by this rule cannot progress although margins are
  // violated.
  bool stopped_with_violated_margins(StoppedBy rule) const;

  PassFindings findings;

 private:
  // The violation beyond its slack from which a plane is useful: the larger of both.
  struct UsefulViolation {
    double of_planes = 0;    // H - xi of its block, whatever the weight
    double of_examples = 0;  // the same divided by the weight of the block
  };
  // None: all oracles must be asked.
  std::optional<UsefulViolation> compute_min_useful_violation() const;
  // Formulation::plane_weight() of the example of a block; 1 without weigh_blocks().
  double block_weight(std::int64_t block) const {
    return block_weights_.empty() ? 1 : block_weights_[static_cast<std::size_t>(block)];
  }
  // Without the planes that the current pass at one w has added, which no QP has used.
  std::int64_t optimized_plane_count() const;
  // Passes the report of the last pass to the listener.
  void report(const PrimalBounds& primal);
  // PassReport::margin_bound
  double margin_bound() const;
  // The lower bound of P that the planes prove.
  double proved_dual() const { return options_.samples_cuts ? 0 : working_set_.dual(); }
  // The slack of the planes in the working set. Nothing is known of others.
  MeanSlack known_mean_slack() const;
  // The part of the pass's gap that no plane of the working set explains. The QP cannot close it.
  double unexplained_gap() const;
  // How exactly to solve the QP after the pass.
  QpRequest qp_request(double max_sweeps) const;
  // Solves the QP, again and again after a pass at one w without new planes.
  QpEnd solve_until_useful(const QpRequest& request);
  // Solves the QP to qp_fraction of the dual, if that is cheap.
  QpEnd solve_to_dual_fraction(const QpRequest& request);
  // The largest P - D if the slack of every block is epsilon too small for a solved QP.
  double epsilon_gap() const;
  // The factor from w, or the end of Newton steps, to the query point.
  double query_point_factor(double squared_norm) const;
  // Moves the query point to where the QP was evaluated, or beyond.
  void update_query_point();
  // The columns outside of which the query point is 0; empty: not known.
  std::span<const std::int32_t> columns_of_query_point() const;
  // The vector that a model with the weights of the query point stores: the query point itself
  // without an inner product.
  WeightView model_at_query_point() const;
  void scale_query_point(double factor);
  // Bounds P from below by the working set alone, if no pass at one w has asked all examples.
  void certify_working_set();
  // Why the result has no upper bound of P.
  UncertifiedReason uncertified_reason() const;
  // Drops and merges planes beyond max_planes_megabytes.
  void drop_beyond_limit();
  // Frees the working set. Its time counts as reduction.
  void free_planes();

  const SolverOptions& options_;
  const PlaneSource& source_;
  Listener& listener_;
  WorkingSet& working_set_;
  QpSolver& qp_solver_;
  Certificate certificate_;
  std::optional<Vector> start_point_;  // until the first pass
  bool query_point_is_w_ = true;
  bool query_point_is_given_ = false;  // begin_pass_at() set it; it may contain dropped planes
  Vector query_point_;                 // [dimension] used if it is not w; keeps its memory
  Vector model_at_query_point_;        // [dimension] likewise; empty without an inner product
  double query_point_squared_norm_ = 0;
  PassFindings last_pass_;             // finished
  std::vector<double> block_weights_;  // [blocks], empty: all are 1
  // Of the current pass, for skip_costlier_oracles().
  std::optional<UsefulViolation> min_useful_violation_;
  bool has_asked_all_ = false;            // All examples were asked at one w, in some pass.
  bool has_optimized_new_planes_ = true;  // A QP has used the planes of the pass.
  bool qp_is_exact_ = true;               // To rounding, over the working set before the pass.
  double dual_at_drop_ = 0;               // D after the last drop of evaluate_and_drop().
  StallCounter stall_counter_;            // counts certificates
};

}  // namespace sculpt::core
