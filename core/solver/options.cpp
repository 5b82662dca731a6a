#include "solver/options.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "failure.hpp"
#include "linalg/infinity.hpp"

namespace sculpt::core {
namespace {

constexpr double most_calls = 9e15;       // exact as a double
constexpr double most_planes_each = 1e9;  // of an example
constexpr double most_loss_weight = 1e12;

sculpt_parameter numeric(std::uint32_t type, const char* name, const char* fallback, double lower,
                         double upper, const char* unit, const char* summary) {
  return {type, name, fallback, lower, upper, nullptr, unit, summary};
}

sculpt_parameter real(const char* name, const char* fallback, double lower, double upper,
                      const char* unit, const char* summary) {
  return numeric(SCULPT_PARAMETER_REAL, name, fallback, lower, upper, unit, summary);
}

sculpt_parameter integer(const char* name, const char* fallback, double lower, double upper,
                         const char* unit, const char* summary) {
  return numeric(SCULPT_PARAMETER_INT, name, fallback, lower, upper, unit, summary);
}

using Table = std::vector<sculpt_parameter>;

// The order of a table is free, values are looked up by name.
Table operator+(Table table, const Table& more) {
  table.insert(table.end(), more.begin(), more.end());
  return table;
}

Table formulation_parameters(const char* summary_of_c) {
  return {
      {SCULPT_PARAMETER_CHOICE, "rescaling", "\"margin\"", 0, 0, "margin|slack", nullptr,
       "How the loss enters a constraint: margin asks <w,dpsi> >= loss - slack, slack asks "
       "<w,dpsi> >= 1 - slack / loss."},
      integer(
          "slack_norm", "1", 1, 2, nullptr,
          "The power of the slacks in the objective; 2 halves the squares, and constraints have "
          "the root of the loss."),
      real("C", "1", 1e-12, infinity, nullptr, summary_of_c),
  };
}

constexpr const char* price =
    "Price of the mean slack: the objective is 1/2 ||w||^2 + C/n sum of slacks.";
constexpr const char* price_or_hard_margin =
    "Price of the mean slack: the objective is 1/2 ||w||^2 + C/n sum of slacks; \"inf\" allows "
    "none (hard margin).";
constexpr const char* price_reported =
    "Price of the mean slack in the primal that is reported; no step depends on it.";

// Of the solvers with a dual.
Table target_parameters() {
  return {
      real("relative_gap", "0.001", 0, 1, nullptr,
           "Stop when primal - dual is at most this fraction of the primal."),
      real("epsilon", "null", 0, infinity, nullptr,
           "Stop when no constraint is violated by more than this beyond its slack."),
  };
}

Table limit_parameters(const char* max_passes) {
  return {
      integer("max_passes", max_passes, 1, most_calls, "passes", "Stop after so many passes."),
      integer("max_oracle_calls", "null", 1, most_calls, "calls",
              "Begin no pass after so many oracle calls."),
      real("max_seconds", "null", 0, infinity, "seconds", "Stop after so much time."),
  };
}

sculpt_parameter max_planes_megabytes() {
  return real(
      "max_planes_megabytes", "null", 0, 1e9, "megabytes",
      "Drop idle planes, and merge others, where all planes of the QP take more than this.");
}

Table qp_parameters() {
  return {
      real("separation_floor", "1e-4", 1e-12, 0.1, nullptr,
           "Hard margin: call data inseparable on proof that the norm of separating weights "
           "exceeds 1 / (this times the norm of the longest plane)."),
      max_planes_megabytes(),
      real("qp_fraction", "0.4", 1e-6, 0.999, nullptr,
           "Solve the QP over the planes seen to this fraction of the gap of the last pass."),
  };
}

Table cutting_plane_parameters() {
  return formulation_parameters(price_or_hard_margin) + target_parameters() +
         limit_parameters("null") + qp_parameters();
}

Table online_parameters(const char* summary_of_c, const char* max_passes,
                        const char* evaluate_every) {
  return formulation_parameters(summary_of_c) + limit_parameters(max_passes) +
         Table{
             integer("batch", "1", 0, most_calls, "examples",
                     "Oracle calls made at one frozen w, 0 for a whole pass; more than 1 use all "
                     "threads."),
             {SCULPT_PARAMETER_CHOICE, "order", "\"shuffled\"", 0, 0, "shuffled|sequential",
              nullptr, "In which order a pass asks about the examples; shuffled: by the seed."},
             integer("evaluate_every", evaluate_every, 0, most_calls, "passes",
                     "Compute the primal every so many passes, 0 for the end alone; each takes a "
                     "pass over the examples."),
         };
}

sculpt_parameter drop_after(const char* fallback) {
  return integer("drop_after", fallback, 0, most_calls, "QPs",
                 "Drop planes that so many QPs in a row left inactive; 0 keeps all.");
}

// Read by the host, which recalls the planes and hands them to the solver.
sculpt_parameter warm_start() {
  return {SCULPT_PARAMETER_PATH,
          "warm_start",
          "null",
          0,
          0,
          nullptr,
          nullptr,
          "Begin with the planes of this run folder: the same problem under another C, say."};
}

// Values by the name of their parameter.
class Values {
 public:
  Values(std::span<const sculpt_parameter> table, std::span<const sculpt_value> values)
      : table_(table), values_(values) {
    if (table.size() != values.size()) {
      throw Failure(Exit::internal, "solver: the values do not match the declared parameters");
    }
  }

  const sculpt_value& at(std::string_view name) const {
    for (std::size_t k = 0; k < table_.size(); ++k) {
      if (name == table_[k].name) return values_[k];
    }
    throw Failure(Exit::internal, "solver: undeclared parameter " + std::string(name));
  }

  std::optional<double> optional_real(std::string_view name) const {
    const double value = at(name).real;
    return std::isnan(value) ? std::nullopt : std::optional<double>(value);
  }

  std::optional<std::int64_t> optional_integer(std::string_view name) const {
    const std::int64_t value = at(name).integer;
    return value < 0 ? std::nullopt : std::optional<std::int64_t>(value);
  }

 private:
  std::span<const sculpt_parameter> table_;
  std::span<const sculpt_value> values_;
};

Formulation formulation_of(const Values& values) {
  Formulation formulation;
  formulation.rescaling =
      values.at("rescaling").integer == 1 ? Rescaling::slack : Rescaling::margin;
  formulation.slack_norm = static_cast<int>(values.at("slack_norm").integer);
  formulation.C = values.at("C").real;
  return formulation;
}

void fill_limits(const Values& values, StopOptions& stop) {
  stop.max_passes = values.optional_integer("max_passes");
  stop.max_oracle_calls = values.optional_integer("max_oracle_calls");
  stop.max_seconds = values.optional_real("max_seconds");
}

void fill_targets(const Values& values, StopOptions& stop) {
  stop.relative_gap = values.at("relative_gap").real;
  stop.epsilon = values.optional_real("epsilon");
}

void fill_cutting_plane(const Values& values, SolverOptions& options) {
  options.formulation = formulation_of(values);
  fill_limits(values, options.stop);
  fill_targets(values, options.stop);
  options.separation_floor = values.at("separation_floor").real;
  options.qp_fraction = values.at("qp_fraction").real;
  options.drop_after = values.at("drop_after").integer;
  options.max_planes_megabytes = values.optional_real("max_planes_megabytes");
}

void fill_online(const Values& values, OnlineOptions& options) {
  options.formulation = formulation_of(values);
  fill_limits(values, options.stop);
  options.batch = values.at("batch").integer;
  options.order =
      values.at("order").integer == 1 ? ExampleOrder::sequential : ExampleOrder::shuffled;
  options.evaluate_every = values.at("evaluate_every").integer;
}

void require_slacks(const Formulation& formulation, const std::string& solver,
                    const std::string& why) {
  if (!formulation.hard_margin()) return;
  throw Failure(Exit::config, solver + " knows no hard margin (\"C\": \"inf\"): " + why +
                                  "; give C a number, or use n_slack or one_slack");
}

constexpr const char* dear_slacks = "its steps are as long as slacks are dear";

[[noreturn]] void refuse_norm_2(const std::string& what, const std::string& advice) {
  throw Failure(Exit::config, "frank_wolfe knows no " + what +
                                  " under \"slack_norm\": 2, where alpha has no cap; " + advice);
}

}  // namespace

std::span<const sculpt_parameter> n_slack_parameters() {
  static const Table table =
      cutting_plane_parameters() +
      Table{
          integer("batch", "64", 0, most_calls, "examples",
                  "Oracle calls made at one frozen w, 0 for a whole pass, 1 for the paper's "
                  "algorithm."),
          real("frozen_below", "0.3", 0, 1, nullptr,
               "Ask whole passes at one w once the gap is below this fraction of the primal."),
          drop_after("20"),
          warm_start(),
      };
  return table;
}

std::span<const sculpt_parameter> one_slack_parameters() {
  static const Table table =
      cutting_plane_parameters() +
      Table{
          integer(
              "cache", "5", 0, most_planes_each, "planes",
              "Planes kept for each example, to make joint planes of in place of oracle calls; 0 "
              "always asks."),
          drop_after("50"),
          warm_start(),
      };
  return table;
}

std::span<const sculpt_parameter> frank_wolfe_parameters() {
  static const Table table =
      formulation_parameters(price) + target_parameters() + limit_parameters("null") +
      Table{
          {SCULPT_PARAMETER_CHOICE, "step", "\"pairwise\"", 0, 0, "pairwise|toward", nullptr,
           "Which alpha a step takes from: pairwise from one plane, toward (the paper of 2013) "
           "from "
           "all in proportion."},
          {SCULPT_PARAMETER_CHOICE, "sampling", "\"gap\"", 0, 0, "gap|shuffled", nullptr,
           "Draw examples in proportion to their gaps, or each once a pass in random order."},
          integer("gap_check", "10", 1, most_calls, "passes",
                  "Ask about all examples at one w every so many passes: that alone proves a gap."),
          integer("cache", "10", 0, most_planes_each, "planes",
                  "Planes with alpha = 0 kept for each example, to step to in place of oracle "
                  "calls; 0 always asks."),
          {SCULPT_PARAMETER_BOOL, "averaging", "false", 0, 0, nullptr, nullptr,
           "Prove the primal of the weighted mean of all w, which early on is better than the "
           "last."},
          integer("batch", "64", 0, most_calls, "examples",
                  "Oracle calls made at one frozen w, 0 for a whole pass, 1 for the paper's "
                  "algorithm."),
          max_planes_megabytes(),
          warm_start(),
      };
  return table;
}

std::span<const sculpt_parameter> perceptron_parameters() {
  static const Table table =
      online_parameters(price_reported, "30", "0") +
      Table{real("loss_weight", "0", 0, most_loss_weight, nullptr,
                 "Ask for the output of the largest score + this times its loss: 0 corrects wrong "
                 "predictions, 1 asks for margins too.")};
  return table;
}

std::span<const sculpt_parameter> subgradient_parameters() {
  static const Table table = online_parameters(price, "50", "10");
  return table;
}

std::span<const sculpt_parameter> generative_parameters() {
  static const Table table =
      formulation_parameters(price_reported) +
      Table{
          real("smoothing", "1", 0, most_calls, "events",
               "Added to the count of every event, so that none is impossible; with 0 those that "
               "never happen have the logarithm -100."),
          real("ungrouped", "0", -1e6, 1e6, nullptr,
               "The weight of features that are no events, such as the gaps of an alignment."),
      };
  return table;
}

NSlackOptions n_slack_options(std::span<const sculpt_value> values) {
  const Values named(n_slack_parameters(), values);
  NSlackOptions options;
  fill_cutting_plane(named, options);
  options.batch = named.at("batch").integer;
  options.frozen_below = named.at("frozen_below").real;
  return options;
}

OneSlackOptions one_slack_options(std::span<const sculpt_value> values) {
  const Values named(one_slack_parameters(), values);
  OneSlackOptions options;
  fill_cutting_plane(named, options);
  options.cache = named.at("cache").integer;
  return options;
}

FrankWolfeOptions frank_wolfe_options(std::span<const sculpt_value> values) {
  const Values named(frank_wolfe_parameters(), values);
  FrankWolfeOptions options;
  options.formulation = formulation_of(named);
  fill_limits(named, options.stop);
  fill_targets(named, options.stop);
  options.max_planes_megabytes = named.optional_real("max_planes_megabytes");
  options.step = named.at("step").integer == 1 ? FrankWolfeStep::toward : FrankWolfeStep::pairwise;
  options.samples_gaps = named.at("sampling").integer == 0;
  options.gap_check = named.at("gap_check").integer;
  options.cache = static_cast<std::size_t>(named.at("cache").integer);
  options.averaging = named.at("averaging").integer == 1;
  options.batch = named.at("batch").integer;
  require_slacks(options.formulation, "frank_wolfe", dear_slacks);
  if (options.formulation.slack_norm == 2 && options.step == FrankWolfeStep::toward) {
    refuse_norm_2("\"step\": \"toward\"", "use \"pairwise\"");
  }
  if (options.formulation.slack_norm == 2 && options.averaging) {
    refuse_norm_2("\"averaging\"", "leave it out");
  }
  return options;
}

PerceptronOptions perceptron_options(std::span<const sculpt_value> values) {
  const Values named(perceptron_parameters(), values);
  PerceptronOptions options;
  fill_online(named, options);
  options.loss_weight = named.at("loss_weight").real;
  require_slacks(options.formulation, "perceptron", "it asks for no margins at any price");
  return options;
}

SubgradientOptions subgradient_options(std::span<const sculpt_value> values) {
  const Values named(subgradient_parameters(), values);
  SubgradientOptions options;
  fill_online(named, options);
  require_slacks(options.formulation, "subgradient", dear_slacks);
  return options;
}

GenerativeOptions generative_options(std::span<const sculpt_value> values) {
  const Values named(generative_parameters(), values);
  GenerativeOptions options;
  options.formulation = formulation_of(named);
  options.smoothing.added = named.at("smoothing").real;
  options.smoothing.ungrouped = named.at("ungrouped").real;
  require_slacks(options.formulation, "generative", "it asks for no margins at any price");
  return options;
}

}  // namespace sculpt::core
