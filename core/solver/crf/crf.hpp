// crf.hpp - conditional random fields and their relatives: minimizes a log-loss by quasi-Newton
// steps, with a certificate.
//
// Found through its descriptor. The objective is that of log_loss_objective.hpp. Every pass over
// the examples gives P, its gradient and a dual value (regularizer.hpp), so each proves a gap. It
// is four to twenty times the distance to the optimum near the end. P is that of the last accepted
// w, which only falls; D the best of all passes.
//
//   a few passes of stochastic steps (stochastic_descent.hpp)
//   repeat: direction = -H gradient (curvature_history.hpp), a step along it (line_search.hpp)
//
// The method sdca ascends the dual example by example in place of L-BFGS (sdca_run.hpp). All begin
// at w = 0, or at the w of another model (warm_start).
//
// Sources: Lafferty, McCallum & Pereira, ICML 2001; Liu & Nocedal, Mathematical Programming 45
// (1989). With l1 or bounds: Andrew & Gao, ICML 2007 (orthant.hpp).
#pragma once

#include <sculpt/parameter.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "objective/log_loss_objective.hpp"
#include "solver/options.hpp"
#include "solver/solver.hpp"
#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

struct CrfOptions {
  LogLossTerms terms;
  // Passes of stochastic steps before the first gradient of all examples. Not set: 25 if nothing
  // follows them, 5 before L-BFGS, none before sdca. None also with l1 or bounds, which they do not
  // support. None from the weights of another run, which are better.
  std::optional<std::int64_t> sgd_passes;
  std::int64_t sgd_batch = 1;  // examples of a stochastic step
  bool only_sgd = false;       // ends with one gradient, which gives P and the gap
  bool ascends_dual = false;   // sdca in place of L-BFGS (sdca_run.hpp), without l1 and bounds
  std::int64_t history = 6;    // steps that H is made of
  StopOptions stop;            // without epsilon

  // True if stochastic steps are asked for, so that l1 and bounds are refused.
  bool needs_sgd() const { return only_sgd || sgd_passes.value_or(0) > 0; }
  // False if l1 and bounds are refused.
  bool supports_kinks() const { return !needs_sgd() && !ascends_dual; }
};

class Crf : public Solver {
 public:
  explicit Crf(const CrfOptions& options) : options_(options) {}

  std::unique_ptr<Objective> objective(const Domain& domain) const override;
  using Solver::solve;
  Result solve(const Ports& ports, Listener& listener, const StopRequest& stop,
               Checkpoints& checkpoints) override;
  std::vector<Vector> load_dual_vectors(const Ports& ports, StateReader& state) override;
  SolverTraits traits() const override;
  double expected_bytes(const ProblemStatistics& statistics) const override;
  double min_bytes(const ProblemStatistics& statistics) const override;

 private:
  CrfOptions options_;
};

const SolverDescriptor& crf_descriptor();
// Requires one checked value for each parameter of the descriptor, in order.
CrfOptions crf_options(std::span<const sculpt_value> values);

}  // namespace sculpt::core
