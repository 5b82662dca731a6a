// ports.hpp - the ports that a problem offers to solvers. Each solver uses those that it needs.
//
// Passed to Solver::solve(). Filled by problem/sources/problem_ports.hpp. If the problem lacks a
// port, the run is refused before training (Solver::require_ports).
#pragma once

#include <string>

#include "objective/count_source.hpp"
#include "objective/expectation_source.hpp"
#include "objective/plane_source.hpp"
#include "objective/sample_source.hpp"

namespace sculpt::core {

class CellSource;

enum class Port {
  planes,
  expectations,
  uniform_expectations,  // at w = 0 and loss_weight 0 only
  loss_in_expectations,  // at a loss_weight other than 0
  loss_covariances,      // ExpectationSource::compute_loss_moments()
  samples,
  cells,   // CellSource
  truths,  // CountSource::sum_truths()
  groups   // CountSource::groups()
};

// The name of a port in messages, e.g. "expectations of features".
const char* name_of(Port port);
// What to change if a problem lacks this port.
const char* remedy_for(Port port);

// The sources must outlive it.
struct Ports {
  Ports() = default;
  Ports(PlaneSource& source) : planes(&source) {}  // NOLINT(google-explicit-constructor)

  // The planes have an inner product of their own, and there are no other ports.
  bool has_kernel = false;
  PlaneSource* planes = nullptr;
  ExpectationSource* expectations = nullptr;
  // For w = 0 and loss_weight 0 only, without calls of the oracle. nullptr: not offered.
  ExpectationSource* uniform_expectations = nullptr;
  SampleSource* samples = nullptr;
  CellSource* cells = nullptr;
  CountSource* counts = nullptr;
  // Why the problem does not offer them: a sentence that names its components. "": it offers them.
  std::string obstacle_to_expectations = "there are none";
  std::string obstacle_to_loss_in_expectations = "there are no expectations";
  std::string obstacle_to_loss_covariances = "there are no expectations";
  std::string obstacle_to_samples = "there are none";
  std::string obstacle_to_cells = "there are none";
  std::string obstacle_to_groups = "there are none";

  // The source of Port::uniform_expectations. nullptr: there is none.
  ExpectationSource* source_of_uniform_expectations() const {
    return uniform_expectations != nullptr ? uniform_expectations : expectations;
  }
  // Why the problem does not offer the port, or "".
  std::string obstacle_to(Port port) const;
  // One of the sources: all have the same examples and weights. nullptr: there is none.
  const ExampleSource* any_source() const;
  // True if examples have weights other than 1.
  bool weighs_examples() const {
    return any_source() != nullptr && !any_source()->example_weights().empty();
  }
  // True if w_j >= 0 is demanded for any weight.
  bool bounds_weights() const {
    return any_source() != nullptr && !any_source()->nonnegative().empty();
  }
};

}  // namespace sculpt::core
