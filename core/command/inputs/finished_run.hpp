// finished_run.hpp - a run that has ended, put together again from its folder.
//
// Called by verify. Experiment and places of data out of config.json; weights, states and the
// certificate out of model.sculpt; planes and alpha out of checkpoints/. Whatever two of these say
// must agree. Nothing is written.
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
  // Reads everything but the data. `overrides` say where those are now; others are refused. Throws
  // Failure: Exit::missing, Exit::plugin, Exit::data, Exit::config.
  FinishedRun(const std::filesystem::path& folder, const std::vector<Override>& overrides,
              Console& console);

  // The problem that it was trained on: the training data alone. Throws Failure, Cancelled.
  std::unique_ptr<Problem> bind(int threads);

  const Experiment& experiment() const { return assembly_.experiment(); }
  const ModelFile& model() const { return model_; }
  Solver& solver() { return *solver_; }
  // What the model says of itself. Throws Failure(Exit::data).
  ReportedCertificate reported() const;
  // nullptr: it left none.
  Checkpoint* checkpoint() { return checkpoint_.get(); }

 private:
  FinishedRun(const std::filesystem::path& folder, const JsonDocument& config,
              const std::vector<Override>& overrides, Console& console);
  void leave_out_stale_checkpoint(const std::filesystem::path& folder);
  void require_one_run(const nlohmann::ordered_json& known) const;

  Console& console_;
  ModelFile model_;
  Registry registry_;
  Assembly assembly_;
  ChosenSolver chosen_;
  RunIdentity identity_;
  std::unique_ptr<Solver> solver_;
  nlohmann::ordered_json data_;  // the hash of the training data
  std::unique_ptr<Checkpoint> checkpoint_;
};

}  // namespace sculpt::core
