// How far w may move before another output is best, with products from floats and without.

#include "leave_one_out/output_margins.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "core/problem/toy.hpp"

using namespace sculpt::core;

namespace {

// The radius if the output 0 leads the output 1, of score `score`, by `lead`.
double radius_at(double score, double lead) {
  toy_plan() = ToyPlan();
  toy_plan().training = {{{0}, {0}}};
  toy_plan().prediction = {{{0}, {0}}};
  Problem problem(toy_spec(toy_oracle()), Purpose::training, 1, {});
  Vector zeros = zero_weights();
  SparseSum sum(problem.dimension());
  const std::optional<OutputMargins> margins =
      OutputMargins::of(problem, 0, ExampleProduct(std::nullopt, zeros, sum));
  REQUIRE(margins);
  REQUIRE(margins->count() == 3);
  const SparseVector difference = margins->difference(0, 1);
  Vector w = zero_weights();
  for (std::size_t k = 0; k < difference.index.size(); ++k) {
    w[static_cast<std::size_t>(difference.index[k])] =
        difference.value[k] > 0 ? score + lead : score;
  }
  const OutputMargins::Best best = margins->best_at(w);
  CHECK(best.output == 0);
  CHECK(zeros == zero_weights());
  return best.radius;
}

}  // namespace

TEST_CASE("the radius of the best output is its lead over the length of the difference") {
  CHECK(radius_at(1, 0.5) == doctest::Approx(0.5 / std::sqrt(2.0)).epsilon(1e-5));
  CHECK(radius_at(1, 1e-8) == doctest::Approx(1e-8 / std::sqrt(2.0)).epsilon(1e-4));
}

TEST_CASE("a lead that rounding explains proves nothing") {
  CHECK(radius_at(1, 1e-15) == 0);
  CHECK(radius_at(1e6, 1e-9) == 0);
}

// Two atoms with k(a, b) = 1 - 1e-9. As floats all their values are 1, and the difference is 0.
TEST_CASE("the products of an example under a kernel have no rounding of floats") {
  // Three blocks of five training atoms. The example has atoms 2 and 3. One weight is linear.
  const KernelLayout layout{9, {4, 9}, 0, 3, 28};
  constexpr double near = 1 - 1e-9;
  Vector zeros(static_cast<std::size_t>(layout.dimension()), 0.0);
  SparseSum sum(layout.dimension());
  const ExampleProduct product(ExampleKernel(layout, {2, 4}, {1, near, near, 1}), zeros, sum);
  const SparseVector difference{{7, 8}, {3, -3}};
  CHECK(product.norm(difference) == doctest::Approx(3 * std::sqrt(2e-9)).epsilon(1e-6));
  CHECK(product.norm(difference) >= 3 * std::sqrt(2 * (1 - near)));
  // |a|^2 of blocks 0 and 2, and the linear part.
  const SparseVector a{{2, 13, 15}, {2, -1, 5}};
  CHECK(product.norm(a) == doctest::Approx(std::sqrt(4 + 1 + 25)));
  const std::vector<SparseVector> others{{{3, 12}, {1, 1}}, {{15}, {2}}, {{8}, {1}}};
  CHECK(product.products(a, others) == std::vector<double>{2 * near - near, 10, 0});
  CHECK(zeros == Vector(zeros.size(), 0.0));
}
