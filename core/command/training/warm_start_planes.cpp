#include "command/training/warm_start_planes.hpp"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/file/content_hash.hpp"
#include "base/file/state_stream.hpp"
#include "experiment/experiment.hpp"
#include "launch/resume.hpp"
#include "run/checkpoint.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The key warm_start: its value, and its position for messages.
class WarmStartKey {
 public:
  WarmStartKey(const Experiment& experiment, const char* path)
      : position_(experiment.solver.keys.position("/warm_start")), path_(path) {}

  const char* path() const { return path_; }
  [[noreturn]] void refuse(const std::string& reason, Exit exit = Exit::config) const {
    throw Failure(exit, position_.text() + ": \"warm_start\": " + reason);
  }

 private:
  Position position_;
  const char* path_;
};

// The newest checkpoint of the run that the key names.
std::unique_ptr<Checkpoint> open_earlier_run(const WarmStartKey& key, Console& console) {
  std::error_code problem;
  if (!fs::is_directory(key.path(), problem)) {
    key.refuse(
        std::string(key.path()) + " is not a run folder; name the folder of a run on the same data",
        Exit::missing);
  }
  auto checkpoint = open_checkpoint(fs::path(key.path()) / "checkpoints",
                                    "; train that run again, or leave \"warm_start\" out",
                                    [&](const std::string& text) { console.warn(text); });
  if (checkpoint == nullptr) {
    key.refuse(
        std::string(key.path()) + " contains no checkpoint with planes; train that run again",
        Exit::missing);
  }
  return checkpoint;
}

// Refuses solvers that make other planes of the same outputs. `has_weights`: the examples have.
void require_same_kind(const WarmStartKey& key, const Solver& earlier, const Solver& current,
                       bool has_weights) {
  if (earlier.traits().shares_slack != current.traits().shares_slack) {
    key.refuse(std::string(key.path()) + " was trained by a solver with " +
               (earlier.traits().shares_slack ? "one slack for all examples"
                                              : "a slack for each example") +
               ", this one has " +
               (current.traits().shares_slack ? "one slack for all" : "a slack for each") +
               ": their planes differ; leave \"warm_start\" out");
  }
  // A solver with planes has a formulation.
  const bool was_hard = earlier.formulation().value().is_hard_margin();
  const bool is_hard = current.formulation().value().is_hard_margin();
  if (current.traits().shares_slack && (was_hard || is_hard)) {
    key.refuse(
        "one_slack cannot use planes from or for a hard margin (C = \"inf\"), because it could not "
        "name examples that contradict each other; use n_slack, or leave \"warm_start\" out");
  }
  if (was_hard != is_hard && has_weights) {
    key.refuse(
        "with weights of examples the planes of a hard margin (C = \"inf\") differ from those of a "
        "finite C; leave \"warm_start\" out");
  }
  if (current.formulation()->rescaling == Rescaling::slack && was_hard != is_hard) {
    key.refuse(
        "under slack rescaling the planes of a hard margin (C = \"inf\") differ from those of a "
        "finite C; leave \"warm_start\" out");
  }
}

// The solver that wrote the checkpoint.
std::unique_ptr<Solver> solver_of(const Checkpoint& checkpoint) {
  try {
    const Json config = checkpoint.header().value("config", Json());
    const Experiment experiment = Experiment::from_json(config, checkpoint.path().string());
    const ChosenSolver chosen(experiment.solver);
    return chosen.descriptor.create(chosen.parameters.values());
  } catch (const Failure& fault) {
    if (fault.exit_code() != Exit::config) throw;
    throw Failure(Exit::data,
                  fault.what() + std::string("; the checkpoint is damaged; train that "
                                             "run again, or leave \"warm_start\" out"),
                  fault.advice());
  }
}

// Computes a hash of the bytes that are written.
class HashWriter : public StateWriter {
 public:
  void write(std::string_view bytes) override { hash_.add(bytes); }
  std::string text() const { return hash_.text(); }

 private:
  ContentHash hash_;
};

std::string hash_of(const WorkingSet& planes) {
  HashWriter out;
  planes.save_alpha(out);
  planes.save_planes(out, planes.block_sizes());
  return out.text();
}

}  // namespace

WarmStartPlanes load_warm_start_planes(const Experiment& experiment, const ChosenSolver& chosen,
                                       const Solver& solver, const Json& identity,
                                       PlaneSource& source, Console& console) {
  const WarmStartKey key(experiment, chosen.warm_start());
  const std::unique_ptr<Checkpoint> checkpoint = open_earlier_run(key, console);
  try {
    require_same_planes(checkpoint->header(), identity, checkpoint->path().string());
  } catch (const Failure& difference) {
    key.refuse(difference.what());
  }
  const std::unique_ptr<Solver> earlier_solver = solver_of(*checkpoint);
  std::optional<WorkingSet> planes = earlier_solver->load_working_set(source, *checkpoint);
  if (!planes && earlier_solver->traits().shares_slack) {
    key.refuse(std::string(key.path()) +
               " was trained with cut_sample, so its planes bound nothing; name a run without "
               "cut_sample, or leave \"warm_start\" out");
  }
  if (!planes) {
    key.refuse(std::string(key.path()) + " was trained by a solver without planes; name a run of " +
               (solver.traits().shares_slack ? "one_slack" : "n_slack or frank_wolfe"));
  }
  require_same_kind(key, *earlier_solver, solver, !source.example_weights().empty());
  const std::string hash = hash_of(*planes);
  return {std::move(*planes), hash};
}

}  // namespace sculpt::core
