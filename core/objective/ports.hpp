// ports.hpp - what a problem offers to solvers, each of which asks for what it needs.
//
// Handed to Solver::solve(); filled by problem/problem_ports.hpp. What a problem lacks is refused
// before anything is trained (Solver::require_ports).
#pragma once

#include <string>

#include "objective/count_source.hpp"
#include "objective/expectation_source.hpp"
#include "objective/plane_source.hpp"

namespace sculpt::core {

enum class Port {
  planes,
  expectations,
  groups  // CountSource::groups(); sums of truths are there wherever there are counts
};

// All that is referred to outlives it.
struct Ports {
  Ports() = default;
  Ports(PlaneSource& alone) : planes(&alone) {}  // NOLINT(google-explicit-constructor)

  PlaneSource* planes = nullptr;
  ExpectationSource* expectations = nullptr;
  CountSource* counts = nullptr;
  // What keeps the problem from offering them, in a sentence that names its components; "" where
  // nothing does.
  std::string obstacle_to_expectations = "there are no expectations";
  std::string obstacle_to_groups = "there are no groups";

  std::string obstacle_to(Port port) const {
    switch (port) {
      case Port::planes:
        return planes != nullptr ? "" : "there are no planes";
      case Port::expectations:
        return obstacle_to_expectations;
      case Port::groups:
        return obstacle_to_groups;
    }
    return "";
  }
};

}  // namespace sculpt::core
