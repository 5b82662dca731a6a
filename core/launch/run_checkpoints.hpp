// run_checkpoints.hpp - decides when a run writes a checkpoint, and writes its header.
//
// Made by train. The clock and SIGUSR1 decide when a checkpoint is written; nothing else depends on
// them.
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

// The progress of a run.
struct RunProgress {
  std::int64_t pass = 0;  // the last pass with an event
  double seconds = 0;     // of the run
  double reading = 0;     // seconds before the first pass, part of `seconds`
};

class RunCheckpoints : public Checkpoints {
 public:
  // `identity`: must agree when a run is resumed (resume.hpp). `every`: seconds between
  // checkpoints; 0: after every pass. `so_far`: the time used, with earlier runs; its `pass` is not
  // read. `earlier`: the checkpoint to resume from, or nullptr. All references outlive this object.
  RunCheckpoints(std::filesystem::path folder, nlohmann::ordered_json identity, double every,
                 std::function<RunProgress()> so_far, std::unique_ptr<Checkpoint> earlier,
                 Console& console);

  // The planes of warm_start, for a new run. The solver takes them.
  void begin_with(WorkingSet& planes) { planes_ = &planes; }

  StateReader* earlier() override { return earlier_.get(); }
  WorkingSet* planes() override { return planes_; }
  bool due() override;
  bool due_within_pass() override;
  // If a checkpoint cannot be written, this only warns.
  void write(std::int64_t reported, const std::function<void(StateWriter&)>& save) override;

  // True if the last checkpoint could not be written, so the one on disk is older.
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
  std::string refusal_;  // why the last one could not be written; "" if it was
};

// The progress in the header of a checkpoint. Throws Failure(Exit::data).
RunProgress progress_in(const Checkpoint& checkpoint);

}  // namespace sculpt::core
