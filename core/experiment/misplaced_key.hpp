// misplaced_key.hpp - keys of the top level that belong into a section: C is solver.C.
//
// Called by experiment.cpp, after the overrides.
#pragma once

#include "experiment/json_document.hpp"
#include "experiment/overrides.hpp"

namespace sculpt::core {

// Throws Failure(Exit::config) for an unknown key of the top level that a section has a place for.
// It may be a key of the section's component, a split of the dataset, or the component's name. The
// message has the full key. Other unknown keys are left to the table of the top level.
void refuse_misplaced_keys(const JsonDocument& document, const IsDeclared& is_declared);

}  // namespace sculpt::core
