// sample_source.hpp - the port of the solvers that replace expectations by means over samples:
// random outputs of each example, all outputs with the same probability.
//
// Used by soda, z_score and constrained_z_score. Implemented by problem/.
#pragma once

#include <cstdint>
#include <vector>

#include "objective/example_source.hpp"
#include "objective/pass.hpp"
#include "qp/plane/plane_vector.hpp"

namespace sculpt::core {

// The samples of one example, without its weight.
struct OutputSamples {
  bool has_output = false;       // false: no output, or weight 0; nothing else is set
  PlaneVector mean;              // E[psi] if the oracle offers it, else the mean of the samples
  PlaneVector deviation;         // psi(x_i, y_i) - mean
  std::vector<double> losses;    // [count] Delta of the samples; empty if not asked for
  std::vector<PlaneVector> psi;  // [count] of the samples
};

class SampleSource : public ExampleSource {
 public:
  // out[n]: `count` samples of every example, with their losses or without. They depend on the seed
  // of the run, the example and their number only. Runs on all threads. Throws Failure, and
  // Cancelled if the pass was interrupted. Then `out` is invalid. [main]
  virtual void draw(std::int64_t count, bool with_losses, const Pass& pass,
                    std::vector<OutputSamples>& out) = 0;
  // The number of oracle calls of draw() about each example with a weight: one for all samples, and
  // one for the mean if the oracle offers it. [any]
  virtual std::int64_t calls_of_draw() const = 0;
};

}  // namespace sculpt::core
