// experiment_factory.hpp - makes the problems of an experiment for `sculpt check`, and changed
// copies of the experiment.
//
// Called by subject_finder.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "check/fixture/problem_factory.hpp"
#include "experiment/json_document.hpp"
#include "experiment/overrides.hpp"
#include "registry/registry.hpp"

namespace sculpt::core {

// `prepare` may change the document before the overrides are applied. Throws Failure.
std::unique_ptr<ExperimentFactory> open_experiment(
    JsonDocument document, const std::vector<Override>& overrides, Registry::Settings settings,
    const std::function<void(Registry&, JsonDocument&)>& prepare);

}  // namespace sculpt::core
