// run_identity.hpp - the identity of a run, as written to config.json, the model and the
// checkpoints.
//
// Made by train, which writes it. Verify and sweep compare it with the files of an earlier run
// (resume.hpp).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>

#include "launch/assembly.hpp"
#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

// The solver of an experiment, with its parameters checked.
struct ChosenSolver {
  explicit ChosenSolver(const Section& section);  // throws Failure(Exit::config)

  bool declares_warm_start() const;
  // The run folder that provides its first planes. nullptr: none, or the solver keeps no planes.
  const char* warm_start() const;

  // The model is chosen by the validation examples: the key validate_every is set.
  bool is_validated() const;
  // parameters.resolved() or resolved_without_paths(), without the keys validate_... if the first
  // is not set. So other models have the bytes that they always had.
  nlohmann::ordered_json resolved() const;
  nlohmann::ordered_json resolved_without_paths() const;

  const SolverDescriptor& descriptor;
  CheckedParameters parameters;
};

// {"dataset.weights": path}: the files that keys of the dataset other than the splits name. The
// items of a list are "dataset.KEY[0]" and so on. Paths that are no file are left out.
nlohmann::ordered_json dataset_files(const Assembly& assembly);

// {split: hash}, "groups" for the file of hold_out, and the dataset_files(). Arrays in memory have
// a hash too. Throws Failure(Exit::missing) if a file cannot be read.
// `cache`: knows hashes of files that have not changed; may be nullptr.
nlohmann::ordered_json data_hashes(const Assembly& assembly, DataCache* cache = nullptr);

// The first key of the dataset whose path is that of a folder, or of something else that has no
// hash: "dataset.KEY". "": there is none.
std::string key_of_path_without_hash(const Assembly& assembly);

class RunIdentity {
 public:
  // Both outlive it.
  RunIdentity(const Assembly& assembly, const ChosenSolver& solver)
      : assembly_(assembly), experiment_(assembly.experiment()), solver_(solver) {}

  // The hash of the planes or the weights that the run starts with.
  void set_warm_start_hash(std::string hash) { warm_start_hash_ = std::move(hash); }

  // config.json of the run folder.
  nlohmann::ordered_json config() const;

  // What is known before anything is loaded: the first part of the header of the model. `data`:
  // hashes.
  nlohmann::ordered_json model_header(const nlohmann::ordered_json& data) const;
  // The same, with what the components made of the data, and the weights of the examples if there
  // are any.
  nlohmann::ordered_json model_header(const nlohmann::ordered_json& data, const Problem& problem,
                                      const Objective& objective) const;

  // Hashes of the files that keys other than the splits name: {"features.lexicon": [hash]}. `data`:
  // data_hashes(), whose files are not read again.
  nlohmann::ordered_json path_hashes(const nlohmann::ordered_json& data) const;
  // For checkpoints in addition: {"paths": path_hashes(), "libraries": {id: hash}}.
  nlohmann::ordered_json file_hashes(const nlohmann::ordered_json& data) const;

 private:
  const CheckedParameters& parameters(std::size_t position) const;
  bool is_solver(std::size_t position) const;

  const Assembly& assembly_;
  const Experiment& experiment_;
  const ChosenSolver& solver_;
  std::string warm_start_hash_;  // "": the run starts from nothing
};

}  // namespace sculpt::core
