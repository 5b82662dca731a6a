// finished_run.hpp - loads a run that has ended from its folder.
//
// Called by verify, loo, prune and report. The experiment and the paths of the data come from
// config.json. Weights, states and the certificate come from model.sculpt. Planes and alpha come
// from checkpoints/. What two of these files contain must agree. Writes nothing.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "launch/assembly.hpp"
#include "launch/console.hpp"
#include "launch/run_identity.hpp"
#include "model/model_file.hpp"
#include "problem/problem.hpp"
#include "registry/registry.hpp"
#include "run/checkpoint.hpp"
#include "solver/solver.hpp"
#include "verify/verification.hpp"

namespace sculpt::core {

class FinishedRun {
 public:
  // Reads everything but the data. `command`: its name, for messages. `overrides` may change where
  // the data are; all others are refused. Throws Failure: Exit::missing, Exit::plugin, Exit::data,
  // Exit::config.
  FinishedRun(const std::string& command, const std::filesystem::path& folder,
              const std::vector<Override>& overrides, Console& console);

  // The problem that the run was trained on, with the training data only. Throws Failure,
  // Cancelled.
  std::unique_ptr<Problem> bind(int threads);

  const Experiment& experiment() const { return assembly_.experiment(); }
  const ModelFile& model() const { return model_; }
  Solver& solver() { return *solver_; }
  // The solver with another target: this relative gap alone, and without limits. Requires a solver
  // with the parameter relative_gap.
  std::unique_ptr<Solver> solver_until(double relative_gap) const;
  // The certificate in the model. Throws Failure(Exit::data).
  ReportedCertificate reported_certificate() const;
  // nullptr if the run left no checkpoint, or one that is older than the model.
  Checkpoint* checkpoint() { return checkpoint_.get(); }

 private:
  FinishedRun(const std::string& command, const std::filesystem::path& folder,
              const JsonDocument& config, const std::vector<Override>& overrides, Console& console);
  nlohmann::ordered_json identity_for_ranks(nlohmann::ordered_json identity,
                                            const Problem& problem) const;
  ReportedCertificate read_certificate() const;  // throws a JSON exception
  // Throws Failure if the run went on after the model was written.
  void require_ended(const std::filesystem::path& folder) const;
  // Drops the checkpoint if it is older than the model.
  void drop_outdated_checkpoint(const std::filesystem::path& folder);
  // Throws Failure unless the model and the checkpoint are of the run with this identity.
  void require_agreement(const nlohmann::ordered_json& identity) const;

  Console& console_;
  std::string advice_;  // at the end of messages about a run that differs
  ModelFile model_;
  Registry registry_;
  Assembly assembly_;
  ChosenSolver chosen_solver_;
  RunIdentity identity_;
  std::unique_ptr<Solver> solver_;
  nlohmann::ordered_json data_hashes_;  // hash of the training data
  std::unique_ptr<Checkpoint> checkpoint_;
};

// True if no pass came after the model of the run. So a run that was killed or failed behind its
// model has ended, too.
bool model_ends_run(const ModelFile& model, const std::filesystem::path& folder);

// The experiment of a run with its training data alone: P and D do not depend on other splits, and
// their files may be gone. Throws Failure(Exit::config).
Experiment training_experiment(const JsonDocument& config, const std::vector<Override>& overrides,
                               Registry& registry);

}  // namespace sculpt::core
