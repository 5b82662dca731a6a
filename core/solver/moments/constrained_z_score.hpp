// constrained_z_score.hpp - the Z-score under the constraints that the truths score best.
//
// Found through its descriptor. It minimizes the objective of constrained_moment_objective.hpp by
// cutting planes in the metric of A (constrained_run.hpp), with a certificate. It needs an oracle
// that gives the best output and one with probabilities, mostly the same.
// Source: Ricci, De Bie & Cristianini, JMLR 9 (2008), section 4.2 and Algorithm 3.
#pragma once

#include <sculpt/parameter.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "objective/constrained_moment_objective.hpp"
#include "solver/options.hpp"
#include "solver/solver.hpp"
#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

struct ConstrainedZScoreOptions {
  ConstrainedMomentTerms terms{1e-6, 1, 0};
  Formulation formulation;  // of the reported hinge primal
  // Of each linear system: ||c - A x|| <= residual ||c||. The default follows from relative_gap.
  std::optional<double> residual;
  StopOptions stop;  // without epsilon
};

class ConstrainedZScore : public Solver {
 public:
  explicit ConstrainedZScore(const ConstrainedZScoreOptions& options) : options_(options) {}

  std::optional<Formulation> formulation() const override { return options_.formulation; }
  std::unique_ptr<Objective> objective(const Domain& domain) const override;
  using Solver::solve;
  Result solve(const Ports& ports, Listener& listener, const StopRequest& stop,
               Checkpoints& checkpoints) override;
  std::vector<Vector> load_dual_vectors(const Ports& ports, StateReader& state) override;
  SolverTraits traits() const override;
  double expected_bytes(const ProblemStatistics& statistics) const override;
  double min_bytes(const ProblemStatistics& statistics) const override;

 private:
  ConstrainedZScoreOptions options_;
};

const SolverDescriptor& constrained_z_score_descriptor();

}  // namespace sculpt::core
