#include "command/sweeping/slurm_sweep.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/host_place.hpp"
#include "base/text/message_text.hpp"
#include "base/text/shell_word.hpp"
#include "base/text/text_out.hpp"
#include "command/sweeping/sweep_end.hpp"
#include "launch/resume.hpp"
#include "sweep/runs/cell_end.hpp"
#include "sweep/runs/cell_lock.hpp"
#include "sweep/runs/single_cell.hpp"
#include "sweep/slurm/submission.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Chains = std::vector<std::vector<std::string>>;

// True if train --resume of this cell would do something.
bool is_left(const PlannedSweep& sweep, const CellFolder& cells, std::size_t cell,
             const CellRecord& record) {
  if (!record.has_ended || was_stopped(record)) return true;
  const Json solver = sweep.record().identity(sweep.plan().cells[cell].point)["config"]["solver"];
  return record.exit_code != static_cast<int>(Exit::reached) &&
         record.finished.value("stopped_by", "").starts_with("max_") &&
         can_resume(record.finished, config_value(cells.run(cell), "/solver"), solver);
}

// What is left of each chain. A chain of which a cell runs now has a task for it already.
struct CellsLeft {
  Chains chains;
  std::int64_t count = 0;
  std::int64_t running_count = 0;  // chains of which a cell runs now
};

CellsLeft cells_left(const PlannedSweep& sweep) {
  const CellFolder cells = sweep.cells();
  const std::vector<CellRecord> records = stored_records(sweep.plan(), cells);
  CellsLeft left;
  for (const std::vector<std::size_t>& chain : sweep.plan().chains) {
    const auto running = std::count_if(chain.begin(), chain.end(), [&](std::size_t cell) {
      return !records[cell].has_ended && is_trained_now(cells.log(cell));
    });
    if (running > 0) ++left.running_count;
    if (running > 0) continue;
    left.chains.emplace_back();
    for (const std::size_t cell : chain) {
      if (!is_left(sweep, cells, cell, records[cell])) continue;
      left.chains.back().push_back(sweep.plan().cells[cell].name);
      ++left.count;
    }
  }
  return left;
}

// True if the final run has something left to do, once all cells have ended.
bool best_is_left(const SweepRequest& request, const PlannedSweep& sweep, Console& console) {
  if (!request.criterion) return false;
  const std::vector<CellRecord> records = stored_records(sweep.plan(), sweep.cells());
  const SweepEnd end = end_of_cells(silent(request), sweep, records, console);
  const auto exit_code = read_cell_end(sweep.folder().best_end()).exit_code;
  return !end.best.empty() &&
         (exit_code != static_cast<int>(Exit::reached) || !has_ended_best(sweep, end));
}

// The variables that the experiment and the search for plugins may need. sbatch hands the
// environment on, unless the cluster or the user says otherwise.
std::vector<std::pair<std::string, std::string>> environment() {
  std::vector<std::pair<std::string, std::string>> variables;
  for (const char* name : {"SCULPT_DATA", "SCULPT_PLUGIN_PATH"}) {
    if (const char* value = std::getenv(name)) variables.emplace_back(name, value);
  }
  return variables;
}

// "/usr/bin/sculpt sweep /home/me/x.json --set solver.C=1,10 --output /home/me/sweeps/x"
std::string task_command(const SweepRequest& request, const PlannedSweep& sweep) {
  SweepRequest task = request;
  task.config = fs::absolute(request.config).lexically_normal().string();
  task.output = sweep.folder().path();
  return shell_word(fs::canonical(sculpt_program()).string()) + " " + sweep_words(task);
}

// The threads of a cell. Not all cores of the machine that submits.
int threads_of_cell(const SweepRequest& request, const PlannedSweep& sweep) {
  return request.threads_of(std::max<std::int64_t>(1, sweep.experiment_threads()));
}

void print_submitted(const SweepRequest& request, const PlannedSweep& sweep,
                     const std::vector<SubmittedJob>& jobs) {
  std::vector<std::string> ids;
  TextOut out = report_out();
  for (const SubmittedJob& job : jobs) {
    out.row(job.script, job.id);
    ids.push_back(job.id);
  }
  SweepRequest collected = request;
  collected.output = sweep.folder().path();
  out.row("logs", shell_word(sweep.folder().slurm().string()));
  out.row("collect", "sculpt " + sweep_words(collected) + " --collect");
  out.row("cancel", "scancel " + joined(ids, " "));
}

}  // namespace

Exit submit_sweep(const SweepRequest& request, const SlurmRequest& slurm) {
  check_slurm_options(slurm.options);
  check_slurm_folder(request.output.empty() ? fs::current_path() : request.output);
  if (!slurm.writes_only) require_sbatch();
  Console console(Console::prints_if(request.is_quiet));
  const bool is_resumed = request.existing == RunFolder::Existing::resume;
  const PlannedSweep sweep(request, is_resumed, console);
  const FolderLock turn = sweep.folder().turn();
  const CellsLeft left = cells_left(sweep);
  if (left.running_count > 0) {
    console.warn("cells of " + count_text(left.running_count, "chain") +
                 " are trained now; these chains are left out");
  }
  if (left.count == 0 && (left.running_count > 0 || !best_is_left(request, sweep, console))) {
    console.print_line(sweep.name() + (left.running_count > 0
                                           ? ": no other cell is left, nothing is submitted"
                                           : ": all cells have ended, nothing is submitted; "
                                             "--collect makes the table"));
    return Exit::reached;
  }
  SlurmSettings settings;
  settings.name = sweep.name();
  settings.folder = sweep.folder().path();
  settings.working_folder = fs::current_path();
  settings.command = task_command(request, sweep);
  settings.threads = threads_of_cell(request, sweep);
  settings.options = slurm.options;
  settings.environment = environment();
  settings.trains_best = request.criterion.has_value();
  const SlurmFolder folder(sweep.folder().slurm());
  folder.write(slurm_scripts(settings, slurm_jobs(left.chains)));
  console.print_line(sweep.name() + ": " + count_text(left.count, "cell") + ", " +
                     std::to_string(settings.threads) + " CPU each");
  if (slurm.writes_only) {
    report_out().row("submit", "bash " + shell_word(folder.submit_script().string()));
    return Exit::reached;
  }
  print_submitted(request, sweep, folder.submit());
  return Exit::reached;
}

}  // namespace sculpt::core
