// solver_descriptor.hpp - a solver by name: its parameters, and how it is made from their values.
//
// Each solver defines its descriptor in its own folder. catalogue/solver_list.hpp lists them all.
#pragma once

#include <sculpt/parameter.h>

#include <memory>
#include <span>
#include <string_view>

#include "solver/solver.hpp"

namespace sculpt::core {

// A parameter with the default "null" (JSON) is optional. If it is not set, its value has
// is_default = 1, real = NaN and integer = -1.
struct SolverDescriptor {
  const char* name;
  const char* summary;  // one or two sentences, with the source
  std::span<const sculpt_parameter> parameters;
  // Makes the solver from one checked value for each parameter, in order. Throws
  // Failure(Exit::config) if the values do not fit together.
  std::unique_ptr<Solver> (*create)(std::span<const sculpt_value> values);
  bool minimizes = true;  // the solver minimizes P; false: P is only reported

  bool has_parameter(std::string_view parameter_name) const;
};

}  // namespace sculpt::core
