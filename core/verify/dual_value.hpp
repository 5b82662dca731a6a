// dual_value.hpp - the dual of alpha, from the planes themselves.
//
// Called by Verification. Takes nothing of a working set but a, b and alpha: no w, no products, no
// figure that the run kept, and what alpha may be from the objective alone. With v = sum alpha a,
// w = v, or max(0, v_j) where w_j >= 0 is demanded, and A_i the sum of alpha over block i,
//
//   D = sum alpha b - 1/2 ||w||^2 - 1/2 ridge sum_i A_i^2,   0 <= alpha,  A_i <= cap
//
//                          cap              ridge
//   n_slack    norm 1      C/n              0
//              norm 2      infinite         n/C
//   one_slack  norm 1, 2   C                0
//   either     hard margin infinite         0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "linalg/vector.hpp"
#include "objective/formulation.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

struct DualValue {
  double value = 0;         // D
  double scale = 0;         // sum alpha |b| + ||w||^2 + ridge sum A^2: the size of what is summed
  double rounding = 0;      // by how much rounding of alpha and of w = sum alpha a may move D
  Vector w;                 // [dimension]
  std::int64_t planes = 0;  // without the zero planes
  std::int64_t active = 0;  // of them with alpha > 0

  // A block whose alpha is more than the objective allows, the worst.
  struct CapViolation {
    std::int64_t block;
    double mass;
    double cap;
  };
  std::optional<CapViolation> overdrawn;
};

// `joint`: one block of joint planes for `example_count` examples. `nonnegative`: [dimension] or
// empty. Requires alpha >= 0, as WorkingSet::load() does.
DualValue dual_value(const WorkingSet& working_set, const Formulation& formulation, bool joint,
                     std::int64_t example_count, std::span<const std::uint8_t> nonnegative);

}  // namespace sculpt::core
