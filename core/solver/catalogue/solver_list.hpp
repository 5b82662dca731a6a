// solver_list.hpp - all solvers, by name.
//
// Looked up by command/ and launch/. A new solver of the host is a folder beside this one and a
// line in solver_list.cpp.
#pragma once

#include <span>
#include <string_view>

#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

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
