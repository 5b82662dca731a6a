// subgradient.hpp - stochastic subgradient descent on P, averaged.
//
// Found through its descriptor. Sources:
//   Shalev-Shwartz, Singer, Srebro & Cotter, "Pegasos: primal estimated sub-gradient solver for
//   SVM", Mathematical Programming 127 (2011)
//   Lacoste-Julien, Schmidt & Bach, "A simpler approach to obtaining an O(1/t) convergence rate for
//   the projected stochastic subgradient method", 2012: the average
// With lambda = 1/C, for each example in turn
//
//   w_t = (1 - 1/t) w_{t-1} + C/t cost'(xi_i) a_i        and max(0, .) where w_j >= 0 is demanded
//   mean = 2 / (T (T + 1)) sum_t t w_t
//
// (a_i, b_i) is the plane of the largest slack xi_i of example i at w_{t-1}. cost' is 1 under norm
// 1 and xi_i under norm 2. Under norm 2 the first steps would overshoot, more so for larger w. So
// these steps are proximal (Kulis & Bartlett, "Implicit online learning", ICML 2010), with m
// examples in a batch:
//
//   xi_i / (1 + m C/t ||a_i||^2)
//
// With z_t = t/C w_t no step shrinks the whole vector:
//
//   z_t = z_{t-1} + cost'(xi_i) a_i,   w_t = C/t z_t,   mean = 2C / (T (T + 1)) sum_t z_t,
//
// So a step touches the entries of a_i alone. Under norm 1 E[P(mean)] - min P is O(C^2 R^2 / T), R
// the largest ||a||. There is no dual, so no gap.
#pragma once

#include <sculpt/parameter.h>

#include <span>

#include "solver/options.hpp"
#include "solver/solver.hpp"
#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

struct SubgradientOptions : OnlineOptions {
  SubgradientOptions() {
    stop.max_passes = 50;
    evaluate_every = 10;
  }
};

class Subgradient : public Solver {
 public:
  // Requires a finite C.
  explicit Subgradient(const SubgradientOptions& options) : options_(options) {}

  std::optional<Formulation> formulation() const override { return options_.formulation; }
  using Solver::solve;
  Result solve(const Ports& ports, Listener& listener, const StopRequest& stop,
               Checkpoints& checkpoints) override;
  SolverTraits traits() const override;
  double expected_bytes(const ProblemStatistics& statistics) const override;
  double min_bytes(const ProblemStatistics& statistics) const override;

 private:
  SubgradientOptions options_;
};

const SolverDescriptor& subgradient_descriptor();
// Requires one checked value for each parameter of the descriptor, in order.
// Throws Failure(Exit::config) for a hard margin.
SubgradientOptions subgradient_options(std::span<const sculpt_value> values);

}  // namespace sculpt::core
