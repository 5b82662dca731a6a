#include "solver/options.hpp"

#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "failure.hpp"

namespace sculpt::core {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double most_calls = 9e15;  // exact as a double
constexpr std::size_t common_count = 11;

sculpt_parameter number(std::uint32_t type, const char* name, const char* fallback, double lower,
                        double upper, const char* unit, const char* summary) {
  return {type, name, fallback, lower, upper, nullptr, unit, summary};
}

sculpt_parameter real(const char* name, const char* fallback, double lower, double upper,
                      const char* unit, const char* summary) {
  return number(SCULPT_PARAMETER_REAL, name, fallback, lower, upper, unit, summary);
}

sculpt_parameter integer(const char* name, const char* fallback, double lower, double upper,
                         const char* unit, const char* summary) {
  return number(SCULPT_PARAMETER_INT, name, fallback, lower, upper, unit, summary);
}

// What every solver with a certificate shares; the order is free, values are looked up by name.
std::array<sculpt_parameter, common_count> common_parameters() {
  return {{
      {SCULPT_PARAMETER_CHOICE, "rescaling", "\"margin\"", 0, 0, "margin|slack", nullptr,
       "How the loss enters a constraint: margin asks <w,dpsi> >= loss - slack, slack asks "
       "<w,dpsi> >= 1 - slack / loss."},
      integer(
          "slack_norm", "1", 1, 2, nullptr,
          "The power of the slacks in the objective; 2 halves the squares, and constraints have "
          "the root of the loss."),
      real("C", "1", 1e-12, infinity, nullptr,
           "Price of the mean slack: the objective is 1/2 ||w||^2 + C/n sum of slacks; \"inf\" "
           "allows none (hard margin)."),
      real("separation_floor", "1e-4", 1e-12, 0.1, nullptr,
           "Hard margin: call data inseparable on proof that the norm of separating weights "
           "exceeds 1 / (this times the norm of the longest plane)."),
      real("relative_gap", "0.001", 0, 1, nullptr,
           "Stop when primal - dual is at most this fraction of the primal."),
      real("epsilon", "null", 0, infinity, nullptr,
           "Stop when no constraint is violated by more than this beyond its slack."),
      integer("max_passes", "null", 1, most_calls, "passes", "Stop after so many passes."),
      integer("max_oracle_calls", "null", 1, most_calls, "calls",
              "Begin no pass after so many oracle calls."),
      real("max_seconds", "null", 0, infinity, "seconds", "Stop after so much time."),
      real("max_planes_megabytes", "null", 0, 1e9, "megabytes",
           "Drop idle planes, and merge others, where all planes take more than this."),
      real("qp_fraction", "0.4", 1e-6, 0.999, nullptr,
           "Solve the QP over the planes seen to this fraction of the gap of the last pass."),
  }};
}

sculpt_parameter drop_after(const char* fallback) {
  return integer("drop_after", fallback, 0, most_calls, "passes",
                 "Drop planes that were inactive for so many passes in a row; 0 keeps all.");
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

using Table = std::vector<sculpt_parameter>;

Table with_common(std::initializer_list<sculpt_parameter> own) {
  const auto common = common_parameters();
  Table table(common.begin(), common.end());
  table.insert(table.end(), own);
  return table;
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

void fill_common(const Values& values, SolverOptions& options) {
  options.formulation.rescaling =
      values.at("rescaling").integer == 1 ? Rescaling::slack : Rescaling::margin;
  options.formulation.slack_norm = static_cast<int>(values.at("slack_norm").integer);
  options.formulation.C = values.at("C").real;
  options.separation_floor = values.at("separation_floor").real;
  options.qp_fraction = values.at("qp_fraction").real;
  options.drop_after = values.at("drop_after").integer;
  options.max_planes_megabytes = values.optional_real("max_planes_megabytes");
  options.stop.relative_gap = values.at("relative_gap").real;
  options.stop.epsilon = values.optional_real("epsilon");
  options.stop.max_passes = values.optional_integer("max_passes");
  options.stop.max_oracle_calls = values.optional_integer("max_oracle_calls");
  options.stop.max_seconds = values.optional_real("max_seconds");
}

}  // namespace

std::span<const sculpt_parameter> n_slack_parameters() {
  static const Table table = with_common({
      integer(
          "batch", "64", 0, most_calls, "examples",
          "Oracle calls made at one frozen w, 0 for a whole pass, 1 for the paper's algorithm."),
      real("frozen_below", "0.3", 0, 1, nullptr,
           "Ask whole passes at one w once the gap is below this fraction of the primal."),
      drop_after("20"),
      warm_start(),
  });
  return table;
}

std::span<const sculpt_parameter> one_slack_parameters() {
  static const Table table = with_common({drop_after("50"), warm_start()});
  return table;
}

NSlackOptions n_slack_options(std::span<const sculpt_value> values) {
  const Values named(n_slack_parameters(), values);
  NSlackOptions options;
  fill_common(named, options);
  options.batch = named.at("batch").integer;
  options.frozen_below = named.at("frozen_below").real;
  return options;
}

OneSlackOptions one_slack_options(std::span<const sculpt_value> values) {
  const Values named(one_slack_parameters(), values);
  OneSlackOptions options;
  fill_common(named, options);
  return options;
}

}  // namespace sculpt::core
