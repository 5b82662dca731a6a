// moment_solver.hpp - what soda and z_score share: options, parameters and memory.
//
// Base of Soda and ZScore. The run is in moment_run.hpp.
#pragma once

#include <sculpt/parameter.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "objective/moment_objective.hpp"
#include "solver/options.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

struct MomentOptions {
  Formulation formulation;  // of the reported hinge primal
  double lambda = 1e-6;
  double residual = 1e-6;    // stop at ||b - A w|| <= residual ||b||
  std::int64_t samples = 0;  // of each example; 0: all outputs
  double loss_weight = 0;    // as in MomentTerms
  StopOptions stop;          // limits only
};

class MomentSolver : public Solver {
 public:
  std::optional<Formulation> formulation() const override { return options_.formulation; }
  std::unique_ptr<Objective> objective(const Domain& domain) const override;
  using Solver::solve;
  Result solve(const Ports& ports, Listener& listener, const StopRequest& stop,
               Checkpoints& checkpoints) override;
  SolverTraits traits() const override;
  double expected_bytes(const ProblemStatistics& statistics) const override;
  double min_bytes(const ProblemStatistics& statistics) const override;

 protected:
  MomentSolver(const MomentOptions& options, bool adds_deviations)
      : options_(options),
        terms_{adds_deviations, options.lambda, options.samples, options.loss_weight} {}

 private:
  MomentOptions options_;
  MomentTerms terms_;
};

std::span<const sculpt_parameter> moment_parameters();
// Requires one checked value for each of these parameters, in order. `solver`: its name. Throws
// Failure(Exit::config) for a hard margin.
MomentOptions moment_options(std::span<const sculpt_value> values, const std::string& solver);

}  // namespace sculpt::core
