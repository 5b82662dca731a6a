#include "launch/run_identity.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/file/content_hash.hpp"
#include "base/text/nearest_name.hpp"
#include "launch/example_weights.hpp"
#include "objective/objective.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const SolverDescriptor& find_descriptor(const Section& section) {
  if (const SolverDescriptor* found = find_solver(section.use)) return *found;
  std::vector<std::string> names;
  for (const SolverDescriptor* known : solvers()) names.emplace_back(known->name);
  refuse(section.use_position,
         "there is no solver \"" + section.use + "\"; " + suggest_name(section.use, names));
}

// Adds hashes of the files that keys other than the splits name: {"features.lexicon": [hash]}. A
// path that is no file is added as it is.
void add_path_hashes(const std::string& section, const CheckedParameters& parameters,
                     Json& hashes) {
  const Json other_keys = parameters.resolved_without_paths();
  for (const auto& [key, value] : parameters.resolved().items()) {
    if (other_keys.contains(key)) continue;
    Json& list = hashes[section + "." + key] = Json::array();
    for (const Json& path : value.is_array() ? value : Json::array({value})) {
      std::error_code problem;
      const bool is_file =
          path.is_string() && fs::is_regular_file(path.get<std::string>(), problem);
      list.push_back(is_file ? Json(file_hash(path.get<std::string>())) : path);
    }
  }
}

}  // namespace

ChosenSolver::ChosenSolver(const Section& section)
    : descriptor(find_descriptor(section)),
      parameters(descriptor.parameters, section.keys, section.use) {}

bool ChosenSolver::declares_warm_start() const {
  return std::any_of(descriptor.parameters.begin(), descriptor.parameters.end(),
                     [](const sculpt_parameter& parameter) {
                       return std::string_view(parameter.name) == "warm_start";
                     });
}

const char* ChosenSolver::warm_start() const {
  return declares_warm_start() ? parameters.value("warm_start").text : nullptr;
}

Json dataset_files(const Assembly& assembly) {
  const CheckedParameters& parameters = assembly.parameters(0);
  const Json other_keys = parameters.resolved_without_paths();
  Json files = Json::object();
  const auto add = [&files](const std::string& name, const Json& path) {
    std::error_code ignored;
    if (path.is_string() && fs::is_regular_file(path.get<std::string>(), ignored)) {
      files[name] = path;
    }
  };
  for (const auto& [key, value] : parameters.resolved().items()) {
    if (other_keys.contains(key)) continue;
    const std::string name = "dataset." + key;
    add(name, value);
    for (std::size_t k = 0; value.is_array() && k < value.size(); ++k) {
      add(name + "[" + std::to_string(k) + "]", value[k]);
    }
  }
  return files;
}

Json data_hashes(const Assembly& assembly) {
  const Experiment& experiment = assembly.experiment();
  Json hashes = Json::object();
  for (const Split& split : experiment.splits) {
    hashes[split.name] =
        split.text ? hash_text(*split.text)
                   : file_hash(split.path, "; check the path" + missing_file_advice(split));
  }
  const bool has_groups = experiment.hold_out && !experiment.hold_out->groups.empty();
  if (has_groups) {
    hashes["groups"] = file_hash(experiment.hold_out->groups, "; check \"hold_out.groups\"");
  }
  const Json files = dataset_files(assembly);
  for (const auto& [key, path] : files.items()) {
    hashes[key] = file_hash(path.get<std::string>(), "; check \"" + key + "\"");
  }
  return hashes;
}

// Positions: dataset, features, loss, members of the oracle, solver, then the oracles that are used
// only for the evaluation.
const CheckedParameters& RunIdentity::parameters(std::size_t position) const {
  const std::size_t components = assembly_.part_count();
  if (position == components) return solver_.parameters;
  return assembly_.parameters(position < components ? position : position - 1);
}

Json RunIdentity::config() const {
  return experiment_.resolved(
      [this](const Section&, std::size_t position) { return parameters(position).resolved(); });
}

Json RunIdentity::model_header(const Json& data) const {
  Json json = {
      {"sculpt", SCULPT_VERSION},
      {"name", experiment_.name},
      {"config", experiment_.resolved_for_model([this](const Section&, std::size_t position) {
         return parameters(position).resolved_without_paths();
       })},
      {"components", assembly_.components()},
      {"data", data},
      {"seed", experiment_.seed}};
  if (!planes_hash_.empty()) json["warm_start"] = planes_hash_;
  return json;
}

Json RunIdentity::model_header(const Json& data, const Problem& problem,
                               const Objective& objective) const {
  Json json = model_header(data);
  json["examples"] = problem.training().size();
  json["dimension"] = problem.dimension();
  json["formulation"] = objective.json();
  if (!problem.example_weights().empty()) {
    json["example_weights"] = example_weights_json(problem.example_weights());
  }
  return json;
}

Json RunIdentity::file_hashes() const {
  Json hashes = Json::object();
  std::size_t position = 0;
  for (const char* section : {"dataset", "features", "loss"}) {
    add_path_hashes(section, parameters(position++), hashes);
  }
  for (std::size_t k = 0; k < experiment_.oracle.members.size(); ++k) {
    add_path_hashes("oracle", parameters(position++), hashes);
  }
  return {{"paths", hashes}, {"libraries", assembly_.libraries()}};
}

}  // namespace sculpt::core
