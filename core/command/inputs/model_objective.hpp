// model_objective.hpp - what a model was trained for.
//
// Called by predict, evaluate and describe.
#pragma once

#include <memory>

#include "model/model_file.hpp"
#include "objective/objective.hpp"

namespace sculpt::core {

// Throws what objective_in() throws. A Failure begins with the path of the model.
std::unique_ptr<Objective> objective_of(const ModelFile& model);

}  // namespace sculpt::core
