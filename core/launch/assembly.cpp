#include "launch/assembly.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/file/content_hash.hpp"
#include "base/memory/file_storage.hpp"
#include "experiment/component_use.hpp"
#include "experiment/experiment_keys.hpp"
#include "experiment/kernel_keys.hpp"
#include "launch/component_search.hpp"
#include "launch/console.hpp"
#include "registry/alternatives.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// What a section may name besides components.
std::vector<std::string> host_names(const std::string& kind) {
  std::vector<std::string> names;
  if (kind == "oracle") names.emplace_back(combine);
  for (const HostKernel& kernel : host_kernels) {
    if (kind == "kernel") names.emplace_back(kernel.name);
  }
  return names;
}

// Finds the component of a section. Errors begin with the position of `use`.
FoundComponent find_section(Registry& registry, const Section& section) {
  try {
    return registry.find(kind_of(section.kind), section.use, host_names(section.kind));
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

// A component that the training uses.
struct TrainedComponent {
  const Section* section;
  std::string state_name;  // of its state in a model; no two components have the same
};

// In the order of Assembly::components().
std::vector<TrainedComponent> trained_components(const Experiment& experiment) {
  std::vector<TrainedComponent> list{{&experiment.dataset, "dataset"},
                                     {&experiment.features, "features"},
                                     {&experiment.loss, "loss"}};
  const std::vector<Section>& oracles = experiment.oracle.members;
  for (std::size_t k = 0; k < oracles.size(); ++k) {
    list.push_back({&oracles[k], oracle_state_name(k)});
  }
  if (!experiment.kernel) return list;
  const std::vector<const Section*> leaves = leaves_of(*experiment.kernel);
  for (std::size_t k = 0; k < leaves.size(); ++k) list.push_back({leaves[k], kernel_state_name(k)});
  return list;
}

// The component list of a model. It must have the kinds of `expected`, in their order.
std::vector<ModelComponent> components_of(const ModelFile& model,
                                          const std::vector<TrainedComponent>& expected) {
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
      std::equal(components.begin(), components.end(), expected.begin(), expected.end(),
                 [](const ModelComponent& component, const TrainedComponent& trained) {
                   return component.kind == trained.section->kind;
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

OracleRule rule_of(const OracleUse& use) {
  return use.combines ? OracleRule::combine : OracleRule::escalate;
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

// If all components come from named files, the search path is not listed: its libraries do not
// matter then.
void Assembly::find_alternatives(Registry& registry) {
  const auto is_listed = [](const Part& part) {
    return part.section.use == component_of_use(part.section.use);
  };
  if (std::none_of(parts_.begin(), parts_.end(), is_listed)) return;
  const std::string dataset = short_name(*parts_[0].found.component);
  const std::string features = short_name(*parts_[1].found.component);
  for (std::vector<Part>* const parts : {&parts_, &evaluation_parts_}) {
    for (Part& part : *parts) {
      part.alternatives =
          alternatives(registry.list(), kind_of(part.section.kind), dataset, features);
      std::erase(part.alternatives, short_name(*part.found.component));
    }
  }
}

Assembly::Assembly(const Experiment& experiment, Registry& registry) : experiment_(experiment) {
  for (const TrainedComponent& trained : trained_components(experiment_)) {
    add(*trained.section, find_section(registry, *trained.section), PathValues::read);
  }
  add_evaluation_parts(registry);
  warn_of_deprecated_keys(registry);
  find_alternatives(registry);
}

// A replaced component need not exist any more; its replacement starts without a state. If there
// are overrides, an error may come from the user, so the model is not called damaged.
Assembly::Assembly(const ModelFile& model, const std::vector<Override>& overrides,
                   Registry& registry, const std::function<void(const std::string&)>& warn)
    : experiment_(experiment_in(model)) {
  const Experiment saved_experiment = experiment_;
  const std::vector<TrainedComponent> saved = trained_components(saved_experiment);
  const std::vector<ModelComponent> model_components = components_of(model, saved);
  if (!overrides.empty()) {
    experiment_ = Experiment::from_json(model.header()["config"], model.path().string(), overrides,
                                        declared_in(registry));
  }
  for (const auto& [section, state_name] : trained_components(experiment_)) {
    // Not by position: with another number of oracles, those after them have other positions.
    const auto same = std::find_if(
        saved.begin(), saved.end(),
        [&name = state_name](const TrainedComponent& one) { return one.state_name == name; });
    if (same == saved.end() || same->section->use != section->use) {
      add(*section, find_section(registry, *section), PathValues::unset);
      continue;
    }
    const ModelComponent& trained =
        model_components[static_cast<std::size_t>(same - saved.begin())];
    const FoundComponent found = find_in_model(registry, model, trained);
    if (found.component->version != trained.version) {
      warn("the model was trained with " + trained.id + " " + trained.version +
           "; the version that is used now is " + found.component->version);
    }
    if (overrides.empty()) {
      read_from_model([&, part = section] { add(*part, found, PathValues::unset); });
    } else if (section->kind == "kernel") {
      // An override may name the file of a kernel (experiment.cpp), but the model may not.
      read_from_model([&, one = same->section] { make_part(*one, found, PathValues::unset); });
      add(*section, found, PathValues::read);
    } else {
      add(*section, found, PathValues::unset);
    }
    restore(model, state_name);
  }
  restore_support_atoms(model);
  if (overrides.empty()) return;
  warn_of_deprecated_keys(registry);  // of a model, train has warned
  find_alternatives(registry);
}

Assembly::Assembly(const Experiment& experiment, const ModelFile& model, Registry& registry)
    : experiment_(experiment) {
  const std::vector<TrainedComponent> trained = trained_components(experiment_);
  const std::vector<ModelComponent> model_components = components_of(model, trained);
  for (std::size_t k = 0; k < trained.size(); ++k) {
    const Section& section = *trained[k].section;
    const bool is_from_file = section.use != component_of_use(section.use);
    if (!is_from_file) find_in_model(registry, model, model_components[k]);
    add(section, find_section(registry, section), PathValues::read);
    restore(model, trained[k].state_name);
  }
  restore_support_atoms(model);
  add_evaluation_parts(registry);
}

void Assembly::restore(const ModelFile& model, const std::string& state_name) {
  parts_.back().state_file = model.path().string();
  const auto state = model.states().find(state_name);
  if (state != model.states().end()) parts_.back().state = state->second;
}

void Assembly::restore_support_atoms(const ModelFile& model) {
  const auto atoms = model.states().find(support_atoms_name);
  if (atoms != model.states().end()) support_atoms_ = atoms->second;
  const bool has_atoms =
      experiment_.kernel && experiment_.kernel->rule != KernelRule::explicit_rows;
  if (has_atoms && !support_atoms_) refuse_damaged(model, "has no support atoms");
}

ComponentSpec Assembly::component_spec(const Part& part) {
  return {part.found.component,
          part.parameters.values(),
          part.state,
          part.section.use_position.text(),
          key_positions_of(part.section),
          part.state_file,
          part.alternatives};
}

KernelSpec Assembly::kernel_spec(const KernelUse& use, PartIterator& next) {
  KernelSpec spec;
  spec.rule = use.rule;
  spec.weights = use.weights;
  spec.position = use.use_position.text();
  if (use.component) spec.component = component_spec(*next++);
  for (const KernelUse& member : use.members) spec.members.push_back(kernel_spec(member, next));
  return spec;
}

ProblemSpec Assembly::problem_spec(std::vector<SplitSource> sources) const {
  ProblemSpec spec;
  PartIterator part = parts_.begin();
  spec.dataset = component_spec(*part++);
  spec.features = component_spec(*part++);
  spec.loss = component_spec(*part++);
  for (std::size_t k = 0; k < experiment_.oracle.members.size(); ++k) {
    spec.oracles.push_back(component_spec(*part++));
  }
  if (experiment_.kernel) {
    spec.kernel = kernel_spec(*experiment_.kernel, part);
    spec.support_atoms = support_atoms_;
  }
  spec.sources = std::move(sources);
  spec.rule = rule_of(experiment_.oracle);
  spec.hold_out = experiment_.hold_out;
  if (experiment_.memory) {
    spec.storage = storage_folder();
    spec.max_memory = *experiment_.memory;
  }
  part = evaluation_parts_.begin();
  const auto next_oracle = [&](const OracleUse& use) {
    OracleSpec oracle{{}, rule_of(use)};
    while (oracle.members.size() < use.members.size()) {
      oracle.members.push_back(component_spec(*part++));
    }
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
    const std::string id = part.found.component->id;
    hashes[id] = part.found.is_lent ? hash_text(id + " " + part.found.component->version)
                                    : file_hash(part.found.library.string());
  }
  return hashes;
}

const sculpt_component* Assembly::lent_component() const {
  for (const std::vector<Part>* parts : {&parts_, &evaluation_parts_}) {
    for (const Part& part : *parts) {
      if (part.found.is_lent) return part.found.component;
    }
  }
  return nullptr;
}

}  // namespace sculpt::core
