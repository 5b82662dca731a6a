// perceptron and subgradient on examples with weights, against the same steps written out here.

#include <doctest/doctest.h>

#include <algorithm>

#include "core/problem/weighted_plan.hpp"
#include "core/solver/listed_problem.hpp"
#include "solver/online/perceptron.hpp"
#include "solver/online/subgradient.hpp"

using namespace sculpt::core;

namespace {

constexpr std::int64_t passes = 6;

// Examples in the order of the data, one at a time.
template <class Options>
Options one_by_one(const Formulation& formulation) {
  Options options;
  options.formulation = formulation;
  options.order = ExampleOrder::sequential;
  options.batch = 1;
  options.evaluate_every = 0;
  options.stop.max_passes = passes;
  return options;
}

Result train_online(Solver& solver, const Formulation& formulation) {
  Problem problem(toy_spec(toy_oracle(), formulation), Purpose::training, 2, {});
  ProblemPlanes source(problem, 1);
  test::Recorder recorder;
  return solver.solve(source, recorder, {});
}

// Calls step(example, weight, z) for each example of each pass. z is the sum of the steps. Returns
// the mean of z before the first step and after each.
template <class Step>
Vector mean_of_steps(const Step& step) {
  Vector z = zero_weights();
  Vector sum = zero_weights();
  double count = 1;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i < toy_plan().training.size(); ++i, ++count) {
      step(toy_plan().training[i], toy_plan().weights[i], count, z);
      for (std::size_t j = 0; j < z.size(); ++j) sum[j] += z[j];
    }
  }
  for (double& value : sum) value /= count;
  return sum;
}

void add_step(const ListedPlane& plane, double factor, Vector& z) {
  for (const auto& [index, value] : plane.a) z[static_cast<std::size_t>(index)] += factor * value;
}

void check_weights(const Vector& w, const Vector& expected) {
  double largest = 0;
  for (std::size_t j = 0; j < expected.size(); ++j) {
    CHECK(w[j] == doctest::Approx(expected[j]).epsilon(1e-9));
    largest = std::max(largest, std::abs(expected[j]));
  }
  CHECK(largest > 0.01);
}

}  // namespace

TEST_CASE("a step of the perceptron is the difference of features times the weight") {
  toy_plan() = weighted_toy({2, 0, 0.5, 3, 1, 0.25, 10, 1}, 12);
  PerceptronOptions options = one_by_one<PerceptronOptions>({});
  options.loss_weight = 1;
  Perceptron solver(options);
  const Result result = train_online(solver, options.formulation);
  const Vector expected =
      mean_of_steps([](const ToyExample& example, double weight, double, Vector& z) {
        if (weight == 0) return;
        const auto planes = all_planes(example, z, {});
        const auto first_best = std::find_if(planes.begin(), planes.end(), [&](const auto& plane) {
          return plane.violation >= largest_violation(planes) - 1e-9;
        });
        if (first_best->violation >= 0) add_step(*first_best, weight, z);
      });
  check_weights(result.w, expected);
  CHECK(result.primal == doctest::Approx(weighted_primal(result.w, {})).epsilon(1e-10));
}

// w_t = C/t z_t. Norm 1: z += c a. Norm 2: z += c xi / (1 + c C/t ||a||^2) a.
TEST_CASE("a step of subgradient has the weight in the slack's cost, in both norms") {
  for (const Rescaling rescaling : {Rescaling::margin, Rescaling::slack}) {
    for (const int norm : {1, 2}) {
      CAPTURE(norm);
      const Formulation formulation{rescaling, norm, 2};
      toy_plan() = weighted_toy({2, 0, 0.5, 3, 1, 0.25, 10, 1}, 12);
      Subgradient solver(one_by_one<SubgradientOptions>(formulation));
      const Result result = train_online(solver, formulation);
      double steps = 0;
      Vector expected =
          mean_of_steps([&](const ToyExample& example, double weight, double t, Vector& z) {
            Vector w = z;
            for (double& value : w) value *= formulation.C / std::max(1.0, steps);
            ++steps;
            const auto planes = all_planes(example, w, formulation);
            const double slack = largest_violation(planes);
            if (slack <= 0) return;
            const auto worst = std::find_if(planes.begin(), planes.end(), [&](const auto& plane) {
              return plane.violation >= slack - 1e-9;
            });
            double squared_norm = 0;
            for (const auto& [index, value] : worst->a) squared_norm += value * value;
            const double cost =
                norm == 1 ? 1 : slack / (1 + weight * formulation.C / t * squared_norm);
            add_step(*worst, weight * cost, z);
          });
      for (double& value : expected) value *= 2 * formulation.C / steps;
      check_weights(result.w, expected);
      CHECK(result.primal ==
            doctest::Approx(weighted_primal(result.w, formulation)).epsilon(1e-10));
    }
  }
}
