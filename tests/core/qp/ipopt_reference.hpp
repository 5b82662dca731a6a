// ipopt_reference.hpp - the optimum of the QP of a working set by Ipopt, an independent reference.
//
// Ipopt shares no code with qp/. Debian: coinor-libipopt-dev.
#pragma once

#include <cstdint>
#include <span>

#include "core/qp/restricted_values.hpp"
#include "linalg/vector.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core::test {

struct IpoptOptimum {
  Vector w;           // [dimension], within the bounds
  Multipliers alpha;  // scaled to be feasible
};

// Solves the following over w and xi >= 0, for all planes of the working set:
//
//   min 1/2 ||w||^2 + sum_i cost(xi_i),   <w, a_p> + xi_i >= b_p,   w_j >= 0 if nonnegative[j] is 1
//
// `nonnegative`: [dimension] or empty. Does not use the alpha of the working set. Throws
// std::runtime_error if Ipopt does not reach its tolerance of 1e-11. Ipopt's variables are weights
// multiplied by the largest |a_j| of their column, or by 1 if that is larger.
IpoptOptimum solve_by_ipopt(const WorkingSet& working_set,
                            std::span<const std::uint8_t> nonnegative);

}  // namespace sculpt::core::test
