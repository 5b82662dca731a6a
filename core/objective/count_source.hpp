// count_source.hpp - the port of the solvers that count: the sum of the truths' features, and which
// features exclude each other.
//
// Used by generative. Implemented by problem/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "linalg/vector.hpp"
#include "objective/example_source.hpp"

namespace sculpt::core {

class CountSource : public ExampleSource {
 public:
  // sum[dimension] += c_i psi(x_i, y_i) of these examples, in this order, c_i their weights. Throws
  // Failure, Cancelled.
  virtual void sum_truths(std::span<const std::int64_t> examples, Vector& sum) = 0;
  // The same for all examples.
  void sum_all_truths(Vector& sum) {
    std::vector<std::int64_t> examples(static_cast<std::size_t>(example_count()));
    std::iota(examples.begin(), examples.end(), std::int64_t{0});
    sum_truths(examples, sum);
  }
  // [dimension] the index of the multinomial that has this weight as an event, or -1. Requires that
  // the problem offers Port::groups.
  virtual std::vector<std::int32_t> groups() const = 0;
};

}  // namespace sculpt::core
