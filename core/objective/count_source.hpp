// count_source.hpp - the port of the solvers that count: what the truths add up to, and which
// features exclude each other.
//
// Implemented by problem/.
#pragma once

#include <cstdint>
#include <vector>

#include "linalg/vector.hpp"
#include "objective/example_source.hpp"

namespace sculpt::core {

class CountSource : public ExampleSource {
 public:
  // sum[dimension] += psi(x_i, y_i) of all examples. Throws Failure, Cancelled.
  virtual void sum_truths(Vector& sum) = 0;
  // [dimension] the multinomial that each weight is an event of, or -1. Requires that the problem
  // offers Port::groups.
  virtual std::vector<std::int32_t> groups() const = 0;
};

}  // namespace sculpt::core
