// environment.hpp - ${env:NAME} and ${env:NAME:default} in the texts of an experiment.
//
// Called by experiment.cpp, after the overrides, so that a value that is overridden need not have
// its variable set.
#pragma once

#include "experiment/json_document.hpp"

namespace sculpt::core {

// Replaces the references in every text of the document but inline data (dataset.train.text and the
// like): data may hold any character. Keys stay. Throws Failure(Exit::config): a variable that is
// not set and has no default, a ${...} of another kind, or a result that holds "${" again (which
// would be expanded a second time when the resolved experiment is read).
void expand_environment(JsonDocument& document);

}  // namespace sculpt::core
