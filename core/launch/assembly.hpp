// assembly.hpp - from an experiment or a model to the components that a Problem is made of.
//
// Called by every command. Finds each component through the registry and checks its parameters
// against its own table.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiment/checked_parameters.hpp"
#include "experiment/experiment.hpp"
#include "model/model_file.hpp"
#include "problem/problem.hpp"
#include "registry/registry.hpp"

namespace sculpt::core {

class Assembly {
 public:
  // Throws Failure: Exit::config, Exit::plugin.
  Assembly(const Experiment& experiment, Registry& registry);

  // The components a model names, with the state it holds, but those that overrides exchange.
  // `warn` hears of other versions. Throws Failure as above, and Exit::data for a damaged model.
  Assembly(const ModelFile& model, const std::vector<Override>& overrides, Registry& registry,
           const std::function<void(const std::string&)>& warn);

  // Those of an experiment that a run has trained, with the state that its model holds. Throws
  // Failure as above; Exit::plugin for a component that the model names and that is not there.
  Assembly(const Experiment& experiment, const ModelFile& model, Registry& registry);

  // Live as long as this object.
  ProblemSpec choices(std::vector<SplitSource> sources) const;

  // [{"kind", "id", "version"}] in the order dataset, features, loss, oracle.
  nlohmann::ordered_json components() const;
  // {id: hash of its library}. Throws Failure(Exit::missing) when one cannot be read any more.
  nlohmann::ordered_json libraries() const;
  // The checked parameters of the component at a position in that order; behind them come those of
  // the oracles that nothing is trained with.
  const CheckedParameters& parameters(std::size_t position) const {
    const std::size_t own = parts_.size();
    return position < own ? parts_[position].parameters : extra_[position - own].parameters;
  }
  // How many components there are that something is trained with.
  std::size_t part_count() const { return parts_.size(); }

  const Experiment& experiment() const { return experiment_; }

 private:
  struct Part {
    Section section;
    FoundComponent found;
    CheckedParameters parameters;
    std::optional<std::string> state;
  };
  void add(const Section& section, const FoundComponent& found, PathValues paths);
  static Part part(const Section& section, const FoundComponent& found, PathValues paths);
  void add_extra(Registry& registry);
  // Gives the last part added the state that the model holds of it.
  void restore(const ModelFile& model, std::size_t position);

  Experiment experiment_;
  std::vector<Part> parts_;  // dataset, features, loss, members of the oracle
  std::vector<Part> extra_;  // members of Experiment::measured_with()
};

// SCULPT_KIND_* of "dataset", "features", "loss", "oracle".
std::uint32_t kind_of(const std::string& section);

// Whether a component or solver declares a key, for overrides.
IsDeclared declared_in(Registry& registry);

// Where components are looked for: the experiment's plugin_path first. Warnings go to stderr.
Registry::Settings registry_settings(const JsonDocument& document,
                                     const std::vector<Override>& overrides);
// The same for a model, which names no places.
Registry::Settings registry_settings();

// The splits of an experiment as a Problem loads them.
std::vector<SplitSource> sources_of(const Experiment& experiment);

}  // namespace sculpt::core
