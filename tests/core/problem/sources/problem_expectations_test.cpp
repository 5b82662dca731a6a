// Expectations that a Problem offers to solvers: the weights of the queries, and the oracle that is
// called.

#include "problem/sources/problem_expectations.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/problem/expectation_problem.hpp"
#include "problem/plugin/fenced_pages.hpp"

namespace sculpt::core {
namespace {

// True if the process may write to this address. Then the value is 0 afterwards.
bool is_writable(const double* at) {
  const int zeros = ::open("/dev/zero", O_RDONLY);
  REQUIRE(zeros >= 0);
  const ssize_t count = ::read(zeros, const_cast<double*>(at), sizeof *at);
  const bool refused = count < 0 && errno == EFAULT;
  ::close(zeros);
  REQUIRE((refused || count == sizeof *at));
  return !refused;
}

Pass pass_with_loss() {
  Pass pass(1);
  pass.loss_weight = 1;
  return pass;
}

void check_equal(const Vector& found, const Vector& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t j = 0; j < found.size(); ++j) {
    CHECK(found[j] == doctest::Approx(expected[j]).epsilon(1e-12));
  }
}

// log Z of three positions at w = 0 with loss_weight 1.
const double log_z_of_errors = 3 * std::log(1 + 2 * std::exp(1.0));

TEST_CASE("weights and directions cannot be written to under guard") {
  for (const bool guard : {false, true}) {
    CAPTURE(guard);
    plan_expectations();
    int seen = 0;
    toy_plan().observe_weights = [&](const sculpt_weights& weights) {
      ++seen;
      REQUIRE(weights.size == 21);
      CHECK(weights.data[20] == (seen % 2 == 1 ? 3 : 0.5));  // w, the direction, w, ...
      CHECK(is_writable(weights.data) != guard);
      CHECK(FencedPages::fault_at(weights.data).has_value() == guard);
    };
    ExpectationProblem problem(toy_oracle(), guard);
    Vector w = zero_weights();
    w[20] = 3;
    problem.set_weights(w);
    problem.covariance();
    CHECK(seen == (guard ? 8 : 4));
    toy_plan().observe_weights = [&](const sculpt_weights& weights) {
      ++seen;
      CHECK(weights.data[20] == 3);
      CHECK(is_writable(weights.data) != guard);
    };
    seen = 0;
    problem.mean();
    CHECK(seen == (guard ? 4 : 2));
    toy_plan() = {};
  }
}

TEST_CASE("weights and directions of another dimension are an error of the solver") {
  plan_expectations();
  const auto check = [](const Refusal& refusal) {
    CHECK(refusal.exit == Exit::internal);
    CHECK(refusal.says("the solver passes 2"));  // 20 or 22
    CHECK(
        refusal.says(" weights, but the problem has 21; report this to the author of the solver"));
  };
  ExpectationProblem problem(toy_oracle());
  ExpectationSource& source = problem.source();
  const Vector w = zero_weights();
  std::vector<Expectation> each;
  MeanExpectation joint;
  Vector product;
  for (const std::size_t size : {std::size_t{20}, std::size_t{22}}) {
    const Vector other(size, 0.0);
    check(refusal_of([&] { source.compute_expectations(other, first(2), 1, each); }));
    check(refusal_of([&] { source.compute_mean_expectation(other, 1, joint); }));
    check(refusal_of([&] { source.covariance_times(other, w, 1, product); }));
    check(refusal_of([&] { source.covariance_times(w, other, 1, product); }));
  }
}

TEST_CASE("products with the deviations of the truths are those of each example") {
  for (const bool guard : {false, true}) {
    for (const auto* oracle : {&toy_oracle(), &toy_map_solver()}) {
      CAPTURE(guard);
      plan_expectations();
      toy_plan().weights = {2, 0.5};
      ExpectationProblem problem(*oracle, guard);
      Vector v = zero_weights();
      for (std::size_t j = 0; j < v.size(); ++j) v[j] = std::sin(1 + static_cast<double>(j));
      for (const std::int64_t first_example : {0, 1, 2}) {
        Vector expected = zero_weights();
        for (std::int64_t example = first_example; example < 2; ++example) {
          const double weight = toy_plan().weights[static_cast<std::size_t>(example)];
          Vector b = problem.truth_of(example);
          for (double& one : b) one /= weight;
          axpy(-1, problem.mean_of(example).mean, b);
          check_equal(problem.truth_deviation_of(example), b);
          axpy(weight * dot(v, b) / 2, std::span<const double>(b), expected);
        }
        CHECK((squared_norm(expected) > 0.01) == (first_example < 2));
        check_equal(problem.truth_deviations(v, first_example), expected);
      }
      toy_plan() = {};
    }
  }
}

TEST_CASE("a scale of the weights other than 1 is an error of the solver") {
  plan_expectations();
  const auto check = [](const Refusal& refusal) {
    CHECK(refusal.exit == Exit::internal);
    CHECK(refusal.text ==
          "the solver requests expectations at a scale other than 1; report this to the author of "
          "the solver");
  };
  ExpectationProblem problem(toy_oracle());
  Pass pass(1);
  pass.scale = 0.5;
  std::vector<Expectation> each;
  check(refusal_of(
      [&] { problem.source().compute_expectations(zero_weights(), first(2), pass, each); }));
  check(refusal_of([&] { problem.mean(pass); }));
  check(refusal_of([&] { problem.covariance(pass); }));
}

TEST_CASE("only the last of several oracles is called for expectations") {
  for (const bool solver_last : {false, true}) {
    plan_expectations();
    std::vector<const sculpt_component*> oracles = {&toy_map_solver(), &toy_oracle()};
    if (solver_last) std::swap(oracles.front(), oracles.back());
    ExpectationProblem problem(oracles);
    CHECK(problem.obstacle().empty());
    int oracle_calls = 0;
    int solver_calls = 0;
    toy_plan().inject_error = [&](const std::string& function, std::int64_t) {
      oracle_calls += function.starts_with("oracle.") ? 1 : 0;
      solver_calls += function.starts_with("map_solver.") ? 1 : 0;
      return SCULPT_OK;
    };
    CHECK(problem.mean().log_z[0] == doctest::Approx(std::log(27.0)));
    problem.covariance();
    CHECK(oracle_calls == (solver_last ? 0 : 4));
    CHECK(solver_calls == (solver_last ? 4 : 0));
    toy_plan() = {};
  }
}

TEST_CASE("only the last of several oracles must offer expectations") {
  plan_expectations();  // toy_parallel_oracle() offers none
  CHECK(ExpectationProblem({&toy_parallel_oracle(), &toy_oracle()}).obstacle().empty());
  CHECK(ExpectationProblem({&toy_oracle(), &toy_parallel_oracle()}).obstacle() ==
        "together offers no probabilities (sculpt.expectation/1)");
  CHECK(ExpectationProblem({&toy_map_solver(), &toy_parallel_oracle()}).obstacle() ==
        "together offers no probabilities (sculpt.expectation/1)");
}

TEST_CASE("only the last of several oracles must support a loss in expectations") {
  toy_plan() = three_positions();  // map_solvers cannot take its loss
  toy_plan().offers_expectations = true;
  ExpectationProblem oracle_last({&toy_map_solver(), &toy_oracle()});
  CHECK(oracle_last.mean(pass_with_loss()).log_z[0] == doctest::Approx(log_z_of_errors));
  ExpectationProblem solver_last({&toy_oracle(), &toy_map_solver()});
  CHECK(solver_last.mean().log_z[0] == doctest::Approx(std::log(27.0)));
  const Refusal refusal = refusal_of([&] { solver_last.mean(pass_with_loss()); });
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.text ==
        "the solver's loss_weight: search needs a loss that splits over factors; errors does not "
        "(sculpt.factor-loss/1); use another loss or oracle");
  toy_plan() = {};
}

}  // namespace
}  // namespace sculpt::core
