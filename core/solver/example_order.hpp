// example_order.hpp - the order in which a pass asks about the examples.
//
// Used by the solvers that change w within a pass. The order depends on (seed, pass) only. So a run
// that resumes within a pass gets the same order again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.hpp"

namespace sculpt::core {

enum class ExampleOrder { shuffled, sequential };

// out = [n] the numbers 0, ..., n - 1, in this order or shuffled.
inline void order_examples(ExampleOrder order, std::int64_t n, std::uint64_t seed,
                           std::uint64_t pass, std::vector<std::int64_t>& out) {
  out.resize(static_cast<std::size_t>(n));
  std::iota(out.begin(), out.end(), std::int64_t{0});
  if (order == ExampleOrder::sequential) return;
  Random random(seed, "order of pass " + std::to_string(pass));
  random.shuffle(out);
}

}  // namespace sculpt::core
