// least_distance.hpp - min 1/2 ||w||^2 under given planes <w, a> >= b, by active sets.
//
// An independent reference for tests of hard margin and norm 2: shares no code with qp/ and no idea
// with it either. The problem is turned into one of nonnegative least squares, whose residual is
// zero exactly when no w satisfies all planes. Source: Lawson & Hanson, "Solving least squares
// problems" (1974), chapter 23: NNLS (10), LDP (27).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "objective/plane_source.hpp"

namespace sculpt::core::test {

struct LeastDistance {
  std::vector<double> w;  // stretched to satisfy planes that rounding violates
  double primal = 0;      // 1/2 ||w||^2
  double dual = 0;        // of the multipliers
};

// Nothing when no w satisfies all planes. ridge > 0: every block has a coordinate of its own in
// which its planes have sqrt(ridge), which makes it norm 2 with ridge = n/C. `bounds`: w_j >= 0.
std::optional<LeastDistance> solve_least_distance(const std::vector<std::vector<Plane>>& blocks,
                                                  std::size_t dimension, double ridge,
                                                  const std::vector<std::uint8_t>& bounds);

}  // namespace sculpt::core::test
