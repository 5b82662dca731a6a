// The dual of planes and alpha against sums by hand.

#include "verify/dual_value.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace sculpt::core;

namespace {

// Three examples in two dimensions; the second has no plane.
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

Formulation with(int norm, double C) {
  return {Rescaling::margin, norm, C};
}

}  // namespace

// w = 0.5 (1, -2) + 0.25 (0, 1) + 0.125 (4, 0) = (1, -0.75), alpha b = 1.5 + 0.25 + 0.25 = 2
TEST_CASE("the dual of planes and alpha is the sum that its formula says") {
  const WorkingSet linear = small_set(SlackTerm::linear(1));
  const DualValue one = dual_value(linear, with(1, 3), false, 3, {});
  CHECK(one.value == doctest::Approx(2 - 0.5 * 1.5625).epsilon(1e-15));
  CHECK(one.scale == doctest::Approx(2 + 1.5625).epsilon(1e-15));
  CHECK(one.w == Vector{1, -0.75});
  CHECK(one.planes == 3);
  CHECK(one.active == 3);
  CHECK_FALSE(one.overdrawn);

  // ridge n/C = 2, A = (0.75, 0, 0.125)
  const WorkingSet squared = small_set(SlackTerm::squared(0.5));
  const DualValue two = dual_value(squared, with(2, 1.5), false, 3, {});
  CHECK(two.value == doctest::Approx(2 - 0.5 * 1.5625 - (0.5625 + 0.015625)).epsilon(1e-15));
  CHECK_FALSE(two.overdrawn);

  const double infinity = std::numeric_limits<double>::infinity();
  const WorkingSet forbidden = small_set(SlackTerm::forbidden());
  CHECK(dual_value(forbidden, with(1, infinity), false, 3, {}).value == one.value);

  const std::vector<std::uint8_t> nonnegative{0, 1};
  const DualValue bounded = dual_value(linear, with(1, 3), false, 3, nonnegative);
  CHECK(bounded.w == Vector{1, 0});
  CHECK(bounded.value == doctest::Approx(1.5).epsilon(1e-15));

  // Joint planes: no ridge under norm 2 either, and the cap is C.
  const WorkingSet joint = small_set(SlackTerm::linear(0.9), 1);
  const DualValue shared = dual_value(joint, with(2, 0.9), true, 3, {});
  CHECK(shared.value == one.value);
  CHECK_FALSE(shared.overdrawn);
}

TEST_CASE("alpha beyond what the objective allows is found, whatever the working set says") {
  const WorkingSet set = small_set(SlackTerm::linear(1));  // of C = 3
  const DualValue own = dual_value(set, with(1, 2), false, 3, {});
  REQUIRE(own.overdrawn);
  CHECK(own.overdrawn->block == 0);
  CHECK(own.overdrawn->mass == 0.75);
  CHECK(own.overdrawn->cap == doctest::Approx(2.0 / 3));
  CHECK_FALSE(dual_value(set, with(1, 2.25), false, 3, {}).overdrawn);
  const WorkingSet joint = small_set(SlackTerm::linear(1), 1);
  REQUIRE(dual_value(joint, with(1, 0.8), true, 3, {}).overdrawn);
  CHECK(dual_value(joint, with(1, 0.8), true, 3, {}).overdrawn->mass == 0.875);
}
