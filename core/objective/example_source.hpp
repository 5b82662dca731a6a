// example_source.hpp - what a solver sees of a problem whatever it asks for: how many examples and
// weights there are, who computes, and how to speak of an example to the user.
//
// Base of the ports PlaneSource, ExpectationSource and CountSource; implemented by problem/.
// Examples are numbered 0 to example_count() - 1.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "parallel/workers.hpp"

namespace sculpt::core {

class ExampleSource {
 public:
  virtual ~ExampleSource() = default;

  virtual std::int64_t example_count() const = 0;
  virtual std::int64_t dimension() const = 0;

  // [dimension] 1 where w_j >= 0 is demanded; empty: nowhere.
  virtual std::span<const std::uint8_t> nonnegative() const { return {}; }

  // The threads that it asks on, for other work between its calls; nullptr: there are none.
  virtual Workers* workers() { return nullptr; }

  // Of the run: what solvers draw at random comes from it and from the pass alone.
  virtual std::uint64_t seed() const { return 0; }

  // The number by which the user knows an example.
  virtual std::int64_t dataset_index(std::int64_t example) const { return example; }

  // Oracle calls made so far beyond one for each example asked about.
  virtual std::int64_t extra_oracle_calls() const { return 0; }

  // What sums over all examples have taken so far, of wall clock.
  virtual double reduction_seconds() const { return 0; }

  // Throws the Failure (Exit::plugin) of answers that contradict each other, in words that name
  // the oracle and the example as the user knows them. `text` goes on from there; example < 0: it
  // is about no single one.
  [[noreturn]] virtual void report_contradiction(std::int64_t example,
                                                 const std::string& text) const = 0;
};

}  // namespace sculpt::core
