// assembly.hpp - finds the components of an experiment or a model, from which a Problem is made.
//
// Called by every command. Finds each component through the registry, and checks its parameters
// against the table of the component.
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
  // Warns of deprecated keys through the registry. Throws Failure: Exit::config, Exit::plugin.
  Assembly(const Experiment& experiment, Registry& registry);

  // The components that a model names, with their stored state, except those that overrides
  // replace. Calls `warn` if a version differs. With overrides, warns of deprecated keys. Throws
  // Failure as above, and Exit::data for a damaged model.
  Assembly(const ModelFile& model, const std::vector<Override>& overrides, Registry& registry,
           const std::function<void(const std::string&)>& warn);

  // The components of an experiment that a run has trained, with the state from its model. Throws
  // Failure as above, and Exit::plugin if a component of the model does not exist.
  Assembly(const Experiment& experiment, const ModelFile& model, Registry& registry);

  // The components of a Problem, with checked parameters. Valid as long as this object.
  ProblemSpec problem_spec(std::vector<SplitSource> sources) const;

  // [{"kind", "id", "version"}] in the order dataset, features, loss, members of the oracle, leaves
  // of the kernel.
  nlohmann::ordered_json components() const;
  // {id: hash of its library; of a lent component its id and version}. Throws
  // Failure(Exit::missing) if a library can no longer be read.
  nlohmann::ordered_json libraries() const;
  // The first component of a lent catalogue, or nullptr. Processes of the program have none.
  const sculpt_component* lent_component() const;
  // The checked parameters of the component at a position in that order. The oracles that are used
  // only for the evaluation come after them.
  const CheckedParameters& parameters(std::size_t position) const {
    const std::size_t count = parts_.size();
    return position < count ? parts_[position].parameters
                            : evaluation_parts_[position - count].parameters;
  }
  // The number of components that the training uses.
  std::size_t part_count() const { return parts_.size(); }

  const Experiment& experiment() const { return experiment_; }

 private:
  struct Part {
    Section section;
    FoundComponent found;
    CheckedParameters parameters;
    std::optional<std::string> state;
    std::string state_file;                      // the model that must have the state; "": none
    std::vector<std::string> alternatives = {};  // as in ComponentSpec
  };
  void add(const Section& section, const FoundComponent& found, PathValues paths);
  static Part make_part(const Section& section, const FoundComponent& found, PathValues paths);
  void add_evaluation_parts(Registry& registry);
  void warn_of_deprecated_keys(Registry& registry) const;
  void find_alternatives(Registry& registry);
  // Gives the last added part its state from the model.
  void restore_support_atoms(const ModelFile& model);
  void restore(const ModelFile& model, const std::string& state_name);
  static ComponentSpec component_spec(const Part& part);
  // `next`: the part of the first leaf; afterwards the part behind the last one.
  using PartIterator = std::vector<Part>::const_iterator;
  static KernelSpec kernel_spec(const KernelUse& use, PartIterator& next);

  Experiment experiment_;
  std::vector<Part> parts_;                   // in the order of components()
  std::vector<Part> evaluation_parts_;        // members of Experiment::measured_with()
  std::optional<std::string> support_atoms_;  // of a model with a kernel
};

}  // namespace sculpt::core
