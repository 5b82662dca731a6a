// The dual of given planes and alpha, compared with sums by hand.

#include "verify/dual_value.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace sculpt::core;

namespace {

// Three examples in two dimensions. The second example has no plane.
WorkingSet small_set(const SlackTerm& term, std::int64_t blocks = 3) {
  WorkingSet set(blocks, 2, term);
  set.add(0, PlaneVector(SparseVector{{0, 1}, {1, -2}}), 3, 11);
  set.add(0, PlaneVector(SparseVector{{1}, {1}}), 1, 12);
  set.add(blocks - 1, PlaneVector(SparseVector{{0}, {4}}), 2, 13);
  set.block(0).alpha[1] = 0.5;
  set.block(0).alpha[2] = 0.25;
  set.block(blocks - 1).alpha.back() = 0.125;
  return set;
}

Formulation formulation_with(int norm, double C) {
  return {Rescaling::margin, norm, C};
}

}  // namespace

// w = 0.5 (1, -2) + 0.25 (0, 1) + 0.125 (4, 0) = (1, -0.75), alpha b = 1.5 + 0.25 + 0.25 = 2
TEST_CASE("the dual of planes and alpha is that of its formula") {
  const WorkingSet linear = small_set(SlackTerm::linear(1));
  const DualValue linear_dual = dual_value(linear, formulation_with(1, 3), false, 3, {});
  CHECK(linear_dual.value == doctest::Approx(2 - 0.5 * 1.5625).epsilon(1e-15));
  CHECK(linear_dual.magnitude == doctest::Approx(2 + 1.5625).epsilon(1e-15));
  CHECK(linear_dual.point.w == Vector{1, -0.75});
  CHECK(linear_dual.planes == 3);
  CHECK(linear_dual.active_planes == 3);
  CHECK_FALSE(linear_dual.cap_violation);

  // ridge n/C = 2, A = (0.75, 0, 0.125)
  const WorkingSet squared = small_set(SlackTerm::squared(0.5));
  const DualValue squared_dual = dual_value(squared, formulation_with(2, 1.5), false, 3, {});
  CHECK(squared_dual.value ==
        doctest::Approx(2 - 0.5 * 1.5625 - (0.5625 + 0.015625)).epsilon(1e-15));
  CHECK_FALSE(squared_dual.cap_violation);

  const double infinity = std::numeric_limits<double>::infinity();
  const WorkingSet forbidden = small_set(SlackTerm::forbidden());
  CHECK(dual_value(forbidden, formulation_with(1, infinity), false, 3, {}).value ==
        linear_dual.value);

  const std::vector<std::uint8_t> nonnegative{0, 1};
  const DualValue bounded = dual_value(linear, formulation_with(1, 3), false, 3, nonnegative);
  CHECK(bounded.point.w == Vector{1, 0});
  CHECK(bounded.value == doctest::Approx(1.5).epsilon(1e-15));

  // Joint planes have no ridge, even under norm 2, and the cap is C.
  const WorkingSet joint = small_set(SlackTerm::linear(0.9), 1);
  const DualValue shared = dual_value(joint, formulation_with(2, 0.9), true, 3, {});
  CHECK(shared.value == linear_dual.value);
  CHECK_FALSE(shared.cap_violation);
}

TEST_CASE("alpha above the cap of the objective is found, whatever cap the working set has") {
  const WorkingSet set = small_set(SlackTerm::linear(1));  // of C = 3
  const DualValue own = dual_value(set, formulation_with(1, 2), false, 3, {});
  REQUIRE(own.cap_violation);
  CHECK(own.cap_violation->block == 0);
  CHECK(own.cap_violation->alpha_sum == 0.75);
  CHECK(own.cap_violation->cap == doctest::Approx(2.0 / 3));
  CHECK_FALSE(dual_value(set, formulation_with(1, 2.25), false, 3, {}).cap_violation);
  const WorkingSet joint = small_set(SlackTerm::linear(1), 1);
  REQUIRE(dual_value(joint, formulation_with(1, 0.8), true, 3, {}).cap_violation);
  CHECK(dual_value(joint, formulation_with(1, 0.8), true, 3, {}).cap_violation->alpha_sum == 0.875);
}
