// loaded_model.hpp - a model ready to be used on data.
//
// Called by predict, evaluate and describe.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "command/assembly.hpp"
#include "command/console.hpp"
#include "model/model_file.hpp"
#include "problem/predictor.hpp"
#include "problem/problem.hpp"
#include "registry/registry.hpp"

namespace sculpt::core {

class LoadedModel {
 public:
  // `model`: a model file or a run folder. `data`: read as the split "predict"; none: no examples.
  // Throws Failure.
  LoadedModel(const std::filesystem::path& model, const std::optional<std::string>& data,
              int threads);

  const ModelFile& file() const { return file_; }
  const Assembly& assembly() const { return assembly_; }
  Problem& problem() { return *problem_; }
  const Vector& weights() const { return file_.weights(); }
  Range examples() { return problem_->dataset().split("predict"); }
  Predictor predictor();

 private:
  Console console_;
  ModelFile file_;
  Registry registry_;
  Assembly assembly_;
  std::unique_ptr<Problem> problem_;
};

// Where the log, the progress and the cancel request of components go.
Callbacks callbacks_to(Console& console);

}  // namespace sculpt::core
