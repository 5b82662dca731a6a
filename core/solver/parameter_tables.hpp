// parameter_tables.hpp - parameters that several solvers declare, and the way from their values to
// options.
//
// Called by the solvers' descriptors. A table is a sum of parts; values are looked up by name, so
// the order of the parts is free.
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

constexpr double most_calls = 9e15;  // exact as a double

// One parameter: `fallback` is JSON, "null" for none; `unit` may be nullptr.
sculpt_parameter real_parameter(const char* name, const char* fallback, double lower, double upper,
                                const char* unit, const char* summary);
sculpt_parameter integer_parameter(const char* name, const char* fallback, double lower,
                                   double upper, const char* unit, const char* summary);

// What C is the price of, in words: in P without and with hard margin, and where P is only
// reported.
extern const char* const price_of_slacks;
extern const char* const price_or_hard_margin;
extern const char* const price_reported;

ParameterTable formulation_parameters(const char* summary_of_c);
// Of solvers that prove a dual: the gap alone, and with it the epsilon of planes.
sculpt_parameter gap_parameter();
ParameterTable target_parameters();
ParameterTable limit_parameters(const char* max_passes);
// Formulation, targets, limits, and the QP. drop_after is not among them: each solver places it and
// has a default of its own.
ParameterTable cutting_plane_parameters();
// Of solvers that make a step for each example and prove no dual.
ParameterTable online_parameters(const char* summary_of_c, const char* max_passes,
                                 const char* evaluate_every);
sculpt_parameter batch_parameter();
sculpt_parameter drop_after_parameter(const char* fallback);
sculpt_parameter max_planes_parameter();
// Read by the host, which recalls the planes and hands them to the solver.
sculpt_parameter warm_start_parameter();

// Checked values by the name of their parameter. Throws Failure(Exit::internal) where a name is not
// in the table, or a value for each parameter is not there.
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

// Each reads the parameters of the table that has its name, which the solver has to declare.
Formulation formulation_of(const ParameterValues& values);
void fill_limits(const ParameterValues& values, StopOptions& stop);
void fill_gap(const ParameterValues& values, StopOptions& stop);
void fill_targets(const ParameterValues& values, StopOptions& stop);
// Requires drop_after_parameter() beside cutting_plane_parameters().
void fill_cutting_plane(const ParameterValues& values, SolverOptions& options);
void fill_online(const ParameterValues& values, OnlineOptions& options);

// Throws Failure(Exit::config) for a hard margin, which `solver` does not know.
void require_slacks(const Formulation& formulation, const std::string& solver,
                    const std::string& why);

}  // namespace sculpt::core
