// solver.hpp - what the host sees of a solver: one report a pass, a result.
//
// Called by command/; launch/ and sweep/ ask it what it minimizes. Implemented by a file for each
// solver. Solvers never print, read no files and know no component: they ask the ports of a
// problem.
//
// The papers' letters, in solver/ and qp/ only:
//   w      [dimension]  weights                  psi    joint feature map
//   a, b   a plane: <w, a> >= b - xi             alpha  dual variables, one for each plane
//   xi_i   slack of example i                    H_i    max over outputs of b - <w, a>
//   C      price of the mean slack               epsilon  violation the papers' stop rules allow
//   P, D   primal and dual objective             n      number of examples
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/infinity.hpp"
#include "base/time_split.hpp"
#include "linalg/vector.hpp"
#include "objective/bound_kind.hpp"
#include "objective/formulation.hpp"
#include "objective/objective.hpp"
#include "objective/ports.hpp"
#include "solver/checkpoints.hpp"
#include "solver/problem_shape.hpp"

namespace sculpt::core {

// Why a run ended. The first two are targets, the others are not.
enum class StoppedBy {
  relative_gap,
  epsilon,
  max_passes,
  max_oracle_calls,
  max_seconds,
  signal,  // the host asked to stop
  // No new plane, and the QP over the working set is solved to rounding; or new planes have moved
  // neither D nor the gap for many passes, because they are violated by little more than rounding.
  // With an exact oracle that is the optimum as far as doubles go.
  oracle_exhausted,
  // The same, but most of the gap that is left is that of the QP or of single steps: alpha cannot
  // be moved any more in double precision (gap_cause.hpp).
  standstill,
  no_mistakes,  // perceptron: a pass in which nothing was left to learn
  counted       // generative: all there is to do is done
};

// The word for reports and files, e.g. "oracle_exhausted".
const char* name_of(StoppedBy rule);

// Whether a run that ended so has reached its target: epsilon, or a relative gap that is certified.
bool has_reached(StoppedBy rule, bool certified);

inline constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

// One pass over the examples. As it is: nothing is known, and there is no dual. RunCounters::fill()
// fills in what is counted.
struct PassReport {
  std::int64_t pass = 0;           // 1, 2, ...
  std::int64_t oracle_calls = 0;   // so far
  std::int64_t planes = 0;         // in the working set
  std::int64_t active_planes = 0;  // of them with alpha > 0
  double primal_low = infinity;    // P(w) of this pass is at least this; infinite: not asked
  double primal_high = infinity;   // and at most this; infinite when the oracle promises nothing
  double best_primal = infinity;   // best seen so far, as Result::primal
  BoundKind primal_kind = BoundKind::exact;  // how best_primal is to be read
  double dual = no_value;                // best D so far
  double gap = infinity;                     // best_primal - dual
  double relative_gap = infinity;            // gap / |best_primal|, with 0/0 = 0
  bool certified = false;                    // best_primal is an upper bound of P at its w
  double mean_slack = no_value;          // 1/n sum of xi_low at this w; NaN: not asked
  // Solvers without a dual: examples whose answers moved w. perceptron: guesses that were wrong, or
  // with a loss_weight had too small a margin; subgradient: violated margins.
  std::optional<std::int64_t> mistakes;
  std::optional<std::int64_t> violated;
  // Hard margin: D proves that no w separates by more than this part of the longest plane. The run
  // ends where it falls below separation_floor. Else infinite.
  double margin_bound = infinity;
  // Answers of this pass that were relaxed ones, where the oracle gives such; and those for which
  // the last of several oracles was asked, where there are several.
  std::optional<std::int64_t> fractional;
  std::optional<std::int64_t> escalated;
  TimeSplit times;             // so far
  double elapsed_seconds = 0;  // so far, of this solve()
};

// Why no upper bound of P is known for the w of a result.
enum class UncertifiedReason {
  none,            // there is one
  not_asked,       // stopped before all examples were asked at one w
  no_upper_bound,  // all were asked, and the oracle does not promise to have answered exactly
  violated         // all were asked, and some violate hard margins: P is infinite at its w
};

// Default: ignores every report.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void pass_done(const PassReport& report) { static_cast<void>(report); }
};

class WorkingSet;

// What solve() comes to. Held against require_valid() (sound_result.hpp) before it is believed.
struct Result {
  Vector w;  // [dimension] the weights that `primal` belongs to
  // primal_high where there is one, else primal_low; infinite when no plane was found before the
  // end, when nothing was asked at this w, or when hard margins are violated.
  double primal = infinity;
  double primal_low = 0;
  std::optional<double> primal_high;
  BoundKind primal_kind() const;   // how `primal` is to be read
  double dual = no_value;      // NaN: the solver has none
  double gap = infinity;           // primal - dual, 0 where rounding makes it negative
  double relative_gap = infinity;  // gap / |primal|, 0/0 = 0
  // Parts of the gap that more passes would not close: by how much rounding may move primal_high,
  // and P - D over the planes that are known, which the QP or the steps have left.
  double rounding = 0;
  double restricted_gap = 0;
  bool certified = false;  // the gap holds for every output, not only for those seen
  UncertifiedReason uncertified_reason = UncertifiedReason::not_asked;  // none when certified
  bool reached = false;  // has_reached(); hard margins may still be violated by epsilon
  StoppedBy stopped_by = StoppedBy::signal;
  std::int64_t passes = 0;        // those broken off are not counted
  std::int64_t oracle_calls = 0;  // nor are calls whose answers were thrown away with a pass
  std::int64_t planes = 0;
  std::int64_t active_planes = 0;
  AnswerCounts answers;  // of the last whole pass
  TimeSplit times;
  double elapsed_seconds = 0;
};

// Returns true when the run shall stop, and goes on to do so. Polled in every phase, before every
// oracle call, from any thread and from many at once: cheap.
using StopRequest = std::function<bool()>;

// What moves w where no oracle is asked: steps of whatever kind, steps to planes that are kept for
// each example, or a QP over all planes.
enum class UpdateKind { steps, steps_to_planes, qp };

// What a run needs to know of a solver with its options, beside what it computes.
struct SolverTraits {
  // All examples share one slack: the working set is one block of joint planes, rather than a block
  // for each example.
  bool shares_slack = false;
  // Most answers of the oracle are waited for one by one: threads have no part in them.
  bool asks_one_by_one = false;
  // What moves w between two passes.
  UpdateKind updated_by = UpdateKind::steps;
  // Planes are kept for each example only to save calls: fewer of them take less time between two
  // passes.
  bool caches_planes = false;
  // The memory of its planes is limited: some may be dropped or merged too soon.
  bool limits_planes = false;
  // What the problem has to offer. Planes go with formulation().
  std::vector<Port> needs = {Port::planes};
  // Weights with w_j >= 0 may be among those asked for.
  bool takes_bounds = true;
};

class Solver {
 public:
  virtual ~Solver() = default;

  // Of its planes, or of those of the P that it is judged by; none: it asks for no planes.
  virtual std::optional<Formulation> formulation() const { return std::nullopt; }
  // What it minimizes, or is judged by: the hinges of its formulation, unless it says otherwise.
  // Overridden by solvers without one.
  virtual std::unique_ptr<Objective> objective(const Domain& domain) const;

  // Minimizes P over w. A run that goes on from a checkpoint gives the bits of one that was never
  // interrupted. A solver of many passes leaves one however it ends, but by a Failure. Requires
  // what require_ports() looks for. Throws Failure: whatever the ports throw, Exit::plugin when the
  // oracle's claim to be exact is refuted, and Exit::data when hard margins are proved to have no
  // solution, or when the checkpoint is not this solver's.
  virtual Result solve(const Ports& ports, Listener& listener, const StopRequest& stop,
                       Checkpoints& checkpoints) = 0;

  // What a run has left in a checkpoint: its planes and their alpha, as they were saved; nothing:
  // the solver has no dual. Throws Failure(Exit::data) when the checkpoint is not this solver's.
  virtual std::optional<WorkingSet> load_working_set(PlaneSource& source, StateReader& state);

  virtual SolverTraits traits() const = 0;

  // The bytes that solve() will come to on such a problem, but for those of the ports that it has
  // from the beginning; a guess, see plane_memory.hpp.
  virtual double expected_bytes(const ProblemShape& shape) const = 0;
  // Those that it needs for its first pass, however easy the data: no guess.
  virtual double least_bytes(const ProblemShape& shape) const = 0;

  // Throws Failure(Exit::config), in a sentence, where the problem lacks what the solver needs, or
  // has bounds that it does not take. `name`: that of the solver.
  void require_ports(const Ports& ports, const std::string& name) const;

  // solve() without any checkpoint.
  Result solve(const Ports& ports, Listener& listener, const StopRequest& stop) {
    Checkpoints none;
    return solve(ports, listener, stop, none);
  }
};

}  // namespace sculpt::core
