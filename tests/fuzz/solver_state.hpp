// solver_state.hpp - a target that resumes a solver from any bytes as its state in a checkpoint.
//
// Included by the source of each solver's target, which defines make().
//
// The first byte chooses the setting. There is no corpus of valid states, because it would become
// invalid with each change of the format. The mutator begins with the states of a short run.
#pragma once

#include <cstring>
#include <memory>

#include "contract.hpp"
#include "core/solver/kept_checkpoints.hpp"
#include "core/solver/listed_problem.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace sculpt::core::fuzz {

constexpr unsigned settings = 16;

struct Setting {
  explicit Setting(unsigned number)
      : bounds(number % 2 == 1), batches(number / 2 % 2 == 1), formulation() {
    formulation.C = number / 4 % 2 == 1 ? std::numeric_limits<double>::infinity() : 20;
    formulation.slack_norm = number / 8 % 2 == 1 && !formulation.is_hard_margin() ? 2 : 1;
    if (number / 8 % 2 == 1) formulation.rescaling = Rescaling::slack;
  }
  bool bounds;   // weights that must not be negative
  bool batches;  // of n_slack
  Formulation formulation;
};

// The solver to test. Defined by each target.
std::unique_ptr<Solver> make(const Setting& setting, const StopOptions& stop);

// Runs the solver from the state, for at most 12 passes.
inline void run_from_state(const Setting& setting, test::KeptCheckpoints& kept) {
  test::ListedProblem problem = test::random_multiclass(5, 4, 3, 3).under(setting.formulation);
  if (setting.bounds) problem.bounds.assign(static_cast<std::size_t>(problem.dimension()), 1);
  StopOptions stop;
  stop.relative_gap = 1e-6;
  stop.max_passes = 12;
  test::Recorder recorder;
  make(setting, stop)->solve(problem, recorder, {}, kept);
}

inline int test_state(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  return expect({Exit::data, Exit::plugin}, [&] {
    test::KeptCheckpoints checkpoints(std::string(text_of(data + 1, size - 1)));
    run_from_state(Setting(data[0] % settings), checkpoints);
  });
}

// For one of 32 seeds gives a valid state of a setting; else a mutation by libFuzzer.
inline std::size_t mutate_state(std::uint8_t* data, std::size_t size, std::size_t most,
                                unsigned seed) {
  if (seed % 32 != 0 && size > 1) return LLVMFuzzerMutate(data, size, most);
  const unsigned number = seed / 32 % settings;
  test::KeptCheckpoints checkpoints("", true);
  try {
    run_from_state(Setting(number), checkpoints);
  } catch (const Failure&) {
    // Hard margins that the data cannot satisfy. The states before the failure are kept.
  }
  if (checkpoints.kept.empty()) return LLVMFuzzerMutate(data, size, most);
  const std::size_t chosen = seed / (32 * settings) % checkpoints.kept.size();
  const std::string& state = checkpoints.kept[chosen].state;
  const std::size_t length = std::min(state.size(), most - 1);
  data[0] = static_cast<std::uint8_t>(number);
  std::memcpy(data + 1, state.data(), length);
  return length + 1;
}

}  // namespace sculpt::core::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return sculpt::core::fuzz::test_state(data, size);
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return sculpt::core::fuzz::mutate_state(data, size, most, seed);
}
