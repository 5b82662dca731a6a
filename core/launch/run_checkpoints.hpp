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
  std::int64_t pass = 0;       // the last pass with an event
  double seconds = 0;          // of the run
  double reading_seconds = 0;  // before the first pass, part of `seconds`
};

class RunCheckpoints : public Checkpoints {
 public:
  // `identity`: must agree when a run is resumed (resume.hpp). `interval`: seconds between
  // checkpoints; 0: after every pass. `get_progress`: returns the time used, with earlier runs; its
  // `pass` is not read. `resumed_checkpoint`: the checkpoint to resume from, or nullptr. All
  // references outlive this object. `writes` false: another rank writes them.
  RunCheckpoints(std::filesystem::path folder, nlohmann::ordered_json identity, double interval,
                 std::function<RunProgress()> get_progress,
                 std::unique_ptr<Checkpoint> resumed_checkpoint, Console& console,
                 bool writes = true);

  // The planes or the weights of warm_start, for a new run. The solver takes them.
  void set_warm_start_planes(WorkingSet& planes) { planes_ = &planes; }
  void set_warm_start_weights(Vector& weights) { weights_ = &weights; }

  StateReader* saved_state() override { return resumed_checkpoint_.get(); }
  WorkingSet* warm_start_planes() override { return planes_; }
  Vector* warm_start_weights() override { return weights_; }
  bool is_due() override;
  bool is_due_within_pass() override;
  // If a checkpoint cannot be written, this only warns.
  void write(std::int64_t reported_passes, const std::function<void(StateWriter&)>& save) override;

  // True if the last checkpoint could not be written, so the one on disk is older.
  bool is_outdated() const { return !write_error_.empty(); }

 private:
  std::filesystem::path folder_;
  nlohmann::ordered_json identity_;
  double interval_;
  std::function<RunProgress()> get_progress_;
  std::unique_ptr<Checkpoint> resumed_checkpoint_;
  WorkingSet* planes_ = nullptr;
  Vector* weights_ = nullptr;
  Console& console_;
  bool writes_;
  Stopwatch time_since_write_;  // or since the start
  std::string write_error_;     // why the last one could not be written; "" if it was
};

// The progress in the header of a checkpoint. Throws Failure(Exit::data).
RunProgress progress_in(const Checkpoint& checkpoint);

}  // namespace sculpt::core
