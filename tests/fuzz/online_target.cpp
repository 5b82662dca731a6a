// The state of the solvers perceptron and subgradient in a checkpoint.
#include "solver/online/perceptron.hpp"
#include "solver/online/subgradient.hpp"

#include "solver_state.hpp"

namespace sculpt::core {

// Uses perceptron for hard margins, which subgradient does not support.
std::unique_ptr<Solver> fuzz::make(const Setting& setting, const StopOptions& stop) {
  const auto fill = [&](OnlineOptions& options) {
    options.formulation = setting.formulation;
    options.stop = stop;
    options.batch = setting.batches ? 2 : 1;
    options.evaluate_every = 2;
  };
  if (setting.formulation.is_hard_margin()) {
    PerceptronOptions options;
    fill(options);
    return std::make_unique<Perceptron>(options);
  }
  SubgradientOptions options;
  fill(options);
  return std::make_unique<Subgradient>(options);
}

}  // namespace sculpt::core
