// training.hpp - one training run, from the experiment to the event "finished".
//
// Made by the command train.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/stopwatch.hpp"
#include "command/data/memory_estimate.hpp"
#include "command/training/best_pass.hpp"
#include "command/training/run_times.hpp"
#include "command/training/training_summary.hpp"
#include "launch/assembly.hpp"
#include "launch/console.hpp"
#include "launch/run_checkpoints.hpp"
#include "launch/run_identity.hpp"
#include "qp/working_set/working_set.hpp"
#include "run/checkpoint.hpp"
#include "run/run_folder.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

class ModelFile;

class Training {
 public:
  struct Settings {
    std::filesystem::path output;
    RunFolder::Existing existing = RunFolder::Existing::refuse;
    int threads = 1;
    bool is_guarded = false;      // ProblemSpec::is_guarded
    bool trusts_rebuilt = false;  // resume with planes of a plugin that was rebuilt
    bool is_quiet = false;        // print warnings only
    // The model of `warm_start` if it was learned from other data (other_data_start.hpp). nullptr:
    // none. The assembly has its dictionaries.
    const ModelFile* start_model = nullptr;
    std::function<void(const PassReport&)> pass_done = {};  // called after each pass that is logged
    std::string crash_advice;    // added to errors of a plugin, once there is a run folder
    std::string resume_command;  // the same run with --resume
  };

  // `watch` runs since the command started. It and the assembly outlive this object. Throws
  // Failure.
  Training(const Assembly& assembly, const Settings& settings, const Stopwatch& watch);

  // Trains, or resumes an earlier run. Throws Failure, Cancelled.
  Exit run();

 private:
  std::optional<Exit> exit_of_finished_run();
  void warn_of_unmeasured(const nlohmann::ordered_json& finished);
  void open_resume_checkpoint();
  void require_same_warm_start(const nlohmann::ordered_json& header, const std::string& path) const;
  void load_warm_start_planes(Problem& problem, const Solver& solver, PlaneSource& source);
  void load_warm_start_weights(Problem& problem);
  void start_from_other_data(const Problem& problem);
  nlohmann::ordered_json identity_for_ranks(const Problem& problem) const;
  void require_validation(Problem& problem);
  void plan_memory(Problem& problem, const Solver& solver, const DataColumns& columns);
  void warn_of_columns(Problem& problem, const DataColumns& columns);
  std::string origin_of_state() const;
  Exit train(Problem& problem, Solver& solver, const Ports& ports);
  void open_folder(Problem& problem);
  nlohmann::ordered_json started_event(Problem& problem) const;
  void save_model(Problem& problem, const Result& result);
  std::function<bool()> evaluation_limit(const Result& result) const;
  std::function<bool()> last_evaluation_limit(const Result& result) const;
  std::unique_ptr<RunCheckpoints> make_checkpoints(nlohmann::ordered_json identity,
                                                   const nlohmann::ordered_json& more,
                                                   std::unique_ptr<Checkpoint> resumed);
  Result solve(Problem& problem, Solver& solver, const Ports& ports);
  void finish(Problem& problem, const Solver& solver, const Result& result);
  [[noreturn]] void end_out_of_memory(const std::string& message);
  RunProgress progress() const;

  const Assembly& assembly_;
  const Experiment& experiment_;
  ChosenSolver solver_;
  std::unique_ptr<Objective> objective_;  // set once the problem is bound
  RunIdentity identity_;
  Settings settings_;
  Ranks* ranks_;  // nullptr: none
  RunFolder folder_;
  const Stopwatch& watch_;
  nlohmann::ordered_json data_hashes_;             // data_hashes()
  nlohmann::ordered_json file_hashes_;             // RunIdentity::file_hashes() of them
  std::unique_ptr<Checkpoint> resume_checkpoint_;  // until the solver has it
  RunProgress earlier_progress_;                   // of the run that is resumed
  RunTimes times_;
  std::optional<WorkingSet> warm_start_planes_;  // until the solver has them
  std::optional<Vector> warm_start_weights_;     // likewise
  std::optional<ValidationRule> validation_rule_;
  nlohmann::ordered_json validated_;     // ValidatedRun::json(), null without validations
  Vector given_weights_;                 // warm_start_weights_ for the solver
  bool has_started_ = false;             // a solver has the planes of warm_start
  bool checkpoint_is_outdated_ = false;  // the last one could not be written
  RunMemory memory_;
  std::string data_sizes_;             // for the header, "" if the dataset offers no rows
  std::vector<std::string> warnings_;  // about the data, before the first pass
  ColumnAdvice column_advice_;         // for columns of different scale
  bool columns_differ_ = false;        // column_scale_warning() is not empty
  Console console_;
};

}  // namespace sculpt::core
