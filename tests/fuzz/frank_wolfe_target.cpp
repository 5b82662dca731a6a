// The state of the solver frank_wolfe in a checkpoint.
#include "solver/frank_wolfe.hpp"

#include "solver_state.hpp"

using namespace sculpt::core;

namespace {

// It knows no hard margin, and the mean of all w under norm 1 alone.
std::unique_ptr<Solver> make(const fuzz::Setting& setting, const StopOptions& stop) {
  FrankWolfeOptions options;
  options.formulation = setting.formulation;
  options.averaging = setting.formulation.hard_margin();
  if (options.averaging) options.formulation.C = 20;
  options.stop = stop;
  options.batch = setting.batches ? 2 : 0;
  options.gap_check = 3;
  return std::make_unique<FrankWolfe>(options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::test_state(data, size, make);
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return fuzz::mutate_state(data, size, most, seed, make);
}
