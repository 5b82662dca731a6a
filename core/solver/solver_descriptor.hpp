// solver_descriptor.hpp - a solver by name: its parameters, and how it is made of their values.
//
// Each solver defines its descriptor in its own file; solver_descriptor.cpp lists their names.
// Looked up by command/ and launch/.
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

// All that there are, in the order in which they are listed for users. [main]
std::span<const SolverDescriptor* const> solvers();
// For programs that bring a solver of their own, before any is looked up; it lives on. [main]
// Throws Failure(Exit::internal) where its name is taken, or that of a parameter twice: from the
// initializer of a static variable that ends the program before main(). Its file belongs to the
// program: from a static library the linker takes only files that something else names.
void add_solver(const SolverDescriptor& solver);

// nullptr when there is none of that name.
const SolverDescriptor* find_solver(std::string_view name);

}  // namespace sculpt::core
