// dual_value.hpp - computes the dual of alpha from the planes.
//
// Called by Verification. From a working set it uses only a, b and alpha: no w, no products, no
// stored values. The bounds of alpha come from the objective. Let v = sum alpha a. Let w = v, or
// max(0, v_j) where w_j >= 0 is required, or M v with an InnerProduct. Let A_i be the sum of alpha
// over block i.
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
#include "verify/weight_point.hpp"

namespace sculpt::core {

struct DualValue {
  double value = 0;  // D
  // The magnitude of the terms of D: sum alpha |b| + ||w||^2 + ridge sum A^2.
  double magnitude = 0;
  // How much rounding of alpha and of w = sum alpha a may change D.
  double rounding = 0;
  WeightPoint point;               // v and w
  std::int64_t planes = 0;         // without zero planes
  std::int64_t active_planes = 0;  // of those, with alpha > 0

  // The block with the largest sum of alpha above its upper bound.
  struct CapViolation {
    std::int64_t block;
    double alpha_sum;
    double cap;
  };
  std::optional<CapViolation> cap_violation;
};

// `has_joint_planes`: one block of joint planes for all `example_count` examples. `nonnegative`:
// [dimension] or empty. Requires alpha >= 0; WorkingSet::load() checks this.
DualValue dual_value(const WorkingSet& working_set, const Formulation& formulation,
                     bool has_joint_planes, std::int64_t example_count,
                     std::span<const std::uint8_t> nonnegative);

}  // namespace sculpt::core
