// The state of the solver one_slack in a checkpoint.
#include "solver/one_slack.hpp"

#include "solver_state.hpp"

using namespace sculpt::core;

namespace {

std::unique_ptr<Solver> make(const fuzz::Setting& setting, const StopOptions& stop) {
  OneSlackOptions options;
  options.formulation = setting.formulation;
  options.stop = stop;
  options.drop_after = 3;
  return std::make_unique<OneSlack>(options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::test_state(data, size, make);
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return fuzz::mutate_state(data, size, most, seed, make);
}
