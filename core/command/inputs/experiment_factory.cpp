#include "command/inputs/experiment_factory.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "launch/assembly.hpp"
#include "launch/component_search.hpp"
#include "launch/split_sources.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// The formulation of the experiment's solver, if it has one.
std::optional<Formulation> formulation_of(const Section& section) {
  const SolverDescriptor* const kind = find_solver(section.use);
  if (kind == nullptr) {
    refuse(section.use_position, "there is no solver \"" + section.use + "\"");
  }
  const CheckedParameters parameters(kind->parameters, section.keys, section.use);
  return kind->create(parameters.values())->formulation();
}

// True if the loss can be chosen by its name alone and offers counts.
bool is_counted_loss(const ComponentListing& component) {
  const auto& extensions = component.extensions;
  const bool offers_counts =
      std::find(extensions.begin(), extensions.end(), SCULPT_EXT_COUNT_LOSS) != extensions.end();
  const bool needs_value = std::any_of(
      component.parameters.begin(), component.parameters.end(),
      [](const ParameterListing& parameter) { return !parameter.fallback.has_value(); });
  return component.kind == SCULPT_KIND_LOSS && offers_counts && !needs_value;
}

// Gives each component of a kernel its state. `next`: the number of its first component; afterwards
// that behind the last one.
void restore_kernel(KernelSpec& kernel, const std::vector<Problem::State>& states,
                    std::size_t& next) {
  if (kernel.component) {
    const std::string name = kernel_state_name(next++);
    for (const Problem::State& state : states) {
      if (state.kind == name) kernel.component->state = state.bytes;
    }
  }
  for (KernelSpec& member : kernel.members) restore_kernel(member, states, next);
}

// Adds the components of a kernel, whose key in an override is `key`.
void add_kernel_parts(const KernelSpec& kernel, const std::string& key,
                      std::vector<ExperimentPart>& parts) {
  if (kernel.component) parts.push_back({key, kernel.component->description, nullptr});
  for (std::size_t k = 0; k < kernel.members.size(); ++k) {
    const bool is_only = has_one_member(kernel.rule);
    add_kernel_parts(kernel.members[k], key + (is_only ? ".of" : ".members." + std::to_string(k)),
                     parts);
  }
}

// Makes the problems of one experiment, whose overrides have been applied to its document.
class ExperimentProblemFactory : public ExperimentFactory {
 public:
  ExperimentProblemFactory(JsonDocument document, std::shared_ptr<Registry> registry)
      : registry_(std::move(registry)),
        document_(std::move(document)),
        assembly_(Experiment(document_, {}, declared_in(*registry_)), *registry_),
        formulation_(formulation_of(assembly_.experiment().solver)) {}

  std::unique_ptr<Problem> make(const ProblemChanges& changes) const override {
    ProblemSpec spec = assembly_.problem_spec(changes.sources ? *changes.sources : sources());
    spec.formulation = formulation_;
    for (const Problem::State& state : changes.states) {
      if (state.kind == "dataset") spec.dataset.state = state.bytes;
      if (state.kind == "features") spec.features.state = state.bytes;
      if (state.kind == support_atoms_name) spec.support_atoms = state.bytes;
      if (state.kind == "loss" && spec.loss) spec.loss->state = state.bytes;
      for (std::size_t k = 0; k < spec.oracles.size(); ++k) {
        if (state.kind == oracle_state_name(k)) spec.oracles[k].state = state.bytes;
      }
    }
    std::size_t leaf = 0;
    if (spec.kernel) restore_kernel(*spec.kernel, changes.states, leaf);
    if (changes.only_oracle) spec.oracles = {spec.oracles.at(*changes.only_oracle)};
    return std::make_unique<Problem>(spec, Purpose::checking, changes.threads, Callbacks());
  }
  std::vector<SplitSource> sources() const override { return sources_of(assembly_.experiment()); }
  std::optional<Formulation> formulation() const override { return formulation_; }
  std::vector<std::string> oracles() const override {
    std::vector<std::string> names;
    for (const Section& member : assembly_.experiment().oracle.members) {
      names.push_back(member.use);
    }
    return names;
  }

  std::vector<ExperimentPart> parts() const override {
    const ProblemSpec spec = assembly_.problem_spec({});
    std::vector<ExperimentPart> parts = {{"dataset", spec.dataset.description, nullptr},
                                         {"features", spec.features.description, nullptr},
                                         {"loss", spec.loss->description, nullptr}};
    const Json* const oracle = document_.find("/oracle");
    const std::string key = assembly_.experiment().oracle.combines ? "oracle.members" : "oracle";
    const bool is_single = !assembly_.experiment().oracle.combines && !oracle->is_array();
    for (std::size_t k = 0; k < spec.oracles.size(); ++k) {
      parts.push_back(
          {is_single ? key : key + "." + std::to_string(k), spec.oracles[k].description, nullptr});
    }
    if (spec.kernel) add_kernel_parts(*spec.kernel, "kernel", parts);
    for (std::size_t k = 0; k < parts.size(); ++k) parts[k].parameters = &assembly_.parameters(k);
    return parts;
  }

  std::unique_ptr<ExperimentFactory> with_overrides(
      const std::vector<std::string>& overrides) const override {
    JsonDocument changed = document_;
    for (const Override& change : parse_overrides(overrides)) {
      change.apply(changed, declared_in(*registry_));
    }
    return std::make_unique<ExperimentProblemFactory>(std::move(changed), registry_);
  }

  std::vector<std::string> other_counted_losses() const override {
    const std::string own = assembly_.problem_spec({}).loss->description->id;
    std::map<std::string, std::string> uses;  // by id; the first one on the search path
    for (const LibraryListing& library : registry_->list()) {
      for (const ComponentListing& component : library.components) {
        if (component.id == own || !is_counted_loss(component)) continue;
        uses.try_emplace(component.id, library.file.string() + "#" + component.id);
      }
    }
    std::vector<std::string> found;
    for (const auto& [id, use] : uses) found.push_back(use);
    return found;
  }

 private:
  std::shared_ptr<Registry> registry_;
  JsonDocument document_;
  Assembly assembly_;
  std::optional<Formulation> formulation_;
};

}  // namespace

std::unique_ptr<ExperimentFactory> open_experiment(
    JsonDocument document, const std::vector<Override>& overrides, Registry::Settings settings,
    const std::function<void(Registry&, JsonDocument&)>& prepare) {
  auto registry = std::make_shared<Registry>(std::move(settings));
  prepare(*registry, document);
  for (const Override& change : overrides) change.apply(document, declared_in(*registry));
  return std::make_unique<ExperimentProblemFactory>(std::move(document), std::move(registry));
}

}  // namespace sculpt::core
