// ports.hpp - what a problem offers to solvers, each of which asks for what it needs.
//
// Handed to Solver::solve(); filled by problem/sources/problem_ports.hpp. What a problem lacks is
// refused before anything is trained (Solver::require_ports).
#pragma once

#include <string>

#include "objective/count_source.hpp"
#include "objective/expectation_source.hpp"
#include "objective/plane_source.hpp"

namespace sculpt::core {

enum class Port {
  planes,
  expectations,
  truths,  // CountSource::sum_truths()
  groups   // CountSource::groups()
};

// "expectations", for messages.
const char* name_of(Port port);
// What to change where a problem lacks it.
const char* remedy_for(Port port);

// All that is referred to outlives it.
struct Ports {
  Ports() = default;
  Ports(PlaneSource& alone) : planes(&alone) {}  // NOLINT(google-explicit-constructor)

  PlaneSource* planes = nullptr;
  ExpectationSource* expectations = nullptr;
  CountSource* counts = nullptr;
  // What keeps the problem from offering them, in a sentence that names its components; "" where
  // nothing does.
  std::string obstacle_to_expectations = "there are none";
  std::string obstacle_to_groups = "there are none";

  std::string obstacle_to(Port port) const;
  // Any of the sources: all say the same of examples and weights. nullptr: there is none.
  const ExampleSource* any() const;
  // Whether w_j >= 0 is demanded anywhere.
  bool bounds_weights() const { return any() != nullptr && !any()->nonnegative().empty(); }
};

}  // namespace sculpt::core
