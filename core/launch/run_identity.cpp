#include "launch/run_identity.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/file/content_hash.hpp"
#include "base/text/nearest_name.hpp"
#include "launch/example_weights.hpp"
#include "launch/split_sources.hpp"
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

Json without_validation(Json keys) {
  for (const char* key : {"validate_every", "validate_patience", "validate_metric"}) {
    keys.erase(key);
  }
  return keys;
}

// Calls visit(key, item, path) for each path that keys of a section name, other than the splits.
// `key`: "dataset.weights". `item`: its number in a list, nothing for a single path.
template <class Visit>
void each_path(const std::string& section, const CheckedParameters& parameters, Visit visit) {
  const Json other_keys = parameters.resolved_without_paths();
  for (const auto& [name, value] : parameters.resolved().items()) {
    if (other_keys.contains(name)) continue;
    const std::string key = section + "." + name;
    if (!value.is_array()) {
      visit(key, std::optional<std::size_t>(), value);
      continue;
    }
    for (std::size_t k = 0; k < value.size(); ++k) visit(key, std::optional(k), value[k]);
  }
}

// "dataset.weights", "dataset.files[0]"
std::string path_name(const std::string& key, std::optional<std::size_t> item) {
  return item ? key + "[" + std::to_string(*item) + "]" : key;
}

bool is_file(const Json& path) {
  std::error_code ignored;
  return path.is_string() && fs::is_regular_file(path.get<std::string>(), ignored);
}

// Adds hashes of the files that keys other than the splits name: {"features.lexicon": [hash]}. A
// path that is no file is added as it is. `known`: hashes by path_name() that are not computed
// again.
void add_path_hashes(const std::string& section, const CheckedParameters& parameters,
                     const Json& known, Json& hashes) {
  const Json other_keys = parameters.resolved_without_paths();
  for (const auto& [name, value] : parameters.resolved().items()) {
    if (!other_keys.contains(name)) hashes[section + "." + name] = Json::array();
  }
  each_path(section, parameters,
            [&](const std::string& key, std::optional<std::size_t> item, const Json& path) {
              const auto found = known.find(path_name(key, item));
              hashes[key].push_back(found != known.end() ? *found
                                    : is_file(path)      ? Json(file_hash(path.get<std::string>()))
                                                         : path);
            });
}

}  // namespace

ChosenSolver::ChosenSolver(const Section& section)
    : descriptor(find_descriptor(section)),
      parameters(descriptor.parameters, section.keys, section.use) {}

bool ChosenSolver::declares_warm_start() const {
  return descriptor.has_parameter("warm_start");
}

bool ChosenSolver::is_validated() const {
  return descriptor.has_parameter("validate_every") &&
         parameters.value("validate_every").is_default == 0;
}

Json ChosenSolver::resolved() const {
  return is_validated() ? parameters.resolved() : without_validation(parameters.resolved());
}

Json ChosenSolver::resolved_without_paths() const {
  Json keys = parameters.resolved_without_paths();
  return is_validated() ? keys : without_validation(std::move(keys));
}

const char* ChosenSolver::warm_start() const {
  return declares_warm_start() ? parameters.value("warm_start").text : nullptr;
}

Json dataset_files(const Assembly& assembly) {
  Json files = Json::object();
  each_path("dataset", assembly.parameters(0),
            [&](const std::string& key, std::optional<std::size_t> item, const Json& path) {
              if (is_file(path)) files[path_name(key, item)] = path;
            });
  return files;
}

std::string key_of_path_without_hash(const Assembly& assembly) {
  std::string first;
  each_path("dataset", assembly.parameters(0),
            [&](const std::string& key, std::optional<std::size_t>, const Json& path) {
              if (first.empty() && path.is_string() && !is_file(path)) first = key;
            });
  return first;
}

Json data_hashes(const Assembly& assembly, DataCache* cache) {
  const Experiment& experiment = assembly.experiment();
  const auto hash_of = [&](const std::string& path, const std::string& advice) {
    return cache != nullptr ? cache->hash(path, advice) : file_hash(path, advice);
  };
  Json hashes = Json::object();
  for (const Split& split : experiment.splits) {
    split.require_data();
    hashes[split.name] = split.rows != nullptr ? split.rows->hash()
                         : split.text
                             ? hash_text(*split.text)
                             : hash_of(split.path, "; check the path" + missing_file_advice(split));
  }
  const bool has_groups = experiment.hold_out && !experiment.hold_out->groups.empty();
  if (has_groups) {
    hashes["groups"] = file_hash(experiment.hold_out->groups, "; check \"hold_out.groups\"");
  }
  const Json files = dataset_files(assembly);
  for (const auto& [key, path] : files.items()) {
    hashes[key] = hash_of(path.get<std::string>(), "; check \"" + key + "\"");
  }
  return hashes;
}

// Positions: those of Assembly::components(), solver, then the oracles that are used only for the
// evaluation.
const CheckedParameters& RunIdentity::parameters(std::size_t position) const {
  if (is_solver(position)) return solver_.parameters;
  return assembly_.parameters(position < assembly_.part_count() ? position : position - 1);
}

bool RunIdentity::is_solver(std::size_t position) const {
  return position == assembly_.part_count();
}

Json RunIdentity::config() const {
  return experiment_.resolved([this](const Section&, std::size_t position) {
    return is_solver(position) ? solver_.resolved() : parameters(position).resolved();
  });
}

Json RunIdentity::model_header(const Json& data) const {
  Json json = {
      {"sculpt", SCULPT_VERSION},
      {"name", experiment_.name},
      {"config", experiment_.resolved_for_model([this](const Section&, std::size_t position) {
         return is_solver(position) ? solver_.resolved_without_paths()
                                    : parameters(position).resolved_without_paths();
       })},
      {"components", assembly_.components()},
      {"data", data},
      {"seed", experiment_.seed}};
  if (!warm_start_hash_.empty()) json["warm_start"] = warm_start_hash_;
  return json;
}

Json RunIdentity::model_header(const Json& data, const Problem& problem,
                               const Objective& objective) const {
  Json json = model_header(data);
  json["examples"] = problem.training().size();
  json["dimension"] = problem.trained_dimension();
  if (problem.kernel() != nullptr) {
    const KernelLayout& layout = problem.kernel()->layout();
    json["kernel_sizes"] = {{"atoms", layout.training_count()},
                            {"blocks", layout.blocks},
                            {"linear_weights", layout.linear_count()}};
  }
  json["formulation"] = objective.json();
  if (!problem.example_weights().empty()) {
    json["example_weights"] = example_weights_json(problem.example_weights());
  }
  return json;
}

Json RunIdentity::path_hashes(const Json& data) const {
  Json hashes = Json::object();
  std::size_t position = 0;
  for (const char* section : {"dataset", "features", "loss"}) {
    add_path_hashes(section, parameters(position++), data, hashes);
  }
  for (std::size_t k = 0; k < experiment_.oracle.members.size(); ++k) {
    add_path_hashes("oracle", parameters(position++), data, hashes);
  }
  const std::size_t leaf_count = experiment_.kernel ? leaves_of(*experiment_.kernel).size() : 0;
  for (std::size_t k = 0; k < leaf_count; ++k) {
    add_path_hashes(kernel_state_name(k), parameters(position++), data, hashes);
  }
  return hashes;
}

Json RunIdentity::file_hashes(const Json& data) const {
  return {{"paths", path_hashes(data)}, {"libraries", assembly_.libraries()}};
}

}  // namespace sculpt::core
