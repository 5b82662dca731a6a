// training_texts.hpp - the training examples of a run in their own text, for what describe and
// explain print of a model with a kernel.
//
// Called by model_summary.cpp and explanation_report.cpp. Reads the dataset alone, with its state
// from the model: no features, no oracle.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "launch/assembly.hpp"
#include "model/model_file.hpp"
#include "problem/components/dataset.hpp"
#include "problem/plugin/services.hpp"
#include "registry/registry.hpp"

namespace sculpt::core {

class TrainingTexts {
 public:
  // Loads the training data that config.json of a run names. Throws Failure if they are gone or
  // have changed.
  TrainingTexts(const std::filesystem::path& folder, const ModelFile& model);

  // "train.txt:17: the DT cat NN": where the example begins, and its text with the truth, cut to a
  // line. "": the dataset tells neither.
  std::string text(std::int64_t example) const;

 private:
  TrainingTexts(const JsonDocument& config, const ModelFile& model);

  Registry registry_;
  Assembly assembly_;
  Workers workers_;
  Services services_;
  ProblemSpec spec_;
  Component component_;
  Dataset dataset_;
};

// The training data of a run. nullptr if a model has no run, or if its data are gone: then a
// warning says that examples are shown by number.
std::unique_ptr<TrainingTexts> training_texts(const std::filesystem::path& path,
                                              const ModelFile& model);

// All white space as single spaces, cut to the characters of a line.
std::string in_one_line(const std::string& text);

}  // namespace sculpt::core
