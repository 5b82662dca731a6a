#include "sweep/runs/final_run.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/failure.hpp"
#include "base/surroundings.hpp"
#include "launch/assembly.hpp"
#include "launch/component_search.hpp"
#include "launch/resume.hpp"
#include "launch/run_identity.hpp"
#include "sweep/runs/cell_record.hpp"
#include "sweep/runs/sculpt_process.hpp"

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

// True if the existing run has other settings, or none that can be read. Compares config.json,
// which train wrote. A file of our own would be wrong until train replaces the run, and forever if
// we are killed in between.
bool has_other_config(const fs::path& run, const Json& config) {
  const Json existing = config_value(run, "");
  try {
    require_same_config(existing, config, run.string());
  } catch (const Failure&) {
    return true;
  }
  return false;
}

}  // namespace

std::optional<int> train_on_all(const FinalRun& run, const SweepFolder& folder) {
  std::vector<std::string> arguments{"train",     run.config,
                                     "--output",  folder.best().string(),
                                     "--threads", std::to_string(run.threads)};
  std::vector<std::string> settings = run.settings;
  settings.emplace_back("hold_out=null");
  for (const std::string& setting : settings) {
    arguments.insert(arguments.end(), {"--set", setting});
  }
  if (run.is_quiet) arguments.emplace_back("--quiet");
  if (fs::exists(folder.best())) {
    const bool is_changed = has_other_config(folder.best(), config_of(run.config, settings));
    arguments.emplace_back(is_changed ? "--force" : "--resume");
  }
  CellProcess process(arguments, "");
  const auto result = process.wait(stop_request());
  return result ? std::optional(result->exit_code) : std::nullopt;
}

}  // namespace sculpt::core
