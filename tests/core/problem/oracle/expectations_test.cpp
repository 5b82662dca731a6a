// Checks of expectations: values that are not finite are refused, and under --guard also values
// that change. Whether the sums are right is tested in tests/abi.

#include "problem/oracle/expectations.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/problem/expectation_problem.hpp"

namespace sculpt::core {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

const std::vector<const sculpt_component*>& both_oracles() {
  static const std::vector<const sculpt_component*> both = {&toy_oracle(), &toy_map_solver()};
  return both;
}

Refusal mean_refusal(const sculpt_component& oracle, bool guard = false) {
  ExpectationProblem problem(oracle, guard);
  return refusal_of([&] { problem.mean(); });
}
Refusal covariance_refusal(const sculpt_component& oracle, bool guard = false) {
  ExpectationProblem problem(oracle, guard);
  return refusal_of([&] { problem.covariance(); });
}

TEST_CASE("the expectations of a map_solver over theta are those of an oracle over w") {
  plan_expectations();
  ExpectationProblem oracle(toy_oracle());
  ExpectationProblem solver(toy_map_solver());
  oracle.set_weights(random_weights(7));
  solver.set_weights(random_weights(7));
  for (const double loss_weight : {0.0, 1.0}) {
    Pass pass(1);
    pass.loss_weight = loss_weight;
    const MeanExpectation one = oracle.mean(pass);
    const MeanExpectation other = solver.mean(pass);
    const Vector one_product = oracle.covariance(pass);
    const Vector other_product = solver.covariance(pass);
    for (std::size_t i = 0; i < 2; ++i) CHECK(one.log_z[i] == doctest::Approx(other.log_z[i]));
    for (std::size_t j = 0; j < one.mean.size(); ++j) {
      CHECK(one.mean[j] == doctest::Approx(other.mean[j]));
      CHECK(one_product[j] == doctest::Approx(other_product[j]));
    }
  }
}

TEST_CASE("a log Z that is not finite is refused with the name of its component") {
  for (const sculpt_component* oracle : both_oracles()) {
    const std::string name = oracle == &toy_oracle() ? "all" : "search";
    for (const double wrong : {not_a_number, infinity}) {
      plan_expectations();
      toy_plan().change_mean = [&](double& log_z, std::vector<double>&) { log_z = wrong; };
      const Refusal refusal = mean_refusal(*oracle);
      CHECK(refusal.exit == Exit::plugin);
      CHECK(refusal.text ==
            name + ": example 0: returns " + std::to_string(wrong) +
                " for log Z; it must be finite, or minus infinity if there is no output");
    }
  }
}

TEST_CASE("a log Z without EXACT is an approximation, also that of one of several examples") {
  for (const sculpt_component* oracle : both_oracles()) {
    plan_expectations();
    CHECK(ExpectationProblem(*oracle).mean().is_exact);
    toy_plan().log_z_flags = 0;
    ExpectationProblem problem(*oracle);
    CHECK_FALSE(problem.mean().is_exact);
    CHECK_FALSE(problem.mean_of(0).log_z.is_exact);
    toy_plan().change_mean = [&](double&, std::vector<double>&) {
      toy_plan().log_z_flags = toy_plan().log_z_flags == 0 ? SCULPT_LOG_Z_EXACT : 0;
    };
    CHECK_FALSE(problem.mean().is_exact);
    toy_plan() = {};
  }
}

TEST_CASE("a log Z with unknown flags is refused") {
  for (const sculpt_component* oracle : both_oracles()) {
    plan_expectations();
    toy_plan().log_z_flags = 2;
    const Refusal refusal = mean_refusal(*oracle);
    CHECK(refusal.exit == Exit::plugin);
    CHECK(refusal.says("gives log Z with flags that this host does not know"));
    toy_plan() = {};
  }
}

TEST_CASE("a log Z that is not finite is refused before the cells that depend on it") {
  plan_expectations();
  toy_plan().change_mean = [](double& log_z, std::vector<double>& mu) {
    log_z = infinity;
    mu.assign(mu.size(), not_a_number);
  };
  CHECK(mean_refusal(toy_map_solver()).says("search: example 0: returns inf for log Z;"));
}

TEST_CASE("cells of a map_solver that are unset or not finite are refused with its name") {
  struct Fault {
    std::string value;
    std::string cell;
    std::function<void(std::vector<double>& cells)> make;
  };
  const std::vector<Fault> faults = {
      {"NaN", "17", [](auto& cells) { cells.resize(17); }},
      {"NaN", "0", [](auto& cells) { cells.clear(); }},
      {"NaN", "4", [](auto& cells) { cells[4] = not_a_number; }},
      {"an infinity", "4", [](auto& cells) { cells[4] = -infinity; }}};
  // Three labels at each of three positions, and nine pairs.
  const std::string advice = " of theta; it must write a finite number into each of the 18 cells";
  for (const Fault& fault : faults) {
    plan_expectations();
    toy_plan().change_mean = [&](double&, std::vector<double>& mu) { fault.make(mu); };
    toy_plan().change_covariance = [&](std::vector<double>& product) { fault.make(product); };
    const Refusal refusal_of_mean = mean_refusal(toy_map_solver());
    CHECK(refusal_of_mean.exit == Exit::plugin);
    CHECK(refusal_of_mean.text ==
          "search: example 0: returns " + fault.value + " for E[z] in cell " + fault.cell + advice);
    const Refusal refusal_of_product = covariance_refusal(toy_map_solver());
    CHECK(refusal_of_product.exit == Exit::plugin);
    CHECK(refusal_of_product.text == "search: example 0: returns " + fault.value +
                                         " for Cov[z] v in cell " + fault.cell + advice);
  }
}

TEST_CASE("the mean of an example without an output is empty, whatever is written") {
  for (const sculpt_component* oracle : both_oracles()) {
    for (const bool guard : {false, true}) {
      for (const bool writes : {false, true}) {
        CAPTURE(oracle->id);
        CAPTURE(guard);
        CAPTURE(writes);
        plan_expectations();
        std::int64_t current_example = -1;
        toy_plan().inject_error = [&](const std::string&, std::int64_t example) {
          if (example >= 0) current_example = example;
          return SCULPT_OK;
        };
        toy_plan().change_mean = [&](double& log_z, std::vector<double>& mean) {
          if (current_example != 1) return;
          log_z = -infinity;
          if (!writes) mean.clear();
        };
        ExpectationProblem problem(*oracle, guard);
        const MeanExpectation joint = problem.mean();
        const Expectation some = problem.mean_of(0);
        const Expectation none = problem.mean_of(1);
        CHECK(none.log_z.value == -infinity);
        CHECK(none.mean == SparseVector{});
        CHECK(joint.log_z == std::vector<double>{some.log_z.value, -infinity});
        CHECK(some.mean.index.size() == 18);  // three rows of observations, and the transitions
        SparseVector half = entries_of(joint.mean);
        for (double& value : half.value) value *= 2;
        CHECK(half == some.mean);
        toy_plan() = {};
      }
    }
  }
}

TEST_CASE("an oracle may have no output for an example") {
  plan_expectations();
  toy_plan().training = {{{}, {}}, {{3, 1}, {2, 1}}};
  toy_plan().leaves_out_truth = true;  // the first has no other output
  const MeanExpectation joint = ExpectationProblem(toy_oracle()).mean();
  CHECK(joint.log_z[0] == -infinity);
  CHECK(joint.log_z[1] == doctest::Approx(std::log(8.0)));
}

TEST_CASE("under guard an expectation that differs in a second call is refused") {
  int calls = 0;
  using Change = std::function<void(double&, std::vector<double>&)>;
  const std::vector<Change> changes = {[](double& log_z, auto&) { log_z += 1e-12; },
                                       [](double&, auto& mean) { mean[0] += 1e-12; }};
  const std::string text =
      "example 0: its expectation at the same weights differs in a second call";
  for (const sculpt_component* oracle : both_oracles()) {
    const std::string message = (oracle == &toy_oracle() ? "all: " : "search: ") + text;
    for (const Change& change : changes) {
      plan_expectations();
      calls = 0;
      toy_plan().change_mean = [&](double& log_z, std::vector<double>& mean) {
        if (++calls == 2) change(log_z, mean);
      };
      const Refusal refusal = mean_refusal(*oracle, true);
      CHECK(refusal.exit == Exit::plugin);
      CHECK(refusal.text == message);
      calls = 0;
      CHECK(mean_refusal(*oracle, false).text == "(accepted)");
    }
    plan_expectations();
    calls = 0;
    toy_plan().change_covariance = [&](std::vector<double>& product) {
      if (++calls == 2) product[0] += 1e-12;
    };
    const Refusal refusal = covariance_refusal(*oracle, true);
    CHECK(refusal.exit == Exit::plugin);
    CHECK(refusal.text == message);
    calls = 0;
    CHECK(covariance_refusal(*oracle, false).text == "(accepted)");
    toy_plan() = {};
  }
}

TEST_CASE("under guard an expectation is computed twice and is not changed") {
  for (const sculpt_component* oracle : both_oracles()) {
    plan_expectations();
    ExpectationProblem plain(*oracle);
    ExpectationProblem guarded(*oracle, true);
    const MeanExpectation mean = plain.mean();
    const Vector product = plain.covariance();
    int calls = 0;
    toy_plan().change_mean = [&](double&, std::vector<double>&) { ++calls; };
    toy_plan().change_covariance = [&](std::vector<double>&) { ++calls; };
    const MeanExpectation again = guarded.mean();
    CHECK(calls == 4);
    CHECK(again.log_z == mean.log_z);
    CHECK(again.mean == mean.mean);
    CHECK(guarded.covariance() == product);
    CHECK(calls == 8);
    toy_plan() = {};
  }
}

}  // namespace
}  // namespace sculpt::core
