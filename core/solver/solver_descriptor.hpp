// solver_descriptor.hpp - a solver by name: its parameters, and how it is made of their values.
//
// Each solver defines its descriptor in its own folder; catalogue/solver_list.hpp has them all.
#pragma once

#include <sculpt/parameter.h>

#include <memory>
#include <span>
#include <string_view>

#include "solver/solver.hpp"

namespace sculpt::core {

// A parameter whose fallback is the JSON text "null" is optional: unset, its value has is_default =
// 1, real = NaN and integer = -1.
struct SolverDescriptor {
  const char* name;
  const char* summary;  // a sentence or two, with the source
  std::span<const sculpt_parameter> parameters;
  // Takes one checked value for each parameter, in order. Throws Failure(Exit::config) where they
  // do not go together.
  std::unique_ptr<Solver> (*create)(std::span<const sculpt_value> values);
  bool minimizes = true;  // P; else it is only reported

  // Whether it has a parameter of that name.
  bool takes(std::string_view parameter) const;
};

}  // namespace sculpt::core
