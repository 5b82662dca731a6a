#include "launch/assembly.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/file/content_hash.hpp"
#include "experiment/component_use.hpp"
#include "experiment/experiment_keys.hpp"
#include "launch/console.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t first_oracle = 3;  // after dataset, features, loss

std::span<const sculpt_parameter> parameters_of(const sculpt_component& component) {
  return {component.parameters, static_cast<std::size_t>(component.parameter_count)};
}

// Finds the component of a section. Errors begin with the position of `use`.
FoundComponent find_section(Registry& registry, const Section& section) {
  try {
    return registry.find(kind_of(section.kind), section.use);
  } catch (const Failure& failure) {
    if (failure.ends_process()) throw;  // the text of the section is not the cause
    throw failure.with_text(section.use_position.text() + ": " + failure.what());
  }
}

[[noreturn]] void refuse_damaged(const ModelFile& model, const std::string& what) {
  throw Failure(Exit::data, model.path().string() + ": " + what + "; the model is damaged");
}

// An entry of a model's component list.
struct ModelComponent {
  std::string kind, id, version;
};

// The component list of a model. It must have the kinds of `sections`, in their order.
std::vector<ModelComponent> components_of(const ModelFile& model,
                                          const std::vector<const Section*>& sections) {
  std::vector<ModelComponent> components;
  try {
    for (const Json& entry : model.header().at("components")) {
      components.push_back({entry.at("kind").get<std::string>(), entry.at("id").get<std::string>(),
                            entry.at("version").get<std::string>()});
    }
  } catch (const Json::exception&) {
    refuse_damaged(model, "does not name its components");
  }
  const bool are_same_kinds =
      std::equal(components.begin(), components.end(), sections.begin(), sections.end(),
                 [](const ModelComponent& component, const Section* section) {
                   return component.kind == section->kind;
                 });
  if (!are_same_kinds) refuse_damaged(model, "names other components than its config");
  return components;
}

// Finds a component that a model names. Errors begin with the path of the model.
FoundComponent find_in_model(Registry& registry, const ModelFile& model,
                             const ModelComponent& component) {
  try {
    return registry.find_id(kind_of(component.kind), component.id);
  } catch (const Failure& failure) {
    if (failure.ends_process()) throw;  // the model is not the cause
    throw failure.with_text(model.path().string() + ": " + failure.what());
  }
}

// Calls `read`. An error in the config of a model means that the model is damaged.
template <class Function>
auto read_from_model(Function&& read) {
  try {
    return read();
  } catch (const Failure& failure) {
    if (failure.exit_code() != Exit::config) throw;
    throw Failure(Exit::data, failure.what() + std::string("; the model is damaged"),
                  failure.advice());
  }
}

Experiment experiment_in(const ModelFile& model) {
  if (!model.header().contains("config")) refuse_damaged(model, "has no config");
  return read_from_model(
      [&] { return Experiment::from_json(model.header()["config"], model.path().string()); });
}

// The keys of a section that other code reads: the splits of a dataset.
std::vector<std::string> keys_read_elsewhere(const Section& section) {
  std::vector<std::string> names;
  if (section.kind != "dataset") return names;
  for (const sculpt_parameter& split : split_keys) names.emplace_back(split.name);
  return names;
}

// The key of the state of the component at a position, in a model.
std::string state_name(std::size_t position) {
  constexpr std::array<const char*, first_oracle> names = {"dataset", "features", "loss"};
  return position < first_oracle ? names[position] : oracle_state_name(position - first_oracle);
}

OracleRule rule_of(const OracleUse& use) {
  return use.combines ? OracleRule::combine : OracleRule::escalate;
}

std::vector<const Section*> sections_of(const Experiment& experiment) {
  std::vector<const Section*> sections{&experiment.dataset, &experiment.features, &experiment.loss};
  for (const Section& member : experiment.oracle.members) sections.push_back(&member);
  return sections;
}

// The positions of the keys of a section. Items of a list of texts follow their list.
std::vector<KeyPosition> key_positions_of(const Section& section) {
  std::vector<KeyPosition> positions;
  for (const auto& [key, value] : section.keys.json().items()) {
    const std::string pointer = pointer_to("", key);
    positions.push_back({key, "", section.keys.position(pointer).text()});
    for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
      if (!value[i].is_string()) continue;
      const std::string item = pointer + "/" + std::to_string(i);
      positions.push_back({key, value[i].get<std::string>(), section.keys.position(item).text()});
    }
  }
  return positions;
}

}  // namespace

std::uint32_t kind_of(const std::string& section) {
  if (section == "dataset") return SCULPT_KIND_DATASET;
  if (section == "features") return SCULPT_KIND_FEATURES;
  if (section == "loss") return SCULPT_KIND_LOSS;
  return SCULPT_KIND_ORACLE;
}

Assembly::Part Assembly::make_part(const Section& section, const FoundComponent& found,
                                   PathValues paths) {
  return {section, found,
          CheckedParameters(parameters_of(*found.component), section.keys,
                            short_name(*found.component), paths, keys_read_elsewhere(section)),
          std::nullopt, ""};
}

void Assembly::add(const Section& section, const FoundComponent& found, PathValues paths) {
  parts_.push_back(make_part(section, found, paths));
}

void Assembly::add_evaluation_parts(Registry& registry) {
  for (const OracleUse* use : experiment_.measured_with()) {
    for (const Section& member : use->members) {
      evaluation_parts_.push_back(
          make_part(member, find_section(registry, member), PathValues::read));
    }
  }
}

void Assembly::warn_of_deprecated_keys(Registry& registry) const {
  for (const std::vector<Part>* parts : {&parts_, &evaluation_parts_}) {
    for (const Part& part : *parts) {
      for (const std::string& warning : part.parameters.warnings()) registry.warn(warning);
    }
  }
}

Assembly::Assembly(const Experiment& experiment, Registry& registry) : experiment_(experiment) {
  for (const Section* section : sections_of(experiment_)) {
    add(*section, find_section(registry, *section), PathValues::read);
  }
  add_evaluation_parts(registry);
  warn_of_deprecated_keys(registry);
}

// A replaced component need not exist any more; its replacement starts without a state. If there
// are overrides, an error may come from the user, so the model is not called damaged.
Assembly::Assembly(const ModelFile& model, const std::vector<Override>& overrides,
                   Registry& registry, const std::function<void(const std::string&)>& warn)
    : experiment_(experiment_in(model)) {
  const Experiment saved = experiment_;
  const std::vector<const Section*> saved_sections = sections_of(saved);
  const std::vector<ModelComponent> model_components = components_of(model, saved_sections);
  if (!overrides.empty()) {
    experiment_ = Experiment::from_json(model.header()["config"], model.path().string(), overrides,
                                        declared_in(registry));
  }
  const std::vector<const Section*> sections = sections_of(experiment_);
  for (std::size_t k = 0; k < sections.size(); ++k) {
    if (k >= saved_sections.size() || saved_sections[k]->use != sections[k]->use) {
      add(*sections[k], find_section(registry, *sections[k]), PathValues::unset);
      continue;
    }
    const ModelComponent& trained = model_components[k];
    const FoundComponent found = find_in_model(registry, model, trained);
    if (found.component->version != trained.version) {
      warn("the model was trained with " + trained.id + " " + trained.version +
           "; the version that is used now is " + found.component->version);
    }
    if (overrides.empty()) {
      read_from_model([&] { add(*sections[k], found, PathValues::unset); });
    } else {
      add(*sections[k], found, PathValues::unset);
    }
    restore(model, k);
  }
  if (!overrides.empty()) warn_of_deprecated_keys(registry);  // of a model, train has warned
}

Assembly::Assembly(const Experiment& experiment, const ModelFile& model, Registry& registry)
    : experiment_(experiment) {
  const std::vector<const Section*> sections = sections_of(experiment_);
  const std::vector<ModelComponent> model_components = components_of(model, sections);
  for (std::size_t k = 0; k < model_components.size(); ++k) {
    const bool is_from_file = sections[k]->use != component_of_use(sections[k]->use);
    if (!is_from_file) find_in_model(registry, model, model_components[k]);
    add(*sections[k], find_section(registry, *sections[k]), PathValues::read);
    restore(model, k);
  }
  add_evaluation_parts(registry);
}

void Assembly::restore(const ModelFile& model, std::size_t position) {
  parts_[position].state_file = model.path().string();
  const auto state = model.states().find(state_name(position));
  if (state != model.states().end()) parts_[position].state = state->second;
}

ProblemSpec Assembly::problem_spec(std::vector<SplitSource> sources) const {
  const auto spec_of = [](const Part& part) {
    return ComponentSpec{part.found.component,
                         part.parameters.values(),
                         part.state,
                         part.section.use_position.text(),
                         key_positions_of(part.section),
                         part.state_file};
  };
  ProblemSpec spec;
  spec.dataset = spec_of(parts_[0]);
  spec.features = spec_of(parts_[1]);
  spec.loss = spec_of(parts_[2]);
  spec.sources = std::move(sources);
  spec.rule = rule_of(experiment_.oracle);
  spec.hold_out = experiment_.hold_out;
  for (std::size_t k = first_oracle; k < parts_.size(); ++k)
    spec.oracles.push_back(spec_of(parts_[k]));
  auto next = evaluation_parts_.begin();
  const auto next_oracle = [&](const OracleUse& use) {
    OracleSpec oracle{{}, rule_of(use)};
    while (oracle.members.size() < use.members.size()) oracle.members.push_back(spec_of(*next++));
    return oracle;
  };
  for (const OracleUse& use : experiment_.predict_with)
    spec.prediction_oracles.push_back(next_oracle(use));
  if (experiment_.audit_with) spec.auditor = next_oracle(*experiment_.audit_with);
  return spec;
}

Json Assembly::components() const {
  Json list = Json::array();
  for (const Part& part : parts_) {
    list.push_back({{"kind", part.section.kind},
                    {"id", part.found.component->id},
                    {"version", part.found.component->version}});
  }
  return list;
}

Json Assembly::libraries() const {
  Json hashes = Json::object();
  for (const Part& part : parts_) {
    hashes[part.found.component->id] = file_hash(part.found.library.string());
  }
  return hashes;
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

std::string missing_file_advice(const Split& split) {
  if (split.text) return "";
  // If a path was written with a variable, its position quotes it (environment.cpp).
  const bool has_variable = split.position.text().find("${env:SCULPT_DATA") != std::string::npos;
  std::string origin = "; the path comes from \"dataset." + split.name + "\"";
  if (!has_variable) return origin;
  const char* const folder = std::getenv("SCULPT_DATA");
  return origin + (folder == nullptr ? "; set SCULPT_DATA to the folder of the data"
                                     : ", with SCULPT_DATA = " + std::string(folder));
}

std::vector<SplitSource> sources_of(const Experiment& experiment) {
  std::vector<SplitSource> sources;
  for (const Split& split : experiment.splits) {
    sources.push_back({split.name, split.path, split.text, missing_file_advice(split)});
  }
  return sources;
}

}  // namespace sculpt::core
