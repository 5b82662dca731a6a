// example_source.hpp - the part of a problem that all solvers see: the number of examples and
// weights, the threads, and messages about examples.
//
// Base of the ports PlaneSource, ExpectationSource and CountSource. Implemented by problem/.
// Examples are numbered 0 to example_count() - 1.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "parallel/ranks/ranks.hpp"
#include "parallel/workers.hpp"

namespace sculpt::core {

// The number of examples that the oracle is asked about: all but those of weight 0. `weights` may
// be empty.
inline std::int64_t asked_count(std::int64_t example_count, std::span<const double> weights) {
  return example_count - std::count(weights.begin(), weights.end(), 0.0);
}

class ExampleSource {
 public:
  virtual ~ExampleSource() = default;

  virtual std::int64_t example_count() const = 0;
  virtual std::int64_t dimension() const = 0;

  // [dimension] 1 where w_j >= 0 is demanded; empty: nowhere.
  virtual std::span<const std::uint8_t> nonnegative() const { return {}; }

  // [example_count()] the weight c_i of each example in the objective (formulation.hpp); empty: all
  // are 1. Answers have these weights already: planes with their bounds, and sums over examples.
  // log Z and the expectations of single examples do not.
  virtual std::span<const double> example_weights() const { return {}; }
  double example_weight(std::int64_t example) const {
    const std::span<const double> weights = example_weights();
    return weights.empty() ? 1 : weights[static_cast<std::size_t>(example)];
  }

  // The threads of its calls. They may do other work between the calls. nullptr: no threads.
  virtual Workers* workers() { return nullptr; }

  // The processes that share its calls. nullptr: this one makes all.
  virtual Ranks* ranks() const { return nullptr; }

  // The seed of the run. Random choices of solvers depend on it and on the pass only.
  virtual std::uint64_t seed() const { return 0; }

  // The index of the example in the dataset, for messages to the user.
  virtual std::int64_t dataset_index(std::int64_t example) const { return example; }

  // Oracle calls made so far in addition to one for each example asked about.
  virtual std::int64_t extra_oracle_calls() const { return 0; }

  // Wall clock of the sums over all examples so far.
  virtual double reduction_seconds() const { return 0; }

  // Throws Failure(Exit::plugin) about answers that contradict each other. The message names the
  // oracle and the example, then continues with `text`. example < 0: it is about no single example.
  [[noreturn]] virtual void report_contradiction(std::int64_t example,
                                                 const std::string& text) const = 0;
};

}  // namespace sculpt::core
