// loaded_model.hpp - a model that is ready to predict.
//
// Called by predict, evaluate and describe.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "launch/assembly.hpp"
#include "launch/console.hpp"
#include "model/model_file.hpp"
#include "problem/prediction/predictor.hpp"
#include "problem/problem.hpp"
#include "registry/registry.hpp"

namespace sculpt::core {

class CommandLine;
using Arguments = std::vector<std::string>;

class LoadedModel {
 public:
  // `model`: a model file or a run folder. `data`: read as the split "predict"; without it there
  // are no examples. Throws Failure.
  LoadedModel(const std::filesystem::path& model, const std::optional<std::string>& data,
              int threads, const std::vector<Override>& overrides = {});
  // The same for a model file that was already read.
  LoadedModel(std::shared_ptr<const ModelFile> file, const std::optional<std::string>& data,
              int threads, const std::vector<Override>& overrides = {});

  const ModelFile& file() const { return *file_; }
  const Assembly& assembly() const { return assembly_; }
  Problem& problem() { return *problem_; }
  // The weights of problem(): those of the file, or with a kernel the scores of all atoms.
  const Vector& weights() const { return problem_->kernel() ? scores_ : file_->weights(); }
  // T of the log-loss that the model minimizes. Nothing: it has another objective.
  std::optional<double> temperature() const;
  // The examples of `data`.
  Range examples() { return problem_->dataset().split("predict"); }
  Predictor predictor();

 private:
  Console console_;
  std::shared_ptr<const ModelFile> file_;
  Registry registry_;
  Assembly assembly_;
  std::unique_ptr<Problem> problem_;
  Vector scores_;  // empty without a kernel
};

// The start of predict and evaluate. The command line is MODEL DATA [--set KEY=VALUE] [--threads
// N], with the options that `line` already has. Catches stop signals, then loads the model and
// reads the data. Returns nullptr if --help was given; the help has been printed. Throws Failure.
// `check_options` is called before anything is read; it may be empty.
std::unique_ptr<LoadedModel> load_model(
    CommandLine& line, const Arguments& arguments,
    const std::function<void(const CommandLine&)>& check_options = {});

}  // namespace sculpt::core
