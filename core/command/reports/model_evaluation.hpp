// model_evaluation.hpp - the metrics of a model on the examples that were read for it.
//
// Called by evaluate and libsculpt.
#pragma once

#include <string>

#include "command/inputs/loaded_model.hpp"
#include "problem/prediction/probabilities.hpp"

namespace sculpt::core {

// Warns of examples that are left out. `data`: their name in messages. Throws Failure(Exit::data)
// if no example is labelled.
Evaluation evaluate_examples(LoadedModel& model, Predictor& predictor, Probabilities& probabilities,
                             const std::string& data);

}  // namespace sculpt::core
