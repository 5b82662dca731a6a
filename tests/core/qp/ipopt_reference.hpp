// ipopt_reference.hpp - the optimum of the QP of a working set by Ipopt, which shares no code with
// qp/. Debian: coinor-libipopt-dev.
#pragma once

#include <cstdint>
#include <span>

#include "core/qp/restricted_values.hpp"
#include "linalg/vector.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core::test {

struct IpoptOptimum {
  Vector w;           // [dimension], within the bounds
  Multipliers alpha;  // made feasible
};

// min 1/2 ||w||^2 + sum_i cost(xi_i) over w and xi >= 0, with <w, a_p> + xi_i >= b_p for every
// plane of the working set and w_j >= 0 where `nonnegative` is 1 ([dimension], or empty). Looks at
// no alpha of the working set. Throws std::runtime_error where Ipopt does not reach its tolerance
// of 1e-11 over weights multiplied by the largest |a_j| of their column, where that is above 1.
IpoptOptimum solve_by_ipopt(const WorkingSet& working_set,
                            std::span<const std::uint8_t> nonnegative);

}  // namespace sculpt::core::test
