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

// The position of the key, for messages.
class Key {
 public:
  Key(const Experiment& experiment, const char* path)
      : position_(experiment.solver.keys.position("/warm_start")), path_(path) {}

  const char* path() const { return path_; }
  [[noreturn]] void refuse(const std::string& why, Exit exit = Exit::config) const {
    throw Failure(exit, position_.text() + ": \"warm_start\": " + why);
  }

 private:
  Position position_;
  const char* path_;
};

std::unique_ptr<Checkpoint> open(const Key& key, Console& console) {
  std::error_code problem;
  if (!fs::is_directory(key.path(), problem)) {
    key.refuse(std::string(key.path()) + " is no run folder; name that of a run on the same data",
               Exit::missing);
  }
  auto checkpoint = open_checkpoint(fs::path(key.path()) / "checkpoints",
                                    "; train that run again, or leave \"warm_start\" out",
                                    [&](const std::string& text) { console.warn(text); });
  if (checkpoint == nullptr) {
    key.refuse(std::string(key.path()) + " holds no checkpoint to take planes from; train it anew",
               Exit::missing);
  }
  return checkpoint;
}

// Refuses solvers that make other planes of the same outputs.
void require_same_kind(const Key& key, const Solver& then, const Solver& now) {
  if (then.traits().shares_slack != now.traits().shares_slack) {
    key.refuse(
        std::string(key.path()) + " was trained by a solver with " +
        (then.traits().shares_slack ? "one slack for all examples" : "a slack for each example") +
        ", this one has " + (now.traits().shares_slack ? "one slack for all" : "a slack for each") +
        ": the planes of one are none of the other");
  }
  // A solver with planes has a formulation.
  const bool was_hard = then.formulation().value().hard_margin();
  const bool is_hard = now.formulation().value().hard_margin();
  if (now.traits().shares_slack && (was_hard || is_hard)) {
    key.refuse(
        "one_slack cannot pass planes on from or to a hard margin (C = \"inf\"): those who "
        "contradict each other could not be named; use n_slack or leave it out");
  }
  if (now.formulation()->rescaling == Rescaling::slack && was_hard != is_hard) {
    key.refuse(
        "under slack rescaling the planes of a hard margin (C = \"inf\") are not those of a "
        "finite C; leave it out");
  }
}

// The solver that wrote the checkpoint.
std::unique_ptr<Solver> solver_of(const Checkpoint& checkpoint) {
  const Json config = checkpoint.header().value("config", Json());
  const Experiment experiment = Experiment::from_json(config, checkpoint.path().string());
  const ChosenSolver chosen(experiment.solver);
  return chosen.kind.create(chosen.parameters.values());
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
  const Key key(experiment, chosen.warm_start());
  const std::unique_ptr<Checkpoint> checkpoint = open(key, console);
  try {
    require_same_planes(checkpoint->header(), identity, checkpoint->path().string());
  } catch (const Failure& difference) {
    key.refuse(difference.what());
  }
  const std::unique_ptr<Solver> earlier = solver_of(*checkpoint);
  std::optional<WorkingSet> planes = earlier->load_working_set(source, *checkpoint);
  if (!planes) {
    key.refuse(std::string(key.path()) + " was trained by a solver without planes; name a run of " +
               (solver.traits().shares_slack ? "one_slack" : "n_slack or frank_wolfe"));
  }
  require_same_kind(key, *earlier, solver);
  const std::string hash = hash_of(*planes);
  return {std::move(*planes), hash};
}

}  // namespace sculpt::core
