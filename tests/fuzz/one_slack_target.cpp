// The state of the solver one_slack in a checkpoint.
#include "solver/one_slack/one_slack.hpp"

#include "solver_state.hpp"

namespace sculpt::core {

std::unique_ptr<Solver> fuzz::make(const Setting& setting, const StopOptions& stop) {
  OneSlackOptions options;
  options.formulation = setting.formulation;
  options.stop = stop;
  options.drop_after = 3;
  return std::make_unique<OneSlack>(options);
}

}  // namespace sculpt::core
