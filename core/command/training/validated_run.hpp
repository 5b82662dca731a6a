// validated_run.hpp - a run that is measured on the validation examples every few passes, and keeps
// its best model.
//
// Made by Training if the solver has the key validate_every. The solver knows nothing of it: it
// runs until the next validation as under "max_passes", and continues from its checkpoint as with
// --resume. So the model of a validated pass is the one that a run with this max_passes leaves, and
// its certificate belongs to it. The passes of the run are those without validation.
//
// The checkpoint of the best pass is kept (run/best_checkpoint.hpp). A resumed run gets the best
// model from it, and verify its planes.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "command/training/best_pass.hpp"
#include "command/training/pass_log.hpp"
#include "launch/console.hpp"
#include "launch/run_checkpoints.hpp"
#include "launch/run_identity.hpp"
#include "objective/ports.hpp"
#include "parallel/ranks/ranks.hpp"
#include "run/checkpoint.hpp"
#include "run/run_folder.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

class ValidatedRun {
 public:
  struct Parts {
    const ChosenSolver& solver;
    const Ports& ports;
    RunFolder& folder;
    Console& console;
    PassLog& log;
    StopRequest stop;
    std::optional<double> target;  // the relative_gap of the run
    Ranks* ranks;                  // nullptr: none
    // Makes the checkpoints of a part of the run: with this state of the validations in their
    // headers, from this checkpoint.
    std::function<std::unique_ptr<RunCheckpoints>(const nlohmann::ordered_json& state,
                                                  std::unique_ptr<Checkpoint> resumed)>
        make_checkpoints;
    // Measures a model. Throws Failure, Cancelled.
    std::function<ValidationValue(const Result& result)> measure;
  };

  ValidatedRun(ValidationRule rule, Parts parts);

  // Runs to the end. `resumed`: the checkpoint to resume from, or nullptr. `origin`: see
  // solve_and_check(). Returns the result of the best pass; if it is not the last one, it has not
  // reached its target. Throws Failure, and Cancelled if the run is stopped before it has resumed.
  Result run(std::unique_ptr<Checkpoint> resumed, const SolverOrigin& origin);

  // For the header of the model and the event "finished". It has the metric, the best and the last
  // pass with their values, and the rule that ended the run. null: the run was never validated.
  nlohmann::ordered_json json() const;
  // Of this process.
  double measuring_seconds() const { return measuring_seconds_ - resumed_seconds_; }
  // The last checkpoint could not be written.
  bool checkpoint_is_outdated() const { return is_outdated_; }

 private:
  std::unique_ptr<Solver> solver_until(std::int64_t pass) const;
  void restore(const Checkpoint& resumed);
  void restore_best();
  std::optional<StoppedBy> validate(Result& result, std::int64_t pass, bool has_ended);
  void report(std::int64_t pass, const ValidationValue& value, bool is_best);
  Result choose(Result last, StoppedBy rule);

  BestPass best_pass_;
  Parts parts_;
  std::optional<std::int64_t> max_passes_;
  std::optional<double> max_seconds_;
  std::optional<Result> best_;    // empty: none yet
  bool last_is_best_ = false;     // best_ is the model of the last pass
  double measuring_seconds_ = 0;  // with those before the run was resumed
  double resumed_seconds_ = 0;    // those alone
  bool is_outdated_ = false;
  StoppedBy stopped_by_ = StoppedBy::signal;
};

}  // namespace sculpt::core
