#include "solver/options.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "failure.hpp"
#include "solver/solver.hpp"

using namespace sculpt::core;

namespace {

// The values of an experiment that sets nothing, as the host's checker makes them.
std::vector<sculpt_value> defaults(std::span<const sculpt_parameter> table) {
  std::vector<sculpt_value> values;
  for (const sculpt_parameter& parameter : table) {
    sculpt_value value{};
    value.type = parameter.type;
    value.is_default = 1;
    if (std::strcmp(parameter.fallback, "null") == 0) {
      value.real = std::numeric_limits<double>::quiet_NaN();
      value.integer = -1;
    } else if (parameter.type != SCULPT_PARAMETER_CHOICE) {
      value.real = std::stod(parameter.fallback);
      value.integer = static_cast<std::int64_t>(value.real);
    }
    values.push_back(value);
  }
  return values;
}

std::size_t place_of(std::span<const sculpt_parameter> table, const char* name) {
  for (std::size_t k = 0; k < table.size(); ++k) {
    if (std::strcmp(table[k].name, name) == 0) return k;
  }
  FAIL("no parameter " << name);
  return 0;
}

}  // namespace

TEST_CASE("the declared defaults are those of the option structs") {
  const NSlackOptions n_slack = n_slack_options(defaults(n_slack_parameters()));
  CHECK(n_slack.formulation.C == NSlackOptions().formulation.C);
  CHECK(n_slack.formulation.slack_norm == NSlackOptions().formulation.slack_norm);
  CHECK(n_slack.formulation.rescaling == NSlackOptions().formulation.rescaling);
  CHECK(n_slack.separation_floor == NSlackOptions().separation_floor);
  CHECK(n_slack.qp_fraction == NSlackOptions().qp_fraction);
  CHECK(n_slack.batch == NSlackOptions().batch);
  CHECK(n_slack.frozen_below == NSlackOptions().frozen_below);
  CHECK(n_slack.stop.relative_gap == StopOptions().relative_gap);
  CHECK_FALSE(n_slack.stop.epsilon);
  CHECK_FALSE(n_slack.stop.max_passes);
  CHECK_FALSE(n_slack.stop.max_oracle_calls);
  CHECK_FALSE(n_slack.stop.max_seconds);
  const OneSlackOptions one_slack = one_slack_options(defaults(one_slack_parameters()));
  CHECK(one_slack.drop_after == OneSlackOptions().drop_after);
  CHECK(one_slack.qp_fraction == OneSlackOptions().qp_fraction);
}

TEST_CASE("every value reaches the option of its name") {
  const auto table = n_slack_parameters();
  std::vector<sculpt_value> values = defaults(table);
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k].real = static_cast<double>(k) + 0.5;
    values[k].integer = static_cast<std::int64_t>(k) + 100;
  }
  const auto real = [&](const char* name) { return values[place_of(table, name)].real; };
  const auto integer = [&](const char* name) { return values[place_of(table, name)].integer; };
  const NSlackOptions options = n_slack_options(values);
  CHECK(options.formulation.C == real("C"));
  CHECK(options.formulation.slack_norm == integer("slack_norm"));
  CHECK(options.separation_floor == real("separation_floor"));
  CHECK(options.qp_fraction == real("qp_fraction"));
  CHECK(options.frozen_below == real("frozen_below"));
  CHECK(options.batch == integer("batch"));
  CHECK(options.stop.relative_gap == real("relative_gap"));
  CHECK(options.stop.epsilon == real("epsilon"));
  CHECK(options.stop.max_seconds == real("max_seconds"));
  CHECK(options.stop.max_passes == integer("max_passes"));
  CHECK(options.stop.max_oracle_calls == integer("max_oracle_calls"));
}

TEST_CASE("rescaling, the norm of the slacks and an infinite C make the formulation") {
  const auto table = one_slack_parameters();
  for (const int choice : {0, 1}) {
    std::vector<sculpt_value> values = defaults(table);
    values[place_of(table, "rescaling")].integer = choice;
    values[place_of(table, "slack_norm")].integer = 2;
    values[place_of(table, "C")].real = std::numeric_limits<double>::infinity();
    const Formulation formulation = one_slack_options(values).formulation;
    CHECK(formulation.rescaling == (choice == 1 ? Rescaling::slack : Rescaling::margin));
    CHECK(formulation.slack_norm == 2);
    CHECK(formulation.hard_margin());
  }
  CHECK(std::string(table[place_of(table, "rescaling")].choices) == "margin|slack");
  CHECK(std::isinf(table[place_of(table, "C")].upper));
}

TEST_CASE("every solver is found by its name, declares sound parameters and can be made") {
  CHECK(find_solver("n_slack") != nullptr);
  CHECK(find_solver("one_slack") != nullptr);
  CHECK(find_solver("slack") == nullptr);
  for (const SolverKind& kind : solver_kinds()) {
    CHECK(find_solver(kind.name) == &kind);
    for (const sculpt_parameter& parameter : kind.parameters) {
      CAPTURE(parameter.name);
      REQUIRE(parameter.fallback != nullptr);
      CHECK(std::strlen(parameter.summary) > 10);
      if (parameter.type == SCULPT_PARAMETER_CHOICE) continue;
      if (std::strcmp(parameter.fallback, "null") == 0) continue;
      CHECK(std::stod(parameter.fallback) >= parameter.lower);
      CHECK(std::stod(parameter.fallback) <= parameter.upper);
    }
    CHECK(kind.create(defaults(kind.parameters)) != nullptr);
    CHECK_THROWS_AS(kind.create({}), Failure);
  }
}
