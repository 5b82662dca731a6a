#include "launch/component_search.hpp"

#include <algorithm>

#include "base/failure.hpp"
#include "base/surroundings.hpp"
#include "experiment/component_use.hpp"
#include "experiment/experiment_keys.hpp"
#include "experiment/kernel_keys.hpp"
#include "launch/console.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {

std::uint32_t kind_of(const std::string& section) {
  if (section == "dataset") return SCULPT_KIND_DATASET;
  if (section == "features") return SCULPT_KIND_FEATURES;
  if (section == "loss") return SCULPT_KIND_LOSS;
  if (section == "kernel") return SCULPT_KIND_KERNEL;
  return SCULPT_KIND_ORACLE;
}

IsDeclared declared_in(Registry& registry) {
  return [&registry](const std::string& section, const std::string& use, const std::string& key) {
    auto declares = [&key](std::span<const sculpt_parameter> table) {
      return std::any_of(table.begin(), table.end(),
                         [&](const sculpt_parameter& entry) { return key == entry.name; });
    };
    if (section == "solver") {
      const SolverDescriptor* solver = find_solver(use);
      return solver == nullptr || declares(solver->parameters);
    }
    if (section == "oracle" && use == combine) return declares(combine_keys);
    const HostKernel* const host = section == "kernel" ? find_host_kernel(use) : nullptr;
    if (host != nullptr) return declares(host->keys);
    try {
      return declares(parameters_of(*registry.find(kind_of(section), use).component));
    } catch (const Failure& failure) {
      if (failure.ends_process()) throw;
      return true;  // a later check refuses it with a better message
    }
  };
}

Registry::Settings registry_settings() {
  Registry::Settings settings;
  settings.plugin_path = surroundings().plugin_path();
  settings.catalogues = surroundings().catalogues();
  settings.warn = [](const std::string& text) { Console().warn(text); };
  return settings;
}

Registry::Settings registry_settings(const JsonDocument& document,
                                     const std::vector<Override>& overrides) {
  Registry::Settings settings = registry_settings();
  for (const std::string& folder : plugin_path_of(document, overrides)) {
    settings.plugin_path.emplace_back(folder);
  }
  settings.experiment_folder = document.position("").source->folder;
  return settings;
}

}  // namespace sculpt::core
