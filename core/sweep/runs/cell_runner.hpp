// cell_runner.hpp - runs the cells of a plan, chains side by side.
//
// Made by the command sweep. A cell is `sculpt train` in a process of its own, with a run folder
// cells/NAME and what it prints in cells/NAME.log. As many run at a time as there are threads, and
// as memory allows: each further one as long as all that run, and it, may become as large as the
// largest so far; until that is known, or the first says what it will take, it runs alone. No
// result depends on who runs beside whom.
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
#include "sweep/runs/cell_record.hpp"
#include "sweep/runs/sculpt_process.hpp"

namespace sculpt::core {

class CellRunner {
 public:
  struct Settings {
    std::filesystem::path folder;  // of the cells; it is there
    std::string config;            // of the experiment, as train takes it
    int threads = 1;               // of all cells together
    bool resume = false;           // cells may be there, finished or not
    std::filesystem::path binary = CellProcess::this_binary;  // sculpt
    std::function<std::int64_t()> free_memory =
        core::free_memory_for_new_processes;  // see free_memory.hpp
    // Throws Failure where the model that a cell has left, of this header, is none of the sweep:
    // the cell has failed then. Empty: all are.
    std::function<void(const Cell& cell, const nlohmann::ordered_json& header)> examine = {};
  };
  // Hears of every cell when it has ended. What it throws ends the sweep.
  using CellEnded = std::function<void(const Cell& cell, const CellRecord& record)>;

  // `plan` outlives it.
  CellRunner(const Plan& plan, Settings settings, CellEnded heard);

  // False: stopped on request; all cells that ran have left a checkpoint. Throws Failure:
  // Exit::memory where a process cannot be had, Exit::internal where it cannot be waited for,
  // Exit::write.
  bool run();

  // [cells] Requires that run() was true.
  std::vector<CellRecord> take_records();

 private:
  struct Running {
    std::size_t chain;
    std::size_t cell;
    std::unique_ptr<CellProcess> process;
  };

  void start_more();
  bool has_room();
  void start(std::size_t chain);
  void poll();
  void end(const Running& one, const ProcessExit& process);
  void examine(std::size_t cell, CellRecord& record) const;
  std::optional<std::size_t> source_of(std::size_t chain) const;
  std::optional<std::size_t> began_with(std::size_t chain, std::size_t cell) const;
  bool has_progress(std::size_t cell) const;
  std::filesystem::path run_of(std::size_t cell) const;
  std::filesystem::path beside(std::size_t cell, const char* ending) const;
  void note_peak(std::size_t cell, std::int64_t bytes);
  void recall_peaks();

  const Plan& plan_;
  Settings settings_;
  CellEnded on_cell_ended_;
  std::vector<std::size_t> next_;  // [chains] the position of the cell to run next
  std::vector<std::size_t>
      waiting_;  // chains that none of their cells run of, the first at the back
  std::vector<Running> running_;
  std::vector<std::optional<CellRecord>> records_;  // [cells] nothing: not ended, or stopped
  std::int64_t peak_ = 0;  // bytes of the largest cell so far, 0: not known
  bool stopping_ = false;
};

}  // namespace sculpt::core
