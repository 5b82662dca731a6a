#include "command/reporting/loaded_run.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/file/open_file.hpp"
#include "command/inputs/model_point.hpp"
#include "command/training/other_data_start.hpp"
#include "launch/component_search.hpp"
#include "launch/resume.hpp"
#include "launch/run_checkpoints.hpp"
#include "launch/split_sources.hpp"
#include "problem/kernel/problem_kernel.hpp"

namespace sculpt::core {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// What a run without a model is made of. The order of the members is that of their creation.
struct LoadedRun::UnfinishedRun {
  UnfinishedRun(const fs::path& folder, const std::vector<Override>& overrides)
      : UnfinishedRun(folder, JsonDocument::read((folder / "config.json").string()), overrides) {}
  UnfinishedRun(const fs::path& folder, const JsonDocument& config,
                const std::vector<Override>& overrides)
      : registry(registry_settings(config, overrides)),
        experiment(training_experiment(config, overrides, registry)),
        start(other_data_start(experiment, registry, folder, true)),
        assembly(start ? Assembly(experiment, *start, registry) : Assembly(experiment, registry)),
        chosen_solver(assembly.experiment().solver),
        identity(assembly, chosen_solver),
        solver(chosen_solver.descriptor.create(chosen_solver.parameters.values())) {}

  Registry registry;
  Experiment experiment;
  std::optional<ModelFile> start;  // the model of other data that the run began with
  Assembly assembly;
  ChosenSolver chosen_solver;
  RunIdentity identity;
  std::unique_ptr<Solver> solver;
};

LoadedRun::LoadedRun(const fs::path& folder, bool has_ended, const std::vector<Override>& overrides,
                     int threads, Console& console) {
  if (has_ended) {
    load_finished(folder, overrides, threads, console);
  } else {
    load_unfinished(folder, overrides, threads, console);
  }
}

LoadedRun::~LoadedRun() = default;

void LoadedRun::load_finished(const fs::path& folder, const std::vector<Override>& overrides,
                              int threads, Console& console) {
  finished_ = std::make_unique<FinishedRun>("report", folder, overrides, console);
  problem_ = finished_->bind(threads);
  const auto seed = static_cast<std::uint64_t>(finished_->experiment().seed);
  ports_ = std::make_unique<ProblemPorts>(*problem_, seed);
  passes_ = finished_->reported_certificate().passes;
  load_planes(finished_->solver(), finished_->checkpoint());
  point_ = point_of_model(*problem_, finished_->model());
  if (problem_->kernel() != nullptr) {
    scores_ = problem_->weights_of_model(finished_->model().weights());
  }
}

void LoadedRun::load_unfinished(const fs::path& folder, const std::vector<Override>& overrides,
                                int threads, Console& console) {
  const auto checkpoint = open_checkpoint(folder / "checkpoints", "",
                                          [&](const std::string& text) { console.warn(text); });
  if (checkpoint == nullptr) {
    throw Failure(Exit::missing, folder.string() +
                                     ": has neither a model nor a checkpoint yet, so there are no "
                                     "weights; the first checkpoint comes after "
                                     "checkpoint_seconds, on SIGUSR1 or when the run is stopped");
  }
  unfinished_ = std::make_unique<UnfinishedRun>(folder, overrides);
  Assembly& assembly = unfinished_->assembly;
  Json identity = unfinished_->identity.model_header(data_hashes(assembly));
  require_same_run(training_header(checkpoint->header()), training_header(identity),
                   checkpoint->path().string(), "; report needs the run as it was trained");
  ProblemSpec spec = assembly.problem_spec(sources_of(assembly.experiment()));
  spec.formulation = unfinished_->solver->formulation();
  problem_ = std::make_unique<Problem>(spec, Purpose::training, threads, callbacks_to(console));
  ports_ = std::make_unique<ProblemPorts>(*problem_,
                                          static_cast<std::uint64_t>(assembly.experiment().seed));
  passes_ = static_cast<std::uint64_t>(std::max<std::int64_t>(0, progress_in(*checkpoint).pass));
  load_planes(*unfinished_->solver, checkpoint.get());
  if (!planes_ || problem_->kernel() != nullptr) {
    throw Failure(Exit::missing,
                  folder.string() +
                      ": the weights of this solver are known only at the end; finish the "
                      "run with train --resume");
  }
  point_.w = planes_->w().dense();
}

void LoadedRun::load_planes(Solver& solver, Checkpoint* checkpoint) {
  shares_slack_ = solver.traits().shares_slack;
  has_slacks_ = ports_->ports().planes != nullptr && solver.formulation() &&
                solver.objective(problem_->domain())->is_hinge();
  if (checkpoint == nullptr || ports_->ports().planes == nullptr || !solver.formulation()) return;
  planes_ = solver.load_working_set(*ports_->ports().planes, *checkpoint);
}

const Experiment& LoadedRun::experiment() const {
  return finished_ ? finished_->experiment() : unfinished_->assembly.experiment();
}

PlaneSource& LoadedRun::planes_port() {
  return *ports_->ports().planes;
}

const WorkingSet* LoadedRun::planes_by_example() const {
  if (!planes_ || shares_slack_) return nullptr;
  return planes_->block_count() == problem_->training().size() ? &*planes_ : nullptr;
}

}  // namespace sculpt::core
