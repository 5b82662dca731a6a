// What is told of probabilities is looked at: what is no number is refused, what changes under
// --guard too. Whether the sums are right is a matter of tests/abi.

#include "problem/oracle/expectations.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/problem/telling.hpp"

namespace sculpt::core {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

const std::vector<const sculpt_component*>& both_tellers() {
  static const std::vector<const sculpt_component*> both = {&toy_oracle(), &toy_map_solver()};
  return both;
}

Refusal mean_refusal(const sculpt_component& oracle, bool guard = false) {
  Telling telling(oracle, guard);
  return refusal_of([&] { telling.mean(); });
}
Refusal covariance_refusal(const sculpt_component& oracle, bool guard = false) {
  Telling telling(oracle, guard);
  return refusal_of([&] { telling.covariance(); });
}

TEST_CASE("a map_solver tells in theta what an oracle tells in w") {
  plan_telling();
  Telling oracle(toy_oracle());
  Telling solver(toy_map_solver());
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

TEST_CASE("a log Z that is no number is refused in the name of who says so") {
  for (const sculpt_component* oracle : both_tellers()) {
    const std::string name = oracle == &toy_oracle() ? "all" : "search";
    for (const double wrong : {not_a_number, infinity}) {
      plan_telling();
      toy_plan().bend_mean = [&](double& log_z, std::vector<double>&) { log_z = wrong; };
      const Refusal refusal = mean_refusal(*oracle);
      CHECK(refusal.exit == Exit::plugin);
      CHECK(refusal.text ==
            name + ": example 0: says that log Z is " + std::to_string(wrong) +
                "; it must be a number, or minus infinity where there is no output");
    }
  }
}

TEST_CASE("a log Z that is no number is refused before the cells that follow from it") {
  plan_telling();
  toy_plan().bend_mean = [](double& log_z, std::vector<double>& mu) {
    log_z = infinity;
    mu.assign(mu.size(), not_a_number);
  };
  CHECK(mean_refusal(toy_map_solver()).says("search: example 0: says that log Z is inf;"));
}

TEST_CASE("what a map_solver leaves unwritten, or is no number, is refused in its name") {
  struct Fault {
    std::string text;
    std::function<void(std::vector<double>& cells)> make;
  };
  const std::vector<Fault> faults = {
      {"NaN in cell 17", [](auto& cells) { cells.resize(17); }},
      {"NaN in cell 0", [](auto& cells) { cells.clear(); }},
      {"NaN in cell 4", [](auto& cells) { cells[4] = not_a_number; }},
      {"infinite in cell 4", [](auto& cells) { cells[4] = -infinity; }}};
  // Three labels at each of three positions, and nine pairs.
  const std::string advice = " of theta; it must write a number into each of the 18 cells";
  for (const Fault& fault : faults) {
    plan_telling();
    toy_plan().bend_mean = [&](double&, std::vector<double>& mu) { fault.make(mu); };
    toy_plan().bend_covariance = [&](std::vector<double>& product) { fault.make(product); };
    const Refusal of_mean = mean_refusal(toy_map_solver());
    CHECK(of_mean.exit == Exit::plugin);
    CHECK(of_mean.text == "search: example 0: says that E[z] is " + fault.text + advice);
    const Refusal of_product = covariance_refusal(toy_map_solver());
    CHECK(of_product.exit == Exit::plugin);
    CHECK(of_product.text == "search: example 0: says that Cov[z] v is " + fault.text + advice);
  }
}

TEST_CASE("where there is no output the mean is empty, whatever is written") {
  for (const sculpt_component* oracle : both_tellers()) {
    for (const bool guard : {false, true}) {
      for (const bool writes : {false, true}) {
        CAPTURE(oracle->id);
        CAPTURE(guard);
        CAPTURE(writes);
        plan_telling();
        std::int64_t asked_about = -1;
        toy_plan().trouble = [&](const std::string&, std::int64_t example) {
          if (example >= 0) asked_about = example;
          return SCULPT_OK;
        };
        toy_plan().bend_mean = [&](double& log_z, std::vector<double>& mean) {
          if (asked_about != 1) return;
          log_z = -infinity;
          if (!writes) mean.clear();
        };
        Telling telling(*oracle, guard);
        const MeanExpectation joint = telling.mean();
        const Expectation some = telling.mean_of(0);
        const Expectation none = telling.mean_of(1);
        CHECK(none.log_z == -infinity);
        CHECK(none.mean == SparseVector{});
        CHECK(joint.log_z == std::vector<double>{some.log_z, -infinity});
        CHECK(some.mean.index.size() == 18);  // three rows of observations, and the transitions
        SparseVector half = entries_of(joint.mean);
        for (double& value : half.value) value *= 2;
        CHECK(half == some.mean);
        toy_plan() = {};
      }
    }
  }
}

TEST_CASE("an oracle without outputs is no fault of it") {
  plan_telling();
  toy_plan().training = {{{}, {}}, {{3, 1}, {2, 1}}};
  toy_plan().leaves_out_truth = true;  // the first has no other output
  const MeanExpectation told = Telling(toy_oracle()).mean();
  CHECK(told.log_z[0] == -infinity);
  CHECK(told.log_z[1] == doctest::Approx(std::log(8.0)));
}

TEST_CASE("under guard an expectation that is another the second time is refused") {
  int calls = 0;
  using Spoil = std::function<void(double&, std::vector<double>&)>;
  const std::vector<Spoil> spoils = {[](double& log_z, auto&) { log_z += 1e-12; },
                                     [](double&, auto& mean) { mean[0] += 1e-12; }};
  const std::string text =
      "example 0: its expectation at the same weights is another when it is asked for again";
  for (const sculpt_component* oracle : both_tellers()) {
    const std::string said = (oracle == &toy_oracle() ? "all: " : "search: ") + text;
    for (const Spoil& spoil : spoils) {
      plan_telling();
      calls = 0;
      toy_plan().bend_mean = [&](double& log_z, std::vector<double>& mean) {
        if (++calls == 2) spoil(log_z, mean);
      };
      const Refusal refusal = mean_refusal(*oracle, true);
      CHECK(refusal.exit == Exit::plugin);
      CHECK(refusal.text == said);
      calls = 0;
      CHECK(mean_refusal(*oracle, false).text == "(accepted)");
    }
    plan_telling();
    calls = 0;
    toy_plan().bend_covariance = [&](std::vector<double>& product) {
      if (++calls == 2) product[0] += 1e-12;
    };
    const Refusal refusal = covariance_refusal(*oracle, true);
    CHECK(refusal.exit == Exit::plugin);
    CHECK(refusal.text == said);
    calls = 0;
    CHECK(covariance_refusal(*oracle, false).text == "(accepted)");
    toy_plan() = {};
  }
}

TEST_CASE("an expectation that stays the same is asked for twice under guard and is not changed") {
  for (const sculpt_component* oracle : both_tellers()) {
    plan_telling();
    Telling plain(*oracle);
    Telling guarded(*oracle, true);
    const MeanExpectation mean = plain.mean();
    const Vector product = plain.covariance();
    int calls = 0;
    toy_plan().bend_mean = [&](double&, std::vector<double>&) { ++calls; };
    toy_plan().bend_covariance = [&](std::vector<double>&) { ++calls; };
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
