// loaded_run.hpp - a run with its data, its weights and its planes, whether it has ended or not.
//
// A run that has ended is loaded as verify does: weights from model.sculpt, planes from the
// checkpoint. A run that was killed or still runs has only a checkpoint. Then the components learn
// from the data again, and the weights are those of its planes. Called by report. Writes nothing.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command/inputs/finished_run.hpp"
#include "problem/sources/problem_ports.hpp"
#include "qp/working_set/working_set.hpp"
#include "verify/weight_point.hpp"

namespace sculpt::core {

class LoadedRun {
 public:
  // `has_ended`: the run has a model, and no pass came after it. Throws Failure: what FinishedRun
  // and Problem throw, and Exit::missing if there is neither a model nor a checkpoint with weights.
  LoadedRun(const std::filesystem::path& folder, bool has_ended,
            const std::vector<Override>& overrides, int threads, Console& console);
  ~LoadedRun();

  Problem& problem() { return *problem_; }
  const Experiment& experiment() const;
  bool has_model() const { return finished_ != nullptr; }
  // The weights that a solver knows, for the oracle.
  const WeightPoint& point() const { return point_; }
  // The weights of problem(): the same without a kernel, else the scores of all atoms.
  const Vector& weights() const { return scores_.empty() ? point_.w : scores_; }
  // True if the run minimizes structural hinges, so that each example has a slack.
  bool has_slacks() const { return has_slacks_; }
  // The port that answers what an example violates. Requires has_slacks().
  PlaneSource& planes_port();
  // The planes of the checkpoint with a block for each example; nullptr if there are none.
  const WorkingSet* planes_by_example() const;
  std::uint64_t passes() const { return passes_; }

 private:
  struct UnfinishedRun;

  void load_finished(const std::filesystem::path& folder, const std::vector<Override>& overrides,
                     int threads, Console& console);
  void load_unfinished(const std::filesystem::path& folder, const std::vector<Override>& overrides,
                       int threads, Console& console);
  void load_planes(Solver& solver, Checkpoint* checkpoint);

  std::unique_ptr<FinishedRun> finished_;
  std::unique_ptr<UnfinishedRun> unfinished_;
  std::unique_ptr<Problem> problem_;
  std::unique_ptr<ProblemPorts> ports_;
  std::optional<WorkingSet> planes_;
  WeightPoint point_;
  Vector scores_;
  bool has_slacks_ = false;
  bool shares_slack_ = false;
  std::uint64_t passes_ = 0;
};

}  // namespace sculpt::core
