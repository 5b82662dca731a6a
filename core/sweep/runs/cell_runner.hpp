// cell_runner.hpp - runs the cells of a plan, with several chains at the same time.
//
// Made by the command sweep. A cell is `sculpt train` in its own process, with the run folder
// cells/NAME and its output in cells/NAME.log. It runs on this machine, or at the place with the
// fewest cells (cell_places.hpp). At most `threads` cells run at a time at a place. One more starts
// only if the memory of the machine is enough for all of its cells at the largest size seen so far.
// The first one runs alone until its size is known or it reports an estimate. No result depends on
// which cells run at the same time, or where.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/memory/free_memory.hpp"
#include "sweep/plan/sweep_plan.hpp"
#include "sweep/runs/cell_folder.hpp"
#include "sweep/runs/cell_places.hpp"
#include "sweep/runs/sculpt_process.hpp"

namespace sculpt::core {

class CellRunner {
 public:
  struct Settings {
    std::filesystem::path folder;                     // of the cells; it exists
    std::string config;                               // the experiment, as for train
    int threads = 1;                                  // of all cells together
    bool is_resumed = false;                          // cells may exist, finished or not
    std::filesystem::path binary = sculpt_program();  // sculpt
    std::function<std::int64_t()> free_memory =
        core::free_memory_for_new_processes;  // see free_memory.hpp
    CheckModel check_model = {};              // empty: all models are accepted
    // Where cells run; outlives this object. nullptr: here, with the threads, the binary and the
    // free memory above.
    CellPlaces* places = nullptr;
  };
  // Called for every cell when it has ended. An exception ends the sweep.
  using CellEnded = std::function<void(const Cell& cell, const CellRecord& record)>;

  // `plan` outlives this object.
  CellRunner(const SweepPlan& plan, Settings settings, CellEnded on_cell_ended);

  // False if it was stopped on request; then all running cells have left a checkpoint. Throws
  // Failure. Exit::memory: a process cannot be started. Exit::internal: its end cannot be waited
  // for. Exit::write_failed.
  bool run();

  // [cells] Requires that run() returned true.
  std::vector<CellRecord> take_records();

 private:
  struct Running {
    std::size_t chain;
    std::size_t cell;
    std::size_t place;
  };

  void start_cells();
  std::optional<std::size_t> free_place();
  bool can_start_at(std::size_t place);
  bool has_memory(int machine);
  std::int64_t cells_at(std::size_t place) const;
  void start_cell(std::size_t chain, std::size_t place);
  void end_finished_cells();
  void end_cell(const Running& ended, const ProcessExit& result);
  std::optional<std::size_t> start_of(std::size_t cell) const;
  void load_peaks();

  const SweepPlan& plan_;
  Settings settings_;
  CellFolder cells_;
  std::unique_ptr<CellPlaces> own_place_;
  CellPlaces& places_;
  CellEnded on_cell_ended_;
  std::vector<std::size_t> next_;     // [chains] the position of the cell to run next
  std::vector<std::size_t> waiting_;  // chains without a running cell, the first one at the back
  std::vector<Running> running_;
  std::vector<std::optional<CellRecord>> records_;  // [cells] nothing: not ended, or stopped
  std::int64_t peak_ = 0;  // bytes of the largest cell so far; 0: not known
  bool is_stopping_ = false;
};

}  // namespace sculpt::core
