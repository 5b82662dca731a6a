#include "sweep/runs/final_run.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/failure.hpp"
#include "base/surroundings.hpp"
#include "launch/assembly.hpp"
#include "launch/component_search.hpp"
#include "launch/resume.hpp"
#include "launch/run_identity.hpp"
#include "sweep/runs/cell_end.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The config.json that train would write.
Json config_of(const std::string& config, const std::vector<std::string>& settings) {
  const JsonDocument document = JsonDocument::read(config);
  const std::vector<Override> overrides = parse_overrides(settings);
  Registry::Settings registry_choices = registry_settings(document, overrides);
  registry_choices.warn = {};  // train will warn
  Registry registry(std::move(registry_choices));
  const Experiment experiment(document, overrides, declared_in(registry));
  const Assembly assembly(experiment, registry);
  const ChosenSolver solver(experiment.solver);
  return RunIdentity(assembly, solver).config();
}

std::vector<std::string> all_settings(const FinalRun& run) {
  std::vector<std::string> settings = run.settings;
  settings.emplace_back("hold_out=null");
  return settings;
}

// True if the existing run has other settings, or none that can be read. Compares config.json,
// which train wrote. A file of our own would be wrong until train replaces the run, and forever if
// we are killed in between.
bool has_other_settings(const FinalRun& run, const SweepFolder& folder) {
  const Json existing = config_value(folder.best(), "");
  const Json config = config_of(run.config, all_settings(run));
  try {
    require_same_config(existing, config, folder.best().string());
  } catch (const Failure&) {
    return true;
  }
  return false;
}

}  // namespace

std::optional<ProcessExit> train_on_all(const FinalRun& run, const SweepFolder& folder,
                                        const fs::path& log) {
  std::vector<std::string> arguments{"train",     run.config,
                                     "--output",  folder.best().string(),
                                     "--threads", std::to_string(run.threads)};
  for (const std::string& setting : all_settings(run)) {
    arguments.insert(arguments.end(), {"--set", setting});
  }
  if (run.is_quiet) arguments.emplace_back("--quiet");
  if (fs::exists(folder.best())) {
    arguments.emplace_back(has_other_settings(run, folder) ? "--force" : "--resume");
  }
  forget_cell_end(folder.best_end());
  const auto result = CellProcess(arguments, log).wait(stop_request());
  if (result) {
    store_end(folder.best_end(), read_cell(folder.best(), log, result->exit_code), *result);
  }
  return result;
}

}  // namespace sculpt::core
