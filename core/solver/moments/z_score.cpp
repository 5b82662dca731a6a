#include "solver/moments/z_score.hpp"

namespace sculpt::core {

const SolverDescriptor& z_score_descriptor() {
  static const SolverDescriptor descriptor{
      "z_score",
      "Moments of all outputs: solves (mean of Cov + lambda I) w = mean of b, by conjugate "
      "gradients (the Z-score: Ricci et al. 2008). Requires features whose factors have at most "
      "two variables, or an oracle or a map_solver with probabilities.",
      moment_parameters(), [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
        return std::make_unique<ZScore>(moment_options(values, "z_score"));
      }};
  return descriptor;
}

}  // namespace sculpt::core
