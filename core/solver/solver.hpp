// solver.hpp - the interface of a solver: options in, one report a pass, a result.
//
// Called by command/. launch/ and sweep/ call objective(). Each solver implements it in its own
// folder. Solvers print nothing, read no files and know no component: they call the ports of a
// problem.
//
// The papers' letters, in solver/ and qp/ only:
//   w      [dimension]  weights                  psi    joint feature map
//   a, b   a plane: <w, a> >= b - xi             alpha  dual variables, one for each plane
//   xi_i   slack of example i                    H_i    max over outputs of b - <w, a>
//   C      price of the mean slack               epsilon  violation the papers' stop rules allow
//   P, D   primal and dual objective             n      number of examples
//   A_i    sum of alpha over the block of i      S_i    block of planes of example i
//   u      w at which a pass asks (n_slack.hpp)  ridge  n/C under norm 2 (slack_term.hpp)
//   c_i    weight of example i, mostly 1. a, b, xi_i and H_i are multiplied by it already
//          (Formulation::plane_weight), so it is in no formula of a solver.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/infinity.hpp"
#include "base/phase_times.hpp"
#include "linalg/vector.hpp"
#include "objective/bound_kind.hpp"
#include "objective/formulation.hpp"
#include "objective/objective.hpp"
#include "objective/ports.hpp"
#include "solver/checkpoints.hpp"
#include "solver/memory_part.hpp"
#include "solver/problem_statistics.hpp"

namespace sculpt::core {

// Why a run ended. The first three are targets, the others are not.
enum class StoppedBy {
  relative_gap,
  epsilon,
  residual,  // soda, z_score: the residual of the linear system
  max_passes,
  sgd_passes,  // crf by stochastic steps alone: all its passes are made
  max_oracle_calls,
  max_seconds,
  signal,  // the host asked to stop
  // The host stops a run whose validations get no better. No solver returns it.
  validation,
  // No new plane was found, and the QP over the working set is solved to rounding. Or: new planes
  // have changed neither D nor the gap beyond rounding for many passes. With an exact oracle this
  // is the optimum in double precision.
  oracle_exhausted,
  // The same, but the QP or steps of single blocks left most of the gap: double precision allows no
  // further step of alpha (gap_cause.hpp).
  standstill,
  sampled_gap,  // one_slack with cut_sample: the gap that the last sample shows
  no_mistakes,  // perceptron: a pass without mistakes
  counted       // generative: all is counted
};

// The name for reports and files, e.g. "oracle_exhausted".
const char* name_of(StoppedBy rule);

// True if a run that ended so has reached its target: epsilon, a residual, or a certified relative
// gap.
bool has_reached_target(StoppedBy rule, bool certified);
// True if a limit of the user or a signal ends the run.
bool is_limit(StoppedBy rule);

inline constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

// The report of one pass over the examples. The defaults say that nothing is known and that there
// is no dual. RunCounters::fill() sets the counts and times.
struct PassReport {
  std::int64_t pass = 0;           // 1, 2, ...
  std::int64_t oracle_calls = 0;   // In total so far.
  std::int64_t planes = 0;         // In the working set.
  std::int64_t active_planes = 0;  // Planes with alpha > 0.
  double primal_low = infinity;    // P(w) of this pass is at least this; infinite: not evaluated.
  double primal_high = infinity;   // P(w) is at most this; infinite: no upper bound.
  double best_primal = infinity;   // The best so far, as Result::primal.
  BoundKind primal_kind = BoundKind::exact;  // Exact, lower or upper bound.
  double dual = no_value;                    // Best D so far.
  double gap = infinity;                     // The difference best_primal - dual.
  double relative_gap = infinity;            // The quotient gap / |best_primal|, with 0/0 = 0.
  bool certified = false;                    // True: best_primal is an upper bound of P at its w.
  double mean_slack = no_value;              // Mean 1/n sum of xi_low at this w; NaN: not asked.
  // Only solvers without a dual: the number of examples that changed w. `mistakes` (perceptron):
  // wrong guesses, or with a loss_weight too small margins. `violated` (subgradient): violated
  // margins.
  std::optional<std::int64_t> mistakes;
  std::optional<std::int64_t> violated;
  // Hard margin: 1 / (sqrt(2 D) ||a_max||), with a_max the longest plane after scaling the columns.
  // Every w that separates the data has ||w|| >= sqrt(2 D). The run ends if this falls below
  // separation_floor. Infinite without hard margin.
  double margin_bound = infinity;
  // Only solvers that minimize by steps and have a dual: the fall of best_primal by the last step,
  // relative to it. NaN: there was no step yet.
  std::optional<double> progress;
  // Only solvers of a linear system A w = b: ||b - A w|| / ||b|| at this w.
  std::optional<double> residual;
  // Answers of this pass that were relaxed, if the oracle gives such answers. Examples for which
  // the last of several oracles was asked, if there are several.
  std::optional<std::int64_t> fractional;
  std::optional<std::int64_t> escalated;
  PhaseTimes times;            // so far
  double elapsed_seconds = 0;  // so far, of this solve()
};

// Why no upper bound of P is known for the w of a result.
enum class UncertifiedReason {
  none,            // An upper bound is known.
  not_asked,       // The run stopped before all examples were asked at one w.
  no_upper_bound,  // All were asked, but the oracle does not promise exact answers or bounds.
  violated,        // All were asked, and some violate hard margins: P is infinite at this w.
  approximate,     // crf: log Z is an approximation. Then primal_low is minus infinity.
  not_convex       // The kernel is not positive semidefinite: the dual proves nothing.
};

// Default: ignores every report.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void pass_done(const PassReport& report) { static_cast<void>(report); }
};

class WorkingSet;

// P of the structural hinges at the w of a solver that minimizes something else.
struct ReportedHinge {
  double low = 0;
  double high = infinity;  // infinite: no upper bound
  double value() const { return std::isfinite(high) ? high : low; }
  BoundKind kind() const { return bound_kind_of(low, high); }
};

// What solve() returns. require_valid() (result_check.hpp) checks it.
struct Result {
  Vector
      w;  // [dimension] the weights that `primal` belongs to; with a kernel v (kernel_layout.hpp)
  std::optional<double> squared_norm;  // with a kernel ||w||^2, which is not ||v||^2; set by train
  // primal_high if it is known, else primal_low. Infinite if no plane was found before the end, if
  // nothing was asked at this w, or if hard margins are violated.
  double primal = infinity;
  double primal_low = 0;
  std::optional<double> primal_high;
  BoundKind primal_kind() const;   // Exact, lower or upper bound.
  double dual = no_value;          // NaN: the solver has no dual.
  double gap = infinity;           // Primal - dual; 0 if rounding makes it negative.
  double relative_gap = infinity;  // The quotient gap / |primal|, 0/0 = 0.
  // Parts of the gap that more passes would not close. `rounding`: by how much rounding may move
  // primal_high. `restricted_gap`: P - D over the known planes, left by the QP or the steps.
  double rounding = 0;
  double restricted_gap = 0;
  bool certified = false;              // the gap holds for every output, not only for those seen
  std::optional<double> residual;      // as in PassReport
  std::optional<ReportedHinge> hinge;  // only solvers that report it beside their own objective
  UncertifiedReason uncertified_reason = UncertifiedReason::not_asked;  // none when certified
  bool reached = false;  // as has_reached_target(); hard margins may still be violated by epsilon
  StoppedBy stopped_by = StoppedBy::signal;
  std::int64_t passes = 0;        // without interrupted passes
  std::int64_t oracle_calls = 0;  // without calls of interrupted passes
  std::int64_t planes = 0;
  std::int64_t active_planes = 0;
  AnswerCounts answers;  // of the last whole pass
  PhaseTimes times;
  double elapsed_seconds = 0;
};

// Returns true if the run must stop, and keeps returning true. Called in every phase and before
// every oracle call, from many threads at once. It must be cheap.
using StopRequest = std::function<bool()>;

// How w moves between oracle calls: by steps of any kind, by steps to stored planes of each
// example, or by a QP over all planes.
enum class UpdateKind { steps, steps_to_planes, qp };

// Properties of a solver with its options that a run needs to know.
struct SolverTraits {
  // All examples share one slack: the working set is a single block of joint planes. Otherwise it
  // has a block for each example.
  bool shares_slack = false;
  // Most passes ask one example at a time. Threads help only in those that ask at one w.
  bool asks_one_by_one = false;
  // How w moves between two passes.
  UpdateKind updated_by = UpdateKind::steps;
  // Planes of each example are stored only to save oracle calls. With fewer of them the time
  // between two passes is shorter.
  bool caches_planes = false;
  // The memory of its planes is limited, so useful planes may be dropped or merged.
  bool limits_planes = false;
  // The ports that the problem must offer. Port::planes requires formulation().
  std::vector<Port> needs = {Port::planes};
  // The solver supports weights that are bounded by w_j >= 0. If not, what to do.
  bool supports_bounds = true;
  const char* remedy_for_bounds = "leave `nonnegative` out";
  // The solver works with planes that have an inner product of their own: with kernels.
  bool supports_kernels = false;
};

class Solver {
 public:
  virtual ~Solver() = default;

  // The formulation of its planes, or of the P that is reported. None: the solver asks for no
  // planes.
  virtual std::optional<Formulation> formulation() const { return std::nullopt; }
  // What the solver minimizes or is evaluated by: the hinges of its formulation by default. Solvers
  // without a formulation override it.
  virtual std::unique_ptr<Objective> objective(const Domain& domain) const;

  // Minimizes P over w. A run that resumes from a checkpoint gives the same bits as one that was
  // never interrupted. A solver of many passes writes a last checkpoint, unless it throws Failure.
  // Requires that require_ports() passes. Throws whatever the ports throw. Throws Failure:
  // Exit::plugin if the oracle claims to be exact and is not, Exit::data if hard margins have no
  // solution or the checkpoint belongs to another solver.
  virtual Result solve(const Ports& ports, Listener& listener, const StopRequest& stop,
                       Checkpoints& checkpoints) = 0;

  // The planes of a checkpoint and their alpha, as they were saved. None: the solver has no dual.
  // Throws Failure(Exit::data) if the checkpoint belongs to another solver.
  virtual std::optional<WorkingSet> load_working_set(PlaneSource& source, StateReader& state);

  // The vectors that prove a dual without planes, as saved in a checkpoint. None: the solver has no
  // such dual. crf: the w [dimension] whose distribution over the outputs proves it. By the method
  // sdca: theta (cell_dual.hpp). constrained_z_score: w and z [dimension] (constraint_model.hpp).
  // Throws as load_working_set().
  virtual std::vector<Vector> load_dual_vectors(const Ports& ports, StateReader& state);

  virtual SolverTraits traits() const = 0;

  // The bytes that solve() will need on such a problem, without those that the ports use from the
  // beginning. An estimate (plane_memory.hpp); it may be too small on hard data.
  virtual double expected_bytes(const ProblemStatistics& statistics) const = 0;
  // The same, part by part. By default one part, the name of which is "solver".
  virtual std::vector<MemoryPart> memory_parts(const ProblemStatistics& statistics) const {
    return {{"solver", expected_bytes(statistics)}};
  }
  // The bytes that the first pass needs, even on easy data. Not an estimate.
  virtual double min_bytes(const ProblemStatistics& statistics) const = 0;

  // Throws Failure(Exit::config) if the problem lacks what the solver needs, or has what it does
  // not support: bounds, or weights of examples together with expectations. `name`: the name of the
  // solver.
  void require_ports(const Ports& ports, const std::string& name) const;

  // solve() without any checkpoint.
  Result solve(const Ports& ports, Listener& listener, const StopRequest& stop) {
    Checkpoints none;
    return solve(ports, listener, stop, none);
  }
};

}  // namespace sculpt::core
