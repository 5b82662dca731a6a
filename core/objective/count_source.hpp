// count_source.hpp - the port of the solvers that count: the sum of the truths' features, and which
// features exclude each other.
//
// Used by generative. Implemented by problem/.
#pragma once

#include <cstdint>
#include <vector>

#include "linalg/vector.hpp"
#include "objective/example_source.hpp"

namespace sculpt::core {

class CountSource : public ExampleSource {
 public:
  // sum[dimension] += c_i psi(x_i, y_i) of all examples, c_i their weights. Throws Failure,
  // Cancelled.
  virtual void sum_truths(Vector& sum) = 0;
  // [dimension] the index of the multinomial that has this weight as an event, or -1. Requires that
  // the problem offers Port::groups.
  virtual std::vector<std::int32_t> groups() const = 0;
};

}  // namespace sculpt::core
