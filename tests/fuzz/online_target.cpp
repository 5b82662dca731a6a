// The state of the solvers perceptron and subgradient in a checkpoint.
#include "solver/perceptron.hpp"
#include "solver/subgradient.hpp"

#include "solver_state.hpp"

using namespace sculpt::core;

namespace {

// Where subgradient knows no hard margin, perceptron stands in.
std::unique_ptr<Solver> make(const fuzz::Setting& setting, const StopOptions& stop) {
  const auto fill = [&](OnlineOptions& options) {
    options.formulation = setting.formulation;
    options.stop = stop;
    options.batch = setting.batches ? 2 : 1;
    options.evaluate_every = 2;
  };
  if (setting.formulation.hard_margin()) {
    PerceptronOptions options;
    fill(options);
    return std::make_unique<Perceptron>(options);
  }
  SubgradientOptions options;
  fill(options);
  return std::make_unique<Subgradient>(options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::test_state(data, size, make);
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return fuzz::mutate_state(data, size, most, seed, make);
}
