// The certificate: which bounds of P and D it keeps, and which contradictions it refuses.

#include "objective/certificate.hpp"

#include <doctest/doctest.h>

#include "base/failure.hpp"
#include "core/solver/listed_problem.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// The certificate uses it only for the texts of errors.
const ListedProblem empty_problem(1);

}  // namespace

TEST_CASE("the certificate keeps the best primal with its w, and the best dual of any w") {
  Certificate certificate(empty_problem);
  CHECK(certificate.gap() == infinity);
  certificate.update(Vector{1.0}, {8, 10, 0}, 2, 10);
  certificate.update(Vector{2.0}, {9, 12, 0}, 4, 10);
  CHECK(certificate.w() == Vector{1.0});
  CHECK(certificate.primal() == 10);
  CHECK(certificate.dual() == 4);
  CHECK(certificate.gap() == 6);
  CHECK(certificate.relative_gap() == 0.6);
  certificate.update(Vector{3.0}, {5, 6, 0}, 3, 10);
  CHECK(certificate.w() == Vector{3.0});
  CHECK(certificate.dual() == 4);
}

TEST_CASE("a primal without an upper bound never replaces one with an upper bound") {
  Certificate certificate(empty_problem);
  certificate.update(Vector{1.0}, {3, infinity, 0}, 1, 1);
  CHECK_FALSE(certificate.certified());
  CHECK(certificate.primal() == 3);
  certificate.update(Vector{2.0}, {4, 5, 0}, 1, 1);
  CHECK(certificate.certified());
  CHECK(certificate.primal() == 5);
  certificate.update(Vector{3.0}, {2, infinity, 0}, 1, 1);
  CHECK(certificate.w() == Vector{2.0});
}

TEST_CASE("a lower bound of the primal below the dual is replaced by a later one") {
  Certificate certificate(empty_problem);
  certificate.update(Vector{1.0}, {3, infinity, 0}, 1, 1);
  certificate.update(Vector{2.0}, {7, infinity, 0}, 6, 1);
  CHECK(certificate.w() == Vector{2.0});
  CHECK(certificate.gap() == 1);
}

TEST_CASE(
    "a primal with skipped oracles is replaced by the next one, and by one "
    "without skipped oracles") {
  Certificate certificate(empty_problem);
  certificate.update(Vector{1.0}, {3, infinity, 0}, 1, 1, true);
  certificate.update(Vector{2.0}, {4, infinity, 0}, 1, 1, true);
  CHECK(certificate.w() == Vector{2.0});
  certificate.update(Vector{3.0}, {7, infinity, 0}, 1, 1);
  CHECK(certificate.w() == Vector{3.0});
  certificate.update(Vector{4.0}, {2, infinity, 0}, 1, 1, true);
  CHECK(certificate.w() == Vector{3.0});
  certificate.update(Vector{5.0}, {8, 9, 0}, 1, 1, true);
  CHECK(certificate.primal() == 9);
  certificate.update(Vector{6.0}, {1, infinity, 0}, 1, 1, true);
  CHECK(certificate.w() == Vector{5.0});
}

TEST_CASE(
    "a w that violates hard margins is replaced by the next w, and by one without violations") {
  Certificate certificate(empty_problem);
  certificate.update(Vector{1.0}, {infinity, infinity, 0.1}, 1, 1);
  CHECK(certificate.w() == Vector{1.0});
  CHECK_FALSE(certificate.certified());
  CHECK(certificate.primal() == infinity);
  CHECK(certificate.relative_gap() == infinity);
  certificate.update(Vector{2.0}, {infinity, infinity, 0.1}, 2, 1);
  CHECK(certificate.w() == Vector{2.0});
  certificate.update(Vector{3.0}, {4, 4, 0}, 3, 1);
  CHECK(certificate.certified());
  CHECK(certificate.gap() == 1);
  certificate.update(Vector{5.0}, {infinity, infinity, 0.1}, 3, 1);
  CHECK(certificate.w() == Vector{3.0});
}

TEST_CASE("the bounds of P follow its definition under both norms and hard margin") {
  const PrimalBounds one = bound_primal({Rescaling::margin, 1, 3}, 4, {0.5, 0.7, 0.5});
  CHECK(one.low == 3.5);
  CHECK(one.high == 4.1);
  CHECK(one.mean_slack == 0.5);
  const Formulation hard{Rescaling::margin, 2, infinity};
  CHECK(bound_primal(hard, 4, {0, 0, 0}).high == 2);
  CHECK(bound_primal(hard, 4, {0, 0.1, 0}).low == 2);
  CHECK(bound_primal(hard, 4, {0, 0.1, 0}).high == infinity);
  CHECK(bound_primal(hard, 4, {0.1, 0.1, 0}).low == infinity);
  CHECK((Formulation{Rescaling::margin, 2, 3}).slack_cost(3) == 4.5);
  CHECK((Formulation{Rescaling::margin, 1, 3}).slack_cost(3) == 3);
  CHECK(hard.slack_cost(3) == 3);
}

TEST_CASE("a dual above a proved primal is refused, unless rounding explains it") {
  Certificate certificate(empty_problem);
  certificate.update(Vector{1.0}, {10, 10, 0}, 9, 10);
  certificate.raise_dual(10 + 1e-9, 10);
  CHECK(certificate.gap() == 0);
  CHECK_THROWS_WITH_AS(certificate.raise_dual(10.1, 10),
                       doctest::Contains("sets EXACT or BOUND wrongly: the dual"), Failure);
}

TEST_CASE(
    "a dual above a primal whose terms cancel is refused only beyond the rounding of the terms") {
  Certificate certificate(empty_problem);
  certificate.update(Vector{1.0}, {10, 10, 0, 0.2}, 9, 10);
  certificate.raise_dual(10.3, 10);
  CHECK(certificate.gap() == 0);
  CHECK(certificate.dual() == 10.3);
  CHECK_THROWS_WITH_AS(certificate.raise_dual(10.5, 10),
                       doctest::Contains("sets EXACT or BOUND wrongly: the dual"), Failure);
}

TEST_CASE(
    "an upper bound below a known plane is refused with the example, unless rounding explains it") {
  CHECK(bound_slack({2, 1, 1.5 + 0.5, 3, 0}, empty_problem, 4).high == 2);
  const SlackBounds rounded = bound_slack({2, 1, 2 - 1e-8, 3, 0}, empty_problem, 4);
  CHECK(rounded.low == 2);
  CHECK(rounded.high == 2);
  CHECK(bound_slack({0.5, 1, infinity, 3, 0}, empty_problem, 4).high == infinity);
  CHECK(bound_slack({0, -2, -2, 3, 0}, empty_problem, 4).high == 0);
  CHECK_THROWS_WITH_AS(bound_slack({2, 1, 1.5, 3, 0}, empty_problem, 4),
                       doctest::Contains("example 4"), Failure);
}

TEST_CASE("an upper bound is refused only beyond the rounding of the terms of answer and plane") {
  // The loss is 0, and the slack is a rounding error only.
  CHECK_THROWS_AS(bound_slack({2.8e-17, 0, 0, 0, 0}, empty_problem, 4), Failure);
  const SlackBounds rounded = bound_slack({2.8e-17, 0, 0, 0, 1e-16}, empty_problem, 4);
  CHECK(rounded.low == 2.8e-17);
  CHECK(rounded.high == 2.8e-17);
  int recomputed = 0;
  const auto recompute_slack = [&recomputed] {
    ++recomputed;
    return RecomputedSlack{1e-3, 2e-4};
  };
  // The slack that a QP computes from products is used if it contradicts nothing.
  CHECK(bound_slack({1, 0, 1, 1, 0}, empty_problem, 4, recompute_slack).high == 1);
  CHECK(recomputed == 0);
  const SlackBounds again = bound_slack({0.5, 0, 0, 0, 2e-4}, empty_problem, 4, recompute_slack);
  CHECK(again.low == 1e-3);
  CHECK(again.high == 1e-3);
  CHECK(recomputed == 1);
  CHECK_THROWS_WITH_AS(bound_slack({0.5, 0, 0, 0, 1e-4}, empty_problem, 4, recompute_slack),
                       doctest::Contains("violates it by 0.001"), Failure);
}

TEST_CASE("the rounding of a slack changes the cost as the slack itself does") {
  const Formulation one{Rescaling::margin, 1, 3};
  const Formulation two{Rescaling::margin, 2, 3};
  CHECK(rounding_of_cost(one, 4, 0.1) == 0.1);
  CHECK(rounding_of_cost(two, 4, 0.5) == doctest::Approx(two.slack_cost(4.5) - two.slack_cost(4)));
  CHECK(rounding_of_cost(two, infinity, 0.5) == 0);
  CHECK(bound_primal(one, 4, {0.5, 0.7, 0.5, 0.01}).rounding == doctest::Approx(0.03));
}
