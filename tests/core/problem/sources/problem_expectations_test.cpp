// Expectations as a Problem offers them to solvers: at which weights they are asked for, and of
// which oracle.

#include "problem/sources/problem_expectations.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/problem/telling.hpp"

namespace sculpt::core {
namespace {

// Whether the process may write there; what is there is 0 afterwards.
bool is_writable(const double* at) {
  const int zeros = ::open("/dev/zero", O_RDONLY);
  REQUIRE(zeros >= 0);
  const ssize_t count = ::read(zeros, const_cast<double*>(at), sizeof *at);
  const bool refused = count < 0 && errno == EFAULT;
  ::close(zeros);
  REQUIRE((refused || count == sizeof *at));
  return !refused;
}

Pass weighing_loss() {
  Pass pass(1);
  pass.loss_weight = 1;
  return pass;
}

// log Z of three positions at w = 0, the loss weighing 1.
const double log_z_of_errors = 3 * std::log(1 + 2 * std::exp(1.0));

TEST_CASE("weights and directions cannot be written to under guard") {
  for (const bool guard : {false, true}) {
    CAPTURE(guard);
    plan_telling();
    int seen = 0;
    toy_plan().see_weights = [&](const sculpt_weights& weights) {
      ++seen;
      REQUIRE(weights.size == 21);
      CHECK(weights.data[20] == (seen % 2 == 1 ? 3 : 0.5));  // w, the direction, w, ...
      CHECK(is_writable(weights.data) != guard);
      CHECK((ReadOnlyWeights::fault_at(weights.data) != nullptr) == guard);
    };
    Telling telling(toy_oracle(), guard);
    Vector w(21, 0.0);
    w[20] = 3;
    telling.set_weights(w);
    telling.covariance();
    CHECK(seen == (guard ? 8 : 4));
    toy_plan().see_weights = [&](const sculpt_weights& weights) {
      ++seen;
      CHECK(weights.data[20] == 3);
      CHECK(is_writable(weights.data) != guard);
    };
    seen = 0;
    telling.mean();
    CHECK(seen == (guard ? 4 : 2));
    toy_plan() = {};
  }
}

TEST_CASE("weights and directions of another dimension are a bug of who asks") {
  plan_telling();
  const auto check = [](const Refusal& refusal) {
    CHECK(refusal.exit == Exit::internal);
    CHECK(refusal.says("the solver asks with 2"));  // 20 or 22
    CHECK(refusal.says(" weights, and there are 21; tell who wrote the solver"));
  };
  Telling telling(toy_oracle());
  ExpectationSource& source = telling.source();
  const Vector w(21, 0.0);
  std::vector<Expectation> each;
  MeanExpectation joint;
  Vector product;
  for (const std::size_t size : {std::size_t{20}, std::size_t{22}}) {
    const Vector other(size, 0.0);
    check(refusal_of([&] { source.expect(other, first(2), 1, each); }));
    check(refusal_of([&] { source.expect_jointly(other, 1, joint); }));
    check(refusal_of([&] { source.covariance_times(other, w, 1, product); }));
    check(refusal_of([&] { source.covariance_times(w, other, 1, product); }));
  }
}

TEST_CASE("a scale of the weights is a bug of who asks") {
  plan_telling();
  const auto check = [](const Refusal& refusal) {
    CHECK(refusal.exit == Exit::internal);
    CHECK(refusal.text == "a question about expectations at a scale other than 1");
  };
  Telling telling(toy_oracle());
  Pass pass(1);
  pass.scale = 0.5;
  std::vector<Expectation> each;
  check(refusal_of([&] { telling.source().expect(Vector(21, 0.0), first(2), pass, each); }));
  check(refusal_of([&] { telling.mean(pass); }));
  check(refusal_of([&] { telling.covariance(pass); }));
}

TEST_CASE("of several oracles the last one tells, and nobody else is asked") {
  for (const bool solver_last : {false, true}) {
    plan_telling();
    std::vector<const sculpt_component*> oracles = {&toy_map_solver(), &toy_oracle()};
    if (solver_last) std::swap(oracles.front(), oracles.back());
    Telling telling(oracles);
    CHECK(telling.obstacle().empty());
    int of_oracle = 0;
    int of_solver = 0;
    toy_plan().trouble = [&](const std::string& function, std::int64_t) {
      of_oracle += function.starts_with("oracle.") ? 1 : 0;
      of_solver += function.starts_with("map_solver.") ? 1 : 0;
      return SCULPT_OK;
    };
    CHECK(telling.mean().log_z[0] == doctest::Approx(std::log(27.0)));
    telling.covariance();
    CHECK(of_oracle == (solver_last ? 0 : 4));
    CHECK(of_solver == (solver_last ? 4 : 0));
    toy_plan() = {};
  }
}

TEST_CASE("of several oracles the last one alone has to offer expectations") {
  plan_telling();  // toy_parallel_oracle() offers none
  CHECK(Telling({&toy_parallel_oracle(), &toy_oracle()}).obstacle().empty());
  CHECK(Telling({&toy_oracle(), &toy_parallel_oracle()}).obstacle() ==
        "together offers no probabilities (sculpt.expectation/0)");
  CHECK(Telling({&toy_map_solver(), &toy_parallel_oracle()}).obstacle() ==
        "together offers no probabilities (sculpt.expectation/0)");
}

TEST_CASE("of several oracles the last one alone has to take the loss of expectations") {
  toy_plan() = three_positions();  // map_solvers cannot take its loss
  toy_plan().offers_expectations = true;
  Telling oracle_last({&toy_map_solver(), &toy_oracle()});
  CHECK(oracle_last.mean(weighing_loss()).log_z[0] == doctest::Approx(log_z_of_errors));
  Telling solver_last({&toy_oracle(), &toy_map_solver()});
  CHECK(solver_last.mean().log_z[0] == doctest::Approx(std::log(27.0)));
  const Refusal refusal = refusal_of([&] { solver_last.mean(weighing_loss()); });
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.text ==
        "the solver's loss_weight: search needs a loss that splits over factors; errors does not "
        "(sculpt.factor-loss/1)");
  toy_plan() = {};
}

}  // namespace
}  // namespace sculpt::core
