// environment.hpp - replaces ${env:NAME} and ${env:NAME:default} in the texts of an experiment.
//
// Called by experiment.cpp, after the overrides. So an overridden value does not need its variable.
#pragma once

#include "experiment/json_document.hpp"

namespace sculpt::core {

// Replaces the references in every text of the document, except in inline data (dataset.train.text
// and similar keys), which may contain any character. Keys are not changed. Throws
// Failure(Exit::config) for a variable that is not set and has no default, and for a ${...} of
// another kind. A result that contains "${" is refused too: it would be expanded again when the
// resolved experiment is read.
void expand_environment(JsonDocument& document);

}  // namespace sculpt::core
