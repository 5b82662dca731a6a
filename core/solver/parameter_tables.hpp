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

// The upper bound of parameters that count: a double holds all integers up to it.
constexpr double max_exact_count = 9e15;

// One parameter: `default_value` is JSON, "null" for none; `unit` may be nullptr.
sculpt_parameter real_parameter(const char* name, const char* default_value, double lower,
                                double upper, const char* unit, const char* summary);
sculpt_parameter integer_parameter(const char* name, const char* default_value, double lower,
                                   double upper, const char* unit, const char* summary);

// The summary of the parameter C: if slacks are always allowed, if "inf" forbids them, and if P is
// only reported.
extern const char* const c_summary_with_slacks;
extern const char* const c_summary_with_hard_margin;
extern const char* const c_summary_if_reported;

ParameterTable formulation_parameters(const char* c_summary);
// For solvers that prove a dual: the relative gap, and the relative gap with epsilon.
sculpt_parameter relative_gap_parameter();
ParameterTable target_parameters();
// The keys validate_... are read by the host, which stops the solver for each validation as by
// max_passes.
ParameterTable limit_parameters(const char* max_passes);
// Formulation, targets, limits and the QP. drop_after is not included: each solver adds it with its
// own default.
ParameterTable cutting_plane_parameters();
// For solvers that make a step for each example and prove no dual.
ParameterTable online_parameters(const char* c_summary, const char* max_passes,
                                 const char* evaluate_every);
sculpt_parameter batch_parameter();
sculpt_parameter drop_after_parameter(const char* default_value);
sculpt_parameter kernel_megabytes_parameter();
sculpt_parameter max_planes_parameter();
// Read by the host, which loads the planes and passes them to the solver.
sculpt_parameter warm_start_parameter();
sculpt_parameter warm_start_weights_parameter();  // for solvers without planes

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
void fill_relative_gap(const ParameterValues& values, StopOptions& stop);
void fill_targets(const ParameterValues& values, StopOptions& stop);
// Requires cutting_plane_parameters() and drop_after_parameter().
void fill_cutting_plane(const ParameterValues& values, SolverOptions& options);
void fill_online(const ParameterValues& values, OnlineOptions& options);

// Throws Failure(Exit::config) for a hard margin. `solver` is its name, `reason` a sentence.
void require_slacks(const Formulation& formulation, const std::string& solver,
                    const std::string& reason);

}  // namespace sculpt::core
