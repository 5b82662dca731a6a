// retraining.hpp - trains again without one example, from the planes and alpha of the run.
//
// The solver of the run does it, warm: with all planes and alpha but those of the example, and the
// example of weight 0 (planes_without_example.hpp). A pass at one w proves a gap there, and
//
//   |w - w*| <= sqrt(2 gap)
//
// for the optimum w* without the example, because P is strongly convex with modulus 1. If no w in
// this ball predicts another output (output_margins.hpp), the output at w* is certain and the
// solver stops. Otherwise it goes on to its target. Called by LeaveOneOut.
//
// With a kernel the scores of a pass have the rounding of floats. So w and the gap are computed
// again in double precision (exact_gaps.hpp). If they prove less, the solver trains to the target
// of the run, and nothing is certain.
#pragma once

#include <cstdint>
#include <optional>

#include "leave_one_out/output_margins.hpp"
#include "problem/problem.hpp"
#include "qp/working_set/working_set.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

struct Retrained {
  Prediction prediction;     // for the example that was left out
  bool is_certain = false;   // the output at the optimum, not only at the last w
  bool has_reached = false;  // certain, or the solver has reached its target
  std::int64_t passes = 0;
  std::int64_t oracle_calls = 0;
};

// The solver of a run, with two targets.
struct RunSolvers {
  Solver& run;             // with the target of the run
  Solver& tight;           // with a gap that is as small, or smaller
  double target = 0;       // the relative gap of the run; NaN: it has none
  std::uint64_t seed = 0;  // of the run
};

class Retraining {
 public:
  // `planes`: of the run. All must outlive it.
  Retraining(Problem& problem, PlaneSource& source, const RunSolvers& solvers,
             const WorkingSet& planes)
      : problem_(problem), source_(source), solvers_(solvers), planes_(planes) {}

  // `margins`: of the example; nullptr if its outputs cannot be listed. Then nothing is certain,
  // and the target of the run is enough. `stop`: true if the user asks to stop. Throws Cancelled
  // then. Throws as Solver::solve().
  Retrained run(std::int64_t example, const OutputMargins* margins, const StopRequest& stop);

 private:
  bool proves(WorkingSet planes, PlaneSource& source, const OutputMargins& margins,
              std::size_t output, const StopRequest& stop) const;

  Problem& problem_;
  PlaneSource& source_;
  RunSolvers solvers_;
  const WorkingSet& planes_;
};

// The output that the oracle predicts for a training example. `v`: as a solver returns it.
Prediction predict_one(Problem& problem, const Vector& v, std::int64_t example, std::uint64_t seed);

}  // namespace sculpt::core
