#include "solver/parameter_tables.hpp"

#include <sculpt/cpp/parameters.hpp>

#include <cmath>

#include "base/failure.hpp"
#include "base/infinity.hpp"

namespace sculpt::core {
namespace {

sculpt_parameter numeric_parameter(std::uint32_t type, const char* name, const char* default_value,
                                   double lower, double upper, const char* unit,
                                   const char* summary) {
  return sculpt::detail::parameter(type, name, default_value, lower, upper, nullptr, unit, summary);
}

}  // namespace

sculpt_parameter real_parameter(const char* name, const char* default_value, double lower,
                                double upper, const char* unit, const char* summary) {
  return numeric_parameter(SCULPT_PARAMETER_REAL, name, default_value, lower, upper, unit, summary);
}

sculpt_parameter integer_parameter(const char* name, const char* default_value, double lower,
                                   double upper, const char* unit, const char* summary) {
  return numeric_parameter(SCULPT_PARAMETER_INT, name, default_value, lower, upper, unit, summary);
}

ParameterTable operator+(ParameterTable table, const ParameterTable& more) {
  table.insert(table.end(), more.begin(), more.end());
  return table;
}

ParameterTable formulation_parameters(const char* c_summary) {
  return {
      sculpt::choice("rescaling", "\"margin\"", "margin|slack",
                     "How the loss enters a constraint. margin: <w,dpsi> >= loss - slack. "
                     "slack: <w,dpsi> >= 1 - slack / loss."),
      integer_parameter(
          "slack_norm", "1", 1, 2, nullptr,
          "The power of the slacks in the objective. 2: half the square of each slack, and the "
          "square root of the loss in each constraint."),
      real_parameter("C", "1", 1e-12, infinity, nullptr, c_summary),
      integer_parameter(
          "max_k_best", "100", 0, max_exact_count, "outputs",
          "Slack rescaling or slack_norm 2, without a frontier: an oracle that lists the k best "
          "is asked for at most so many, to prove which one violates its margin most."),
  };
}

const char* const c_summary_with_slacks =
    "Price of the mean slack: the objective is 1/2 ||w||^2 + C/n sum of slacks.";
const char* const c_summary_with_hard_margin =
    "Price of the mean slack: the objective is 1/2 ||w||^2 + C/n sum of slacks; \"inf\" allows "
    "no slack (hard margin).";
const char* const c_summary_if_reported =
    "Price of the mean slack in the reported primal. No step depends on it.";

sculpt_parameter relative_gap_parameter() {
  return real_parameter("relative_gap", "0.001", 0, 1, nullptr,
                        "Stop when primal - dual is at most this fraction of the primal.");
}

ParameterTable target_parameters() {
  return {
      relative_gap_parameter(),
      real_parameter("epsilon", "null", 0, infinity, nullptr,
                     "Stop when no constraint is violated by more than this beyond its slack."),
  };
}

ParameterTable limit_parameters(const char* max_passes) {
  return {
      integer_parameter("max_passes", max_passes, 1, max_exact_count, "passes",
                        "Stop after this many passes."),
      integer_parameter("max_oracle_calls", "null", 1, max_exact_count, "calls",
                        "Begin no further pass after this many oracle calls."),
      real_parameter("max_seconds", "null", 0, infinity, "seconds", "Stop after this time."),
      integer_parameter("validate_every", "null", 1, max_exact_count, "passes",
                        "Measure the model on the validation examples every so many passes and at "
                        "the end, and keep the best one. Not set: the last model is kept."),
      sculpt::needs(integer_parameter("validate_patience", "5", 0, max_exact_count, "validations",
                                      "Stop after so many validations in a row that are not better "
                                      "than the best one; 0: never."),
                    "validate_every"),
      sculpt::needs(
          sculpt::text("validate_metric", "\"loss\"",
                       "The metric that chooses the best model: one that evaluate prints."),
          "validate_every"),
  };
}

sculpt_parameter max_planes_parameter() {
  return real_parameter(
      "max_planes_megabytes", "null", 0, 1e9, "megabytes",
      "Limit on the memory of all planes of the QP. Above it, idle planes are dropped and others "
      "merged.");
}

sculpt_parameter kernel_megabytes_parameter() {
  return real_parameter("kernel_megabytes", "1000", 0, 1e9, "megabytes",
                        "Memory for rows of the kernel, if there is one. Rows beyond it are "
                        "computed again; results do not depend on it.");
}

namespace {

ParameterTable qp_parameters() {
  return {
      real_parameter(
          "separation_floor", "1e-4", 1e-12, 0.1, nullptr,
          "Hard margin: stop as inseparable if all separating weights have a norm above 1 / (this "
          "times the norm of the longest plane)."),
      max_planes_parameter(),
      real_parameter(
          "qp_fraction", "0.4", 1e-6, 0.999, nullptr,
          "Solve the QP over the known planes until its gap is at most this fraction of the gap "
          "of the last pass."),
  };
}

}  // namespace

ParameterTable cutting_plane_parameters() {
  return formulation_parameters(c_summary_with_hard_margin) + target_parameters() +
         limit_parameters("null") + qp_parameters();
}

ParameterTable online_parameters(const char* c_summary, const char* max_passes,
                                 const char* evaluate_every) {
  return formulation_parameters(c_summary) + limit_parameters(max_passes) +
         ParameterTable{
             integer_parameter(
                 "batch", "1", 0, max_exact_count, "examples",
                 "Oracle calls made at one w; 0: a whole pass. More than 1 uses all threads."),
             sculpt::choice("order", "\"shuffled\"", "shuffled|sequential",
                            "The order of the examples in a pass. shuffled depends on the seed."),
             integer_parameter(
                 "evaluate_every", evaluate_every, 0, max_exact_count, "passes",
                 "Passes between two evaluations of the primal; 0: only at the end. Each "
                 "evaluation takes another pass over the examples."),
             kernel_megabytes_parameter(),
         };
}

sculpt_parameter batch_parameter() {
  return integer_parameter(
      "batch", "64", 0, max_exact_count, "examples",
      "Oracle calls made at one w; 0: a whole pass; 1: the algorithm of the paper.");
}

sculpt_parameter drop_after_parameter(const char* default_value) {
  return integer_parameter("drop_after", default_value, 0, max_exact_count, "QPs",
                           "Drop planes with alpha = 0 after this many QPs in a row; 0 keeps all.");
}

sculpt_parameter warm_start_parameter() {
  return sculpt::path(
      "warm_start", "null",
      "Begin with the planes of this run folder, for example of the same problem with another C.");
}

sculpt_parameter warm_start_weights_parameter() {
  return sculpt::path("warm_start", "null",
                      "Begin with the weights of this run folder or model, for example of the same "
                      "problem with another C.");
}

ParameterValues::ParameterValues(std::span<const sculpt_parameter> table,
                                 std::span<const sculpt_value> values)
    : table_(table), values_(values) {
  if (table.size() != values.size()) {
    throw Failure(Exit::internal, "solver: the values do not match the declared parameters");
  }
}

const sculpt_value& ParameterValues::at(std::string_view name) const {
  for (std::size_t k = 0; k < table_.size(); ++k) {
    if (name == table_[k].name) return values_[k];
  }
  throw Failure(Exit::internal, "solver: undeclared parameter " + std::string(name));
}

std::optional<double> ParameterValues::optional_real(std::string_view name) const {
  const double value = at(name).real;
  return std::isnan(value) ? std::nullopt : std::optional<double>(value);
}

std::optional<std::int64_t> ParameterValues::optional_integer(std::string_view name) const {
  const std::int64_t value = at(name).integer;
  return value < 0 ? std::nullopt : std::optional<std::int64_t>(value);
}

Formulation formulation_of(const ParameterValues& values) {
  Formulation formulation;
  formulation.rescaling =
      values.at("rescaling").integer == 1 ? Rescaling::slack : Rescaling::margin;
  formulation.slack_norm = static_cast<int>(values.at("slack_norm").integer);
  formulation.C = values.at("C").real;
  formulation.max_k_best = values.at("max_k_best").integer;
  return formulation;
}

void fill_limits(const ParameterValues& values, StopOptions& stop) {
  stop.max_passes = values.optional_integer("max_passes");
  stop.max_oracle_calls = values.optional_integer("max_oracle_calls");
  stop.max_seconds = values.optional_real("max_seconds");
}

void fill_relative_gap(const ParameterValues& values, StopOptions& stop) {
  stop.relative_gap = values.at("relative_gap").real;
}

void fill_targets(const ParameterValues& values, StopOptions& stop) {
  fill_relative_gap(values, stop);
  stop.epsilon = values.optional_real("epsilon");
}

void fill_cutting_plane(const ParameterValues& values, SolverOptions& options) {
  options.formulation = formulation_of(values);
  fill_limits(values, options.stop);
  fill_targets(values, options.stop);
  options.separation_floor = values.at("separation_floor").real;
  options.qp_fraction = values.at("qp_fraction").real;
  options.drop_after = values.at("drop_after").integer;
  options.max_planes_megabytes = values.optional_real("max_planes_megabytes");
}

void fill_online(const ParameterValues& values, OnlineOptions& options) {
  options.formulation = formulation_of(values);
  fill_limits(values, options.stop);
  options.batch = values.at("batch").integer;
  options.order =
      values.at("order").integer == 1 ? ExampleOrder::sequential : ExampleOrder::shuffled;
  options.evaluate_every = values.at("evaluate_every").integer;
  options.kernel_megabytes = values.at("kernel_megabytes").real;
}

void require_slacks(const Formulation& formulation, const std::string& solver,
                    const std::string& reason) {
  if (!formulation.is_hard_margin()) return;
  throw Failure(Exit::config, solver + " does not support hard margins (\"C\": \"inf\"): " +
                                  reason + "; set a finite \"C\", or use n_slack or one_slack");
}

}  // namespace sculpt::core
