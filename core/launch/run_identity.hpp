// run_identity.hpp - what a run says of itself: in config.json, in its model and in its
// checkpoints.
//
// Made by train, which writes it, and by verify and sweep, which compare it with what a run has
// left (resume.hpp).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>

#include "launch/assembly.hpp"
#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

// The solver an experiment asks for, its parameters checked.
struct ChosenSolver {
  explicit ChosenSolver(const Section& section);  // throws Failure(Exit::config)

  bool declares_warm_start() const;
  // The run folder whose planes it begins with; nullptr: none, or the solver keeps none.
  const char* warm_start() const;

  const SolverDescriptor& kind;
  CheckedParameters parameters;
};

// {split: hash}, and "groups" for the file of hold_out. Throws Failure(Exit::missing) when a file
// cannot be read.
nlohmann::ordered_json data_hashes(const Experiment& experiment);

class RunIdentity {
 public:
  // Both outlive it.
  RunIdentity(const Assembly& assembly, const ChosenSolver& solver)
      : assembly_(assembly), experiment_(assembly.experiment()), solver_(solver) {}

  // The run begins with planes of that hash.
  void begin_with(std::string planes) { planes_ = std::move(planes); }

  // config.json of the run folder.
  nlohmann::ordered_json config() const;

  // What is known before anything is loaded, the first part of the model's header. `data`: hashes.
  nlohmann::ordered_json of(const nlohmann::ordered_json& data) const;
  // With what the components made of the data.
  nlohmann::ordered_json of(const nlohmann::ordered_json& data, const Problem& problem,
                            const Objective& objective) const;

  // What checkpoints say on top: hashes of the files that keys other than the splits name, and of
  // the libraries: {"paths": {"features.lexicon": [hash]}, "libraries": {id: hash}}.
  nlohmann::ordered_json files() const;

 private:
  const CheckedParameters& checked(std::size_t position) const;

  const Assembly& assembly_;
  const Experiment& experiment_;
  const ChosenSolver& solver_;
  std::string planes_;  // "": the run begins without any
};

}  // namespace sculpt::core
