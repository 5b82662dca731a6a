// solver_list.hpp - all solvers, by name.
//
// Used by command/ and launch/. A new solver of the host needs a folder next to this one and a line
// in solver_list.cpp.
#pragma once

#include <span>
#include <string_view>

#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

// All solvers, in the order in which users see them. [main]
std::span<const SolverDescriptor* const> solvers();
// Adds a solver of another program. Call it before any solver is looked up. The solver must outlive
// all uses. [main] Throws Failure(Exit::internal) if its name is taken, or if two of its parameters
// have one name. Thrown from the initializer of a static variable, this ends the program before
// main(). Compile the file into the program: the linker takes from a static library only files that
// something refers to.
void add_solver(const SolverDescriptor& solver);

// nullptr if no solver has that name.
const SolverDescriptor* find_solver(std::string_view name);

}  // namespace sculpt::core
