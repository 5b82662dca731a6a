// The parameters that each solver declares, and how they become options. The list of solvers.

#include "solver/options.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/refusal.hpp"
#include "experiment/checked_parameters.hpp"
#include "solver/catalogue/solver_list.hpp"
#include "solver/frank_wolfe/frank_wolfe.hpp"
#include "solver/generative/generative.hpp"
#include "solver/n_slack/n_slack.hpp"
#include "solver/one_slack/one_slack.hpp"
#include "solver/online/perceptron.hpp"
#include "solver/online/subgradient.hpp"
#include "solver/parameter_tables.hpp"

using namespace sculpt::core;

namespace {

// The values of an experiment with these keys in its section "solver".
CheckedParameters checked(std::span<const sculpt_parameter> table, const std::string& keys) {
  return {table, JsonDocument::parse(keys, {"x.json", "/data"}), "solver"};
}

NSlackOptions parse_n_slack(const std::string& keys) {
  return n_slack_options(checked(n_slack_descriptor().parameters, keys).values());
}
OneSlackOptions parse_one_slack(const std::string& keys) {
  return one_slack_options(checked(one_slack_descriptor().parameters, keys).values());
}

// A different value for each parameter. The values need not be in the allowed range.
std::vector<sculpt_value> distinct(std::span<const sculpt_parameter> table) {
  std::vector<sculpt_value> values(table.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k].type = table[k].type;
    values[k].real = static_cast<double>(k) + 0.5;
    values[k].integer = static_cast<std::int64_t>(k) + 100;
  }
  return values;
}

const sculpt_value& value_of(std::span<const sculpt_parameter> table,
                             const std::vector<sculpt_value>& values, const char* name) {
  std::size_t k = 0;
  while (k < table.size() && std::strcmp(table[k].name, name) != 0) ++k;
  REQUIRE_MESSAGE(k < table.size(), "no parameter ", name);
  return values[k];
}

void check_equal_options(const SolverOptions& a, const SolverOptions& b) {
  CHECK(a.formulation.rescaling == b.formulation.rescaling);
  CHECK(a.formulation.slack_norm == b.formulation.slack_norm);
  CHECK(a.formulation.C == b.formulation.C);
  CHECK(a.separation_floor == b.separation_floor);
  CHECK(a.qp_fraction == b.qp_fraction);
  CHECK(a.drop_after == b.drop_after);
  CHECK(a.stop.relative_gap == b.stop.relative_gap);
  CHECK(a.stop.epsilon == b.stop.epsilon);
  CHECK(a.stop.max_passes == b.stop.max_passes);
  CHECK(a.stop.max_oracle_calls == b.stop.max_oracle_calls);
  CHECK(a.stop.max_seconds == b.stop.max_seconds);
}

// Each shared option has the value of the parameter of its name.
void check_named(const SolverOptions& options, std::span<const sculpt_parameter> table,
                 const std::vector<sculpt_value>& values) {
  const auto real = [&](const char* name) { return value_of(table, values, name).real; };
  const auto integer = [&](const char* name) { return value_of(table, values, name).integer; };
  CHECK(options.formulation.C == real("C"));
  CHECK(options.formulation.slack_norm == integer("slack_norm"));
  CHECK(options.separation_floor == real("separation_floor"));
  CHECK(options.qp_fraction == real("qp_fraction"));
  CHECK(options.drop_after == integer("drop_after"));
  CHECK(options.stop.relative_gap == real("relative_gap"));
  CHECK(options.stop.epsilon == real("epsilon"));
  CHECK(options.stop.max_seconds == real("max_seconds"));
  CHECK(options.stop.max_passes == integer("max_passes"));
  CHECK(options.stop.max_oracle_calls == integer("max_oracle_calls"));
}

// n_slack and one_slack refuse these keys with this text.
void check_refused(const std::string& keys, const std::string& text) {
  CAPTURE(keys);
  for (const auto table : {n_slack_descriptor().parameters, one_slack_descriptor().parameters}) {
    const Refusal refusal = refusal_of([&] { checked(table, keys); });
    CHECK(refusal.exit == Exit::config);
    CHECK_MESSAGE(refusal.says(text), refusal.text);
  }
}

}  // namespace

TEST_CASE("the declared defaults are those of the option structs") {
  const NSlackOptions n_slack = parse_n_slack("{}");
  check_equal_options(n_slack, NSlackOptions());
  CHECK(n_slack.batch == NSlackOptions().batch);
  CHECK(n_slack.frozen_below == NSlackOptions().frozen_below);
  check_equal_options(parse_one_slack("{}"), OneSlackOptions());
}

TEST_CASE("by default slacks enter linearly under margin rescaling, and limits are off") {
  const NSlackOptions n_slack = parse_n_slack("{}");
  const OneSlackOptions one_slack = parse_one_slack("{}");
  CHECK(n_slack.formulation.needs_one_argmax());
  CHECK(n_slack.formulation.C == 1);
  CHECK(one_slack.formulation.needs_one_argmax());
  CHECK(n_slack.separation_floor == one_slack.separation_floor);
  CHECK(n_slack.drop_after == 20);
  CHECK(one_slack.drop_after == 50);
  CHECK(n_slack.stop.relative_gap == 1e-3);
  CHECK_FALSE(n_slack.stop.epsilon);
  CHECK_FALSE(n_slack.stop.max_passes);
  CHECK_FALSE(n_slack.stop.max_oracle_calls);
  CHECK_FALSE(n_slack.stop.max_seconds);
}

TEST_CASE("keys for the formulation and for planes reach n_slack and one_slack") {
  const std::string keys =
      R"({"rescaling": "slack", "slack_norm": 2, "C": "inf", "separation_floor": 0.02,
          "drop_after": 0, "max_planes_megabytes": 0.05})";
  const NSlackOptions n_slack = parse_n_slack(keys);
  const OneSlackOptions one_slack = parse_one_slack(keys);
  for (const SolverOptions& options : {SolverOptions(n_slack), SolverOptions(one_slack)}) {
    CHECK(options.formulation.rescaling == Rescaling::slack);
    CHECK(options.formulation.slack_norm == 2);
    CHECK(options.formulation.is_hard_margin());
    CHECK(options.separation_floor == 0.02);
    CHECK(options.drop_after == 0);
    CHECK(options.max_planes_megabytes == 0.05);
  }
  CHECK(
      parse_n_slack(R"({"rescaling": "margin", "slack_norm": 1})").formulation.needs_one_argmax());
  CHECK(parse_one_slack(R"({"drop_after": 7})").drop_after == 7);
}

TEST_CASE("unknown formulations and values out of range are refused") {
  check_refused(R"({"rescaling": "none"})", "margin");
  check_refused(R"({"slack_norm": 3})", "from 1 to 2");
  check_refused(R"({"slack_norm": 0})", "from 1 to 2");
  check_refused(R"({"separation_floor": 0})", "separation_floor");
  check_refused(R"({"separation_floor": 0.2})", "separation_floor");
  check_refused(R"({"drop_after": -1})", "drop_after");
  check_refused(R"({"C": 0})", "of at least 1e-12");
}

TEST_CASE("one_slack refuses keys that have no effect next to cut_sample") {
  const auto check_text = [](const std::string& keys, const std::string& text) {
    CAPTURE(keys);
    const Refusal refusal = refusal_of([&] { parse_one_slack(keys); });
    CHECK(refusal.exit == Exit::config);
    CHECK_MESSAGE(refusal.says(text), refusal.text);
  };
  check_text(R"({"cut_sample": 9, "epsilon": 0.1})", "does not support \"epsilon\"");
  check_text(R"({"cut_sample": 9, "cache": 7})", "does not support \"cache\"");
  check_text(R"({"cut_sampling": "importance"})", "needs \"cut_sample\" of at least 1");
  // A resolved experiment has every key, with its default.
  const OneSlackOptions sampled =
      parse_one_slack(R"({"cut_sample": 9, "cut_sampling": "uniform", "cache": 5})");
  CHECK(sampled.samples_cuts);
  CHECK(sampled.cache == 0);
  CHECK(parse_one_slack(R"({"cut_sample": 9, "cache": 0})").cut_sample == 9);
  CHECK(parse_one_slack(R"({"cut_sample": 0, "cache": 7, "epsilon": 0.1})").cache == 7);
}

TEST_CASE("every value reaches the option of its name") {
  std::vector<sculpt_value> values = distinct(n_slack_descriptor().parameters);
  const NSlackOptions n_slack = n_slack_options(values);
  check_named(n_slack, n_slack_descriptor().parameters, values);
  CHECK(n_slack.frozen_below ==
        value_of(n_slack_descriptor().parameters, values, "frozen_below").real);
  CHECK(n_slack.batch == value_of(n_slack_descriptor().parameters, values, "batch").integer);
  values = distinct(one_slack_descriptor().parameters);
  for (std::size_t k = 0; k < values.size(); ++k) {  // a sample supports no epsilon
    const char* const name = one_slack_descriptor().parameters[k].name;
    if (std::strcmp(name, "cut_sample") == 0) values[k].integer = 0;
  }
  check_named(one_slack_options(values), one_slack_descriptor().parameters, values);
}

TEST_CASE("solvers without a dual refuse targets, and have a limit on passes by default") {
  const auto perceptron = [](const std::string& keys) {
    return perceptron_options(checked(perceptron_descriptor().parameters, keys).values());
  };
  const auto subgradient = [](const std::string& keys) {
    return subgradient_options(checked(subgradient_descriptor().parameters, keys).values());
  };
  CHECK(perceptron("{}").stop.max_passes == PerceptronOptions().stop.max_passes);
  CHECK(subgradient("{}").stop.max_passes == SubgradientOptions().stop.max_passes);
  CHECK(perceptron("{}").evaluate_every == PerceptronOptions().evaluate_every);
  CHECK(subgradient("{}").evaluate_every == SubgradientOptions().evaluate_every);
  CHECK(perceptron("{}").order == ExampleOrder::shuffled);
  const PerceptronOptions all = perceptron(
      R"({"C": 20, "batch": 3, "order": "sequential", "evaluate_every": 4, "max_passes": 5,
          "loss_weight": 0.5, "max_seconds": 6, "max_oracle_calls": 7})");
  CHECK(all.formulation.C == 20);
  CHECK(all.batch == 3);
  CHECK(all.order == ExampleOrder::sequential);
  CHECK(all.evaluate_every == 4);
  CHECK(all.stop.max_passes == 5);
  CHECK(all.stop.max_seconds == 6);
  CHECK(all.stop.max_oracle_calls == 7);
  CHECK(all.loss_weight == 0.5);
  CHECK(refusal_of([&] { perceptron(R"({"relative_gap": 0.1})"); }).says("relative_gap"));
  CHECK(refusal_of([&] { subgradient(R"({"epsilon": 0.1})"); }).says("epsilon"));
  CHECK(refusal_of([&] { subgradient(R"({"loss_weight": 1})"); }).says("loss_weight"));
  CHECK(refusal_of([&] { perceptron(R"({"max_passes": null})"); }).exit == Exit::config);
  CHECK(refusal_of([&] { perceptron(R"({"batch": -1})"); }).exit == Exit::config);
  const Refusal hard_margin = refusal_of([&] { subgradient(R"({"C": "inf"})"); });
  CHECK(hard_margin.exit == Exit::config);
  CHECK(hard_margin.says("subgradient does not support hard margins"));
  const Refusal of_perceptron = refusal_of([&] { perceptron(R"({"C": "inf"})"); });
  CHECK(of_perceptron.exit == Exit::config);
  CHECK(of_perceptron.says("perceptron does not support hard margins"));
  const Refusal infinite = refusal_of([&] { perceptron(R"({"loss_weight": "inf"})"); });
  CHECK(infinite.exit == Exit::config);
  CHECK(infinite.says("loss_weight"));
}

TEST_CASE("a solver without hard margins does not offer inf for C") {
  const auto offers_hard_margin = [](std::span<const sculpt_parameter> table) {
    const auto C = std::find_if(table.begin(), table.end(), [](const sculpt_parameter& parameter) {
      return std::string(parameter.name) == "C";
    });
    return std::string(C->summary).find("inf") != std::string::npos;
  };
  CHECK(offers_hard_margin(n_slack_descriptor().parameters));
  CHECK(offers_hard_margin(one_slack_descriptor().parameters));
  CHECK_FALSE(offers_hard_margin(frank_wolfe_descriptor().parameters));
  CHECK_FALSE(offers_hard_margin(subgradient_descriptor().parameters));
  CHECK_FALSE(offers_hard_margin(perceptron_descriptor().parameters));
}

TEST_CASE("frank_wolfe refuses options that its steps do not support") {
  const auto options = [](const std::string& keys) {
    return frank_wolfe_options(checked(frank_wolfe_descriptor().parameters, keys).values());
  };
  const FrankWolfeOptions defaults = options("{}");
  const FrankWolfeOptions declared;
  CHECK(defaults.step == declared.step);
  CHECK(defaults.samples_by_gaps == declared.samples_by_gaps);
  CHECK(defaults.gap_check == declared.gap_check);
  CHECK(defaults.cache == declared.cache);
  CHECK(defaults.averaging == declared.averaging);
  CHECK(defaults.batch == declared.batch);
  CHECK(defaults.stop.relative_gap == 1e-3);
  const FrankWolfeOptions all =
      options(R"({"step": "toward", "sampling": "shuffled", "gap_check": 3, "cache": 4,
                  "averaging": true, "batch": 5, "epsilon": 0.1, "rescaling": "slack"})");
  CHECK(all.step == FrankWolfeStep::toward);
  CHECK_FALSE(all.samples_by_gaps);
  CHECK(all.gap_check == 3);
  CHECK(all.cache == 4);
  CHECK(all.averaging);
  CHECK(all.batch == 5);
  CHECK(all.stop.epsilon == 0.1);
  CHECK(all.formulation.rescaling == Rescaling::slack);
  CHECK(options(R"({"slack_norm": 2})").formulation.slack_norm == 2);
  for (const char* keys : {R"({"C": "inf"})", R"({"slack_norm": 2, "step": "toward"})",
                           R"({"slack_norm": 2, "averaging": true})"}) {
    const Refusal refusal = refusal_of([&] { options(keys); });
    CHECK(refusal.exit == Exit::config);
    CHECK(refusal.says("frank_wolfe does not support "));
  }
}

TEST_CASE("every solver is found by its name, declares sound parameters and can be created") {
  CHECK(find_solver("n_slack") != nullptr);
  CHECK(find_solver("one_slack") != nullptr);
  CHECK(find_solver("slack") == nullptr);
  for (const SolverDescriptor* solver : solvers()) {
    CHECK(find_solver(solver->name) == solver);
    for (const sculpt_parameter& parameter : solver->parameters) {
      CAPTURE(parameter.name);
      REQUIRE(parameter.fallback != nullptr);
      CHECK(std::strlen(parameter.summary) > 10);
    }
    CHECK(solver->create(checked(solver->parameters, "{}").values()) != nullptr);
    CHECK_THROWS_AS(solver->create({}), Failure);
  }
}

TEST_CASE("a solver is refused if its name is taken or a parameter has an invalid name") {
  const std::size_t count = solvers().size();
  const Refusal refusal = refusal_of([] { add_solver(perceptron_descriptor()); });
  CHECK(refusal.exit == Exit::internal);
  CHECK(refusal.says("the solver \"perceptron\": a solver of this name exists already"));
  std::vector<sculpt_parameter> parameters(2, relative_gap_parameter());
  const auto fault = [&] {
    const SolverDescriptor mine{"mine", "Mine.", parameters, nullptr};
    return refusal_of([&] { add_solver(mine); }).text;
  };
  CHECK(fault() == "the solver \"mine\": the name of its parameter \"relative_gap\" is taken");
  parameters[1].name = "use";
  CHECK(fault() == "the solver \"mine\": the name of its parameter \"use\" is taken");
  parameters[1].name = "other";
  parameters[1].summary = nullptr;
  CHECK(fault() == "the solver \"mine\": a parameter has no name or no summary");
  CHECK(solvers().size() == count);
}

TEST_CASE("a problem without a port that the solver needs is refused with both names") {
  const NSlack n_slack{NSlackOptions()};
  const Refusal refusal = refusal_of([&] { n_slack.require_ports(Ports(), "n_slack"); });
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.text == "n_slack needs planes, but there are none; use another solver");
  CHECK_FALSE(Ports().bounds_weights());
}

TEST_CASE("a solver without formulation must override objective() and must not need planes") {
  struct NoFormulation : NSlack {
    NoFormulation() : NSlack(NSlackOptions()) {}
    std::optional<Formulation> formulation() const override { return std::nullopt; }
  };
  const Refusal refusal = refusal_of([] { NoFormulation().objective({}); });
  CHECK(refusal.exit == Exit::internal);
  CHECK(refusal.says("override objective()"));
  const Refusal planes = refusal_of([] { NoFormulation().require_ports(Ports(), "silent"); });
  CHECK(planes.exit == Exit::internal);
  CHECK(planes.says("silent needs planes but has no formulation"));
}
