// The state of the solver n_slack in a checkpoint.
#include "solver/n_slack/n_slack.hpp"

#include "solver_state.hpp"

namespace sculpt::core {

std::unique_ptr<Solver> fuzz::make(const Setting& setting, const StopOptions& stop) {
  NSlackOptions options;
  options.formulation = setting.formulation;
  options.stop = stop;
  options.drop_after = 3;
  options.batch = setting.batches ? 2 : 0;
  return std::make_unique<NSlack>(options);
}

}  // namespace sculpt::core
