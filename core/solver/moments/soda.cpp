#include "solver/moments/soda.hpp"

namespace sculpt::core {

const SolverDescriptor& soda_descriptor() {
  static const SolverDescriptor descriptor{
      "soda",
      "Moments of the truths and of all outputs: solves (mean of Cov + b b' + lambda I) w = mean "
      "of b, by conjugate gradients (SODA: Ricci et al. 2008). Requires features whose factors "
      "have at most two variables, or an oracle or a map_solver with probabilities.",
      moment_parameters(), [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
        return std::make_unique<Soda>(moment_options(values, "soda"));
      }};
  return descriptor;
}

}  // namespace sculpt::core
