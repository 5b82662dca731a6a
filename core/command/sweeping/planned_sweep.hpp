// planned_sweep.hpp - a sweep that is planned: its points, its cells and its folder.
//
// Made for every way to work on a sweep: here (sweep_run.hpp), on a cluster (slurm_sweep.hpp), and
// for one cell of it or what all have left (joined_sweep.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command/sweeping/sweep_request.hpp"
#include "launch/console.hpp"
#include "sweep/plan/plan_record.hpp"
#include "sweep/plan/sweep_points.hpp"
#include "sweep/runs/cell_folder.hpp"
#include "sweep/runs/sweep_folder.hpp"

namespace sculpt::core {

class PlannedSweep {
 public:
  // Checks everything that can be checked before the training, then makes the folder, or resumes
  // the sweep in it. `is_shared`: a resumed sweep shares the folder with the tasks of a cluster.
  // Throws Failure.
  PlannedSweep(const SweepRequest& request, bool is_shared, Console& console);

  // Takes part in the sweep in the folder, and changes no file. Reads no data. Throws Failure, also
  // if the sweep in the folder is another one.
  explicit PlannedSweep(const SweepRequest& request);

  PlannedSweep(const PlannedSweep&) = delete;
  PlannedSweep& operator=(const PlannedSweep&) = delete;

  const std::string& name() const { return points_.name; }  // of the experiment
  const std::vector<PointTraits>& traits() const { return points_.traits; }
  const SweepFolder& folder() const { return folder_; }
  const SweepPlan& plan() const { return plan_; }
  const PlanRecord& record() const { return record_; }
  std::int64_t experiment_threads() const { return points_.threads; }

  // Of --threads, else of the experiment.
  int threads() const { return threads_; }
  // Refuses models that were trained on other data.
  CheckModel check_model() const;
  CellFolder cells() const;

 private:
  const SweepRequest& request_;
  SweepPoints points_;
  int threads_;
  PlanRecord record_;
  SweepFolder folder_;
  SweepPlan plan_;
};

}  // namespace sculpt::core
