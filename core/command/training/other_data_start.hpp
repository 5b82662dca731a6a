// other_data_start.hpp - a run that begins with the weights and the dictionaries of a model that
// was learned from other data.
//
// Called by train. Planes belong to examples, so they are of no use then. The components take the
// state of the model, as for prediction: names that it does not know are treated as there. The
// model is kept in the run folder as checkpoints/start.sculpt, so that --resume does not need the
// earlier run.
#pragma once

#include <filesystem>
#include <optional>

#include "experiment/experiment.hpp"
#include "linalg/vector.hpp"
#include "model/model_file.hpp"
#include "problem/problem.hpp"
#include "registry/registry.hpp"

namespace sculpt::core {

// The model to begin with. Empty: the run has no `warm_start`, or that run learned from the same
// examples; then its planes or weights are loaded in the usual way (warm_start_planes.hpp).
// `output`: the run folder. Throws Failure; Exit::config if the model has other names for its
// weights, or a kernel.
std::optional<ModelFile> other_data_start(const Experiment& experiment, Registry& registry,
                                          const std::filesystem::path& output, bool resumes);

// The weights of this model. Throws Failure(Exit::config) if the problem has another number.
Vector weights_of_other_data(const ModelFile& model, const Experiment& experiment,
                             const Problem& problem);

// Writes the model to the folder of checkpoints, which it makes. Throws
// Failure(Exit::write_failed).
void keep_start_model(const ModelFile& model, const std::filesystem::path& checkpoints);

}  // namespace sculpt::core
