// solver_state.hpp - the state of a solver out of a checkpoint: any bytes, from which it goes on.
//
// Included by one source of each target, which it makes one by defining make().
//
// The first byte says under which of some settings. Genuine states need no corpus, which would grow
// stale with the format: the mutator begins with those that a short run leaves.
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
    formulation.slack_norm = number / 8 % 2 == 1 && !formulation.hard_margin() ? 2 : 1;
    if (number / 8 % 2 == 1) formulation.rescaling = Rescaling::slack;
  }
  bool bounds;   // weights that must not be negative
  bool batches;  // of n_slack
  Formulation formulation;
};

// Each target says what it tests.
std::unique_ptr<Solver> make(const Setting& setting, const StopOptions& stop);

// A run that ends soon, whatever the state says.
inline void go_on(const Setting& setting, test::KeptCheckpoints& kept) {
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
    go_on(Setting(data[0] % settings), checkpoints);
  });
}

// A genuine state of one of the settings now and then, else a change as libFuzzer makes them.
inline std::size_t mutate_state(std::uint8_t* data, std::size_t size, std::size_t most,
                                unsigned seed) {
  if (seed % 32 != 0 && size > 1) return LLVMFuzzerMutate(data, size, most);
  const unsigned number = seed / 32 % settings;
  test::KeptCheckpoints checkpoints("", true);
  try {
    go_on(Setting(number), checkpoints);
  } catch (const Failure&) {
    // Hard margins that cannot be kept: there are states up to that point.
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
