// solver_with.hpp - what all solvers are alike in: a class around their options.
//
// Base of each of them; what a run keeps lives in a class of the .cpp, made anew by solve().
#pragma once

#include <optional>

#include "qp/working_set.hpp"
#include "solver/checkpoints.hpp"
#include "solver/expected_memory.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

template <class Options>
class SolverWith : public Solver {
 public:
  explicit SolverWith(const Options& options) : options_(options) {}
  const Formulation& formulation() const override { return options_.formulation; }
  double expected_bytes(const ProblemShape& shape) const override {
    return core::expected_bytes(shape, options_);
  }
  double least_bytes(const ProblemShape& shape) const override {
    return core::least_bytes(shape, options_);
  }
  bool asks_one_by_one() const override {
    if constexpr (requires { options_.batch; }) {
      return options_.batch == 1;
    } else {
      return false;
    }
  }
  bool limits_planes() const override {
    if constexpr (requires { options_.max_planes_megabytes; }) {
      return options_.max_planes_megabytes.has_value();
    } else {
      return false;
    }
  }
  using Solver::solve;

 protected:
  // Solver::recall() for a CuttingPlaneRun.
  template <class Run>
  std::optional<WorkingSet> recall_by(Separator& separator, StateReader& state) const {
    EarlierState earlier(state);
    Listener unheard;
    const StopRequest never;
    return Run(options_, separator, unheard, never, earlier).recall();
  }

  const Options& options() const { return options_; }

 private:
  Options options_;
};

}  // namespace sculpt::core
