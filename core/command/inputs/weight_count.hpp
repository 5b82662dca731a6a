// weight_count.hpp - refuses a model whose number of weights is not that of its features.
//
// Called by LoadedModel and FinishedRun after the components are bound.
#pragma once

#include <string>

#include "model/model_file.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {

// What may be wrong if the components are those of the training, and what to do.
inline constexpr const char* weight_count_advice =
    ". The state of a component may lack something learned in training: run `sculpt check` on the "
    "experiment. If a plugin has changed since, or the model is damaged, train again";

// Throws Failure(Exit::data), with `advice` at the end of the message.
void require_weight_count(const ModelFile& model, Problem& problem, const std::string& advice);

}  // namespace sculpt::core
