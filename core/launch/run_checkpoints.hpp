// run_checkpoints.hpp - when a run writes checkpoints, and what it says of itself in them.
//
// Made by train. The clock and SIGUSR1 decide when one is written; nothing else depends on it.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/stopwatch.hpp"
#include "launch/console.hpp"
#include "run/checkpoint.hpp"
#include "solver/checkpoints.hpp"

namespace sculpt::core {

// How far a run is.
struct RunProgress {
  std::int64_t pass = 0;  // the last whose event was written
  double seconds = 0;     // of the run
  double reading = 0;     // seconds of them, up to the first pass
};

class RunCheckpoints : public Checkpoints {
 public:
  // `identity`: what must agree for a run to go on (resume.hpp). `every`: seconds between two; 0:
  // after every pass. `so_far`: what the run has taken, earlier ones included; its pass means
  // nothing. `earlier`: to go on from, or nullptr. All references outlive it.
  RunCheckpoints(std::filesystem::path folder, nlohmann::ordered_json identity, double every,
                 std::function<RunProgress()> so_far, std::unique_ptr<Checkpoint> earlier,
                 Console& console);

  // What a run that starts afresh begins with; the solver takes it away.
  void begin_with(WorkingSet& planes) { planes_ = &planes; }

  StateReader* earlier() override { return earlier_.get(); }
  WorkingSet* planes() override { return planes_; }
  bool due() override;
  bool due_within_pass() override;
  // A checkpoint that cannot be written is a warning.
  void write(std::int64_t reported, const std::function<void(StateWriter&)>& save) override;

  // Whether the one on disk is not the last that was to be written.
  bool is_behind() const { return !refusal_.empty(); }

 private:
  std::filesystem::path folder_;
  nlohmann::ordered_json identity_;
  double every_;
  std::function<RunProgress()> so_far_;
  std::unique_ptr<Checkpoint> earlier_;
  WorkingSet* planes_ = nullptr;
  Console& console_;
  Stopwatch since_last_;
  std::string refusal_;  // why the last one could not be written
};

// What the header of a checkpoint says beside the identity. Throws Failure(Exit::data).
RunProgress progress_in(const Checkpoint& checkpoint);

}  // namespace sculpt::core
