#include "command/inputs/model_objective.hpp"

#include <nlohmann/json.hpp>

#include "base/failure.hpp"

namespace sculpt::core {

std::unique_ptr<Objective> objective_of(const ModelFile& model) {
  try {
    return objective_in(model.header().at("formulation"));
  } catch (const Failure& failure) {
    throw failure.with_text(model.path().string() + ": " + failure.what());
  }
}

}  // namespace sculpt::core
