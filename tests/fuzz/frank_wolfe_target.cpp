// The state of the solver frank_wolfe in a checkpoint.
#include "solver/frank_wolfe/frank_wolfe.hpp"

#include "solver_state.hpp"

namespace sculpt::core {

// It supports no hard margins, and averaging only with slack norm 1.
std::unique_ptr<Solver> fuzz::make(const Setting& setting, const StopOptions& stop) {
  FrankWolfeOptions options;
  options.formulation = setting.formulation;
  options.averaging = setting.formulation.is_hard_margin();
  if (options.averaging) options.formulation.C = 20;
  options.stop = stop;
  options.batch = setting.batches ? 2 : 0;
  options.gap_check = 3;
  return std::make_unique<FrankWolfe>(options);
}

}  // namespace sculpt::core
