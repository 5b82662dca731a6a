#include "command/training/other_data_start.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"
#include "base/text/message_text.hpp"
#include "launch/assembly.hpp"
#include "launch/resume.hpp"
#include "launch/run_identity.hpp"
#include "run/checkpoint.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

fs::path start_path(const fs::path& checkpoints) {
  return checkpoints / "start.sculpt";
}

[[noreturn]] void refuse(const Experiment& experiment, const std::string& reason) {
  throw Failure(Exit::config, experiment.solver.keys.position("/warm_start").text() +
                                  ": \"warm_start\": " + reason);
}

// The model at this path. Empty if there is none, or if it cannot be read: then the usual way of
// loading says what is wrong, or needs no model.
std::optional<ModelFile> model_at(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored) && !fs::exists(path / "model.sculpt", ignored)) {
    return std::nullopt;
  }
  try {
    return ModelFile(path);
  } catch (const Failure& failure) {
    if (failure.ends_process()) throw;
    return std::nullopt;
  }
}

// True if the earlier run may have learned from what this one holds out of the same data. Such
// weights are none of other data: the comparison of runs refuses them.
bool may_know_held_out(const Json& earlier, const Json& current) {
  const auto train = "/data/train"_json_pointer;
  return current.value("/config/hold_out"_json_pointer, Json()) != Json() &&
         earlier.value(train, Json()) == current.value(train, Json());
}

}  // namespace

std::optional<ModelFile> other_data_start(const Experiment& experiment, Registry& registry,
                                          const fs::path& output, bool resumes) {
  const ChosenSolver solver(experiment.solver);
  if (solver.warm_start() == nullptr) return std::nullopt;
  const fs::path checkpoints = output / "checkpoints";
  std::error_code ignored;
  if (resumes && has_checkpoint(checkpoints)) {
    if (!fs::exists(start_path(checkpoints), ignored)) return std::nullopt;
    return ModelFile(start_path(checkpoints));
  }
  std::optional<ModelFile> model = model_at(solver.warm_start());
  if (!model) return std::nullopt;
  const Assembly assembly(experiment, registry);
  const Json header = RunIdentity(assembly, solver).model_header(data_hashes(assembly));
  if (has_same_examples(model->header(), header)) return std::nullopt;
  if (may_know_held_out(model->header(), header)) return std::nullopt;
  try {
    require_same_names(model->header(), header, model->path().string());
  } catch (const Failure& difference) {
    refuse(experiment, difference.what());
  }
  if (experiment.kernel) {
    refuse(experiment,
           model->path().string() +
               " learned from other data, and with a kernel its weights belong to those "
               "rows; name a run on the same data, or leave \"warm_start\" out");
  }
  return model;
}

Vector weights_of_other_data(const ModelFile& model, const Experiment& experiment,
                             const Problem& problem) {
  if (std::ssize(model.weights()) == problem.dimension()) return model.weights();
  refuse(experiment, model.path().string() + " has " +
                         count_text(std::ssize(model.weights()), "weight") +
                         ", but these features have " + std::to_string(problem.dimension()) +
                         " on the new data; leave \"warm_start\" out");
}

void keep_start_model(const ModelFile& model, const fs::path& checkpoints) {
  std::error_code problem;
  fs::create_directories(checkpoints, problem);
  if (problem) {
    throw system_failure(Exit::write_failed, checkpoints.string() + ": cannot be created",
                         problem.value());
  }
  Json header = model.header();
  for (const char* key : {"format", "version", "arrays"}) header.erase(key);
  write_model(start_path(checkpoints), {header, model.weights(), model.states()});
}

}  // namespace sculpt::core
