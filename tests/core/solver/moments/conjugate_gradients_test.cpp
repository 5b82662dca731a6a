// ConjugateGradients on several systems of one matrix: known directions give the same solutions in
// fewer steps, also after loading.

#include "solver/moments/conjugate_gradients.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "core/memory_state.hpp"
#include "core/refusal.hpp"
#include "core/solver/crf/enumerated_problem.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr double target = 1e-9;
constexpr std::size_t many_bytes = std::size_t{1} << 20;

// Systems of one positive definite matrix, with eigenvalues of several sizes.
struct Systems {
  explicit Systems(int size) : source(static_cast<std::size_t>(size)), random(5) {
    Eigen::MatrixXd factor(size, size);
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) factor(i, j) = normal(random) * std::pow(0.8, j);
    }
    A = factor * factor.transpose() + 1e-3 * Eigen::MatrixXd::Identity(size, size);
  }
  Vector right_side() {
    Vector c(static_cast<std::size_t>(A.rows()));
    for (double& one : c) one = normal(random);
    return c;
  }
  Eigen::VectorXd product(const Vector& v) const {
    return A * Eigen::Map<const Eigen::VectorXd>(v.data(), A.rows());
  }
  // Solves A x = c. Returns the number of products.
  int solve(ConjugateGradients& steps, const Vector& c) const {
    int products = 0;
    steps.begin(c);
    while (!steps.has_reached(target) && !steps.is_stuck()) {
      steps.advance(target, [&](const Vector& v, Vector& out) {
        const Eigen::VectorXd found = product(v);
        out.assign(found.begin(), found.end());
        ++products;
        return true;
      });
    }
    return products;
  }
  double error(const Vector& x, const Vector& c) const {
    const Eigen::Map<const Eigen::VectorXd> right(c.data(), A.rows());
    return (product(x) - right).norm() / right.norm();
  }

  EnumeratedExpectations source;
  std::mt19937_64 random;
  std::normal_distribution<double> normal;
  Eigen::MatrixXd A;
};

}  // namespace

TEST_CASE("known directions give the same solutions in fewer and fewer steps") {
  Systems systems(40);
  ConjugateGradients alone(systems.source, 1e-3);
  ConjugateGradients together(systems.source, 1e-3, many_bytes);
  ConjugateGradients some(systems.source, 1e-3, 2 * 40 * sizeof(double) * 10);
  int first = 0;
  for (int k = 0; k < 8; ++k) {
    CAPTURE(k);
    const Vector c = systems.right_side();
    const int steps_alone = systems.solve(alone, c);
    const int steps_together = systems.solve(together, c);
    const int steps_of_some = systems.solve(some, c);
    if (k == 0) first = steps_alone;
    if (k > 0) CHECK(steps_together < steps_alone);
    if (k > 3) CHECK(steps_together < first / 4);
    if (k > 0) CHECK(steps_of_some < steps_alone);
    for (const ConjugateGradients* const steps : {&alone, &together, &some}) {
      CHECK(steps->has_reached(target));
      CHECK(systems.error(steps->x(), c) <= 1.01 * target);
    }
  }
}

TEST_CASE("known directions are saved, and the loaded ones take the same steps") {
  Systems systems(20);
  ConjugateGradients whole(systems.source, 1e-3, many_bytes);
  systems.solve(whole, systems.right_side());
  StateBuffer buffer;
  whole.save_known(buffer);
  const std::string state(buffer.bytes());
  ConjugateGradients loaded(systems.source, 1e-3, many_bytes);
  MemoryReader reader(state);
  loaded.load_known(reader, 20);
  const Vector c = systems.right_side();
  CHECK(systems.solve(whole, c) == systems.solve(loaded, c));
  CHECK(whole.x() == loaded.x());
  ConjugateGradients small(systems.source, 1e-3, 100);
  CHECK(refusal_of([&] {
          MemoryReader again(state);
          small.load_known(again, 20);
        }).exit == Exit::data);
  CHECK(refusal_of([&] {
          MemoryReader again(state);
          loaded.load_known(again, 19);
        }).exit == Exit::data);
}

TEST_CASE("a right side within known directions needs one product, to confirm") {
  Systems systems(10);
  ConjugateGradients steps(systems.source, 1e-3, many_bytes);
  const Vector c = systems.right_side();
  CHECK(systems.solve(steps, c) > 5);
  CHECK(systems.solve(steps, c) == 1);
  CHECK(systems.solve(steps, Vector(10, 0.0)) <= 1);
}
