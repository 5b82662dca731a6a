// loaded_model.hpp - a model that is ready to predict.
//
// Called by predict, evaluate and describe.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "command/inputs/piped_text.hpp"
#include "launch/assembly.hpp"
#include "launch/console.hpp"
#include "model/model_file.hpp"
#include "problem/prediction/predictor.hpp"
#include "problem/problem.hpp"
#include "registry/registry.hpp"

namespace sculpt::core {

class CommandLine;
using Arguments = std::vector<std::string>;

// How a pipe is read: at once, or by LoadedModel::next_part(), as far as the dataset allows.
enum class PipeReading { whole, parts };

class LoadedModel {
 public:
  // `model`: a model file or a run folder. `data`: read as the split "predict"; without it there
  // are no examples. It may be "-", a pipe or a device. Throws Failure.
  LoadedModel(const std::filesystem::path& model, const std::optional<std::string>& data,
              int threads, const std::vector<Override>& overrides = {},
              PipeReading reading = PipeReading::whole,
              Console::Prints prints = Console::Prints::all);
  // The same for a model file that was already read.
  LoadedModel(std::shared_ptr<const ModelFile> file, const std::optional<std::string>& data,
              int threads, const std::vector<Override>& overrides = {},
              PipeReading reading = PipeReading::whole,
              Console::Prints prints = Console::Prints::all);

  // The same for a source, such as a text, which may have no examples.
  LoadedModel(std::shared_ptr<const ModelFile> file, SplitSource source, int threads,
              const std::vector<Override>& overrides, Console::Prints prints);

  const ModelFile& file() const { return *file_; }
  const Assembly& assembly() const { return assembly_; }
  Problem& problem() { return *problem_; }
  // The weights of problem(): those of the file, or with a kernel the scores of all atoms.
  const Vector& weights() const { return problem_->kernel() ? scores_ : file_->weights(); }
  // T of the log-loss that the model minimizes. Nothing: it has another objective.
  std::optional<double> temperature() const;
  // Reads the next examples. Without a pipe, the first call has all of them. Returns false if there
  // are none left. Ends the use of problem() and weights(). Throws Failure: lines count from the
  // start of the pipe.
  bool next_part();
  // The number of the first example of this part among all of them.
  std::int64_t first_number() const { return first_number_; }
  // True until a part with examples was used.
  bool is_first_part() const { return is_first_part_; }
  // The examples of `data`, or of this part of it.
  Range examples() { return problem_->dataset().split("predict"); }
  Predictor predictor();

 private:
  LoadedModel(std::shared_ptr<const ModelFile> file, int threads,
              const std::vector<Override>& overrides, Console::Prints prints);
  void make_problem(std::vector<SplitSource> sources);
  void require_one_input() const;
  void load_part(const TextPart& part);
  Callbacks callbacks();

  Console console_;
  std::shared_ptr<const ModelFile> file_;
  Registry registry_;
  Assembly assembly_;
  std::unique_ptr<Problem> problem_;
  Vector scores_;  // empty without a kernel

  int threads_;
  const char* advice_on_count_ = "";  // if the model has another number of weights
  std::string path_;                  // of the data
  bool has_next_ = true;
  // Of a pipe that is read in parts:
  std::unique_ptr<PipedText> pipe_;
  PartEnd part_end_ = PartEnd::none;
  std::deque<TextPart> waiting_;  // parts of a part with an error
  std::int64_t first_line_ = 1;   // of the part that is loaded
  std::int64_t first_number_ = 0;
  bool is_first_part_ = true;
  std::set<std::string> warnings_;  // of all parts
};

// The start of predict and evaluate. The command line is MODEL DATA [--set KEY=VALUE] [--threads
// N], with the options that `line` already has. Catches stop signals, then loads the model and
// reads the data. Returns nullptr if --help was given; the help has been printed. Throws Failure.
// `check_options` is called before anything is read; it may be empty.
std::unique_ptr<LoadedModel> load_model(
    CommandLine& line, const Arguments& arguments,
    const std::function<void(const CommandLine&)>& check_options = {},
    PipeReading reading = PipeReading::whole);

}  // namespace sculpt::core
