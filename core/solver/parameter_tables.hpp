// parameter_tables.hpp - parameters that several solvers declare, and how their values become
// options.
//
// Called by the solvers' descriptors. A table is a sum of parts. Values are looked up by name, so
// the order of the parts does not matter.
#pragma once

#include <sculpt/parameter.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "objective/formulation.hpp"
#include "solver/options.hpp"

namespace sculpt::core {

using ParameterTable = std::vector<sculpt_parameter>;
ParameterTable operator+(ParameterTable table, const ParameterTable& more);

constexpr double max_calls = 9e15;  // exact as a double

// One parameter: `fallback` is JSON, "null" for none; `unit` may be nullptr.
sculpt_parameter real_parameter(const char* name, const char* fallback, double lower, double upper,
                                const char* unit, const char* summary);
sculpt_parameter integer_parameter(const char* name, const char* fallback, double lower,
                                   double upper, const char* unit, const char* summary);

// What C is the price of, in words: in P without hard margin, in P with it, and if P is only
// reported.
extern const char* const price_of_slacks;
extern const char* const price_or_hard_margin;
extern const char* const price_reported;

ParameterTable formulation_parameters(const char* summary_of_c);
// For solvers that prove a dual: the relative gap, and the relative gap with epsilon.
sculpt_parameter gap_parameter();
ParameterTable target_parameters();
ParameterTable limit_parameters(const char* max_passes);
// Formulation, targets, limits and the QP. drop_after is not included: each solver adds it with its
// own default.
ParameterTable cutting_plane_parameters();
// For solvers that make a step for each example and prove no dual.
ParameterTable online_parameters(const char* summary_of_c, const char* max_passes,
                                 const char* evaluate_every);
sculpt_parameter batch_parameter();
sculpt_parameter drop_after_parameter(const char* fallback);
sculpt_parameter max_planes_parameter();
// Read by the host, which loads the planes and passes them to the solver.
sculpt_parameter warm_start_parameter();

// Checked values by the name of their parameter. Throws Failure(Exit::internal) if a name is not in
// the table, or if table and values have different sizes.
class ParameterValues {
 public:
  ParameterValues(std::span<const sculpt_parameter> table, std::span<const sculpt_value> values);

  const sculpt_value& at(std::string_view name) const;
  std::optional<double> optional_real(std::string_view name) const;
  std::optional<std::int64_t> optional_integer(std::string_view name) const;

 private:
  std::span<const sculpt_parameter> table_;
  std::span<const sculpt_value> values_;
};

// Each of these reads the parameters of the table with its name. The solver must declare that
// table.
Formulation formulation_of(const ParameterValues& values);
void fill_limits(const ParameterValues& values, StopOptions& stop);
void fill_gap(const ParameterValues& values, StopOptions& stop);
void fill_targets(const ParameterValues& values, StopOptions& stop);
// Requires cutting_plane_parameters() and drop_after_parameter().
void fill_cutting_plane(const ParameterValues& values, SolverOptions& options);
void fill_online(const ParameterValues& values, OnlineOptions& options);

// Throws Failure(Exit::config) for a hard margin. `solver` is its name, `why` the reason.
void require_slacks(const Formulation& formulation, const std::string& solver,
                    const std::string& why);

}  // namespace sculpt::core
