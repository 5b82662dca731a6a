// audit_check.hpp - whether a run can be audited.
//
// Called by train, and by sweep for all its points before the first cell starts.
#pragma once

#include "experiment/experiment.hpp"
#include "objective/objective.hpp"

namespace sculpt::core {

// An audit computes the slacks of hinges. Throws Failure(Exit::config) if the experiment asks for
// one, but the objective is another one. [any]
void require_audit_of_hinge(const Experiment& experiment, const Objective& objective);

}  // namespace sculpt::core
