// least_distance.hpp - min 1/2 ||w||^2 under given planes <w, a> >= b, by active sets.
//
// An independent reference for tests of hard margin and slack norm 2. It shares no code and no
// method with qp/. It solves a problem of nonnegative least squares. The residual of that problem
// is zero exactly if no w satisfies all planes. Source: Lawson & Hanson, "Solving least squares
// problems" (1974), chapter 23: NNLS (10), LDP (27).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "objective/plane_source.hpp"

namespace sculpt::core::test {

struct LeastDistance {
  std::vector<double> w;  // multiplied by a factor >= 1, so that it satisfies every plane
  double primal = 0;      // 1/2 ||w||^2
  double dual = 0;        // the dual objective at the multipliers
};

// Returns nothing if no w satisfies all planes. ridge > 0: each block has one more coordinate, and
// its planes have sqrt(ridge) there. With ridge = n/C this is slack norm 2. `bounds`: w_j >= 0
// where bounds[j] is 1.
std::optional<LeastDistance> solve_least_distance(const std::vector<std::vector<Plane>>& blocks,
                                                  std::size_t dimension, double ridge,
                                                  const std::vector<std::uint8_t>& bounds);

}  // namespace sculpt::core::test
