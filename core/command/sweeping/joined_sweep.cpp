#include "command/sweeping/joined_sweep.hpp"

#include <algorithm>

#include "base/text/message_text.hpp"
#include "command/sweeping/cell_text.hpp"
#include "command/sweeping/sweep_end.hpp"
#include "launch/stop_signal.hpp"
#include "sweep/runs/cell_end.hpp"
#include "sweep/runs/cell_lock.hpp"
#include "sweep/runs/final_run.hpp"
#include "sweep/runs/single_cell.hpp"

namespace sculpt::core {
namespace {

Exit stopped_exit(const std::string& name, Console& console) {
  console.print_line(name + ": stopped on request; the same command continues");
  return static_cast<Exit>(128 + stop_signal());
}

std::size_t cell_named(const SweepPlan& plan, const std::string& name) {
  if (const auto cell = plan.find(name)) return *cell;
  throw Failure(Exit::usage, "--cell " + name + ": there is no such cell; they are named " +
                                 plan.cells.front().name + " to " + plan.cells.back().name +
                                 ", and best");
}

// Trains the final run, if all cells have ended.
Exit train_best(const SweepRequest& request, const PlannedSweep& sweep, Console& console) {
  if (!request.criterion) {
    throw Failure(Exit::usage, "--cell best needs --best METRIC, which chooses the settings");
  }
  const SweepFolder& folder = sweep.folder();
  const CellLock lock(folder.best_log());
  const std::vector<CellRecord> records = stored_records(sweep.plan(), sweep.cells());
  const auto missing_count = std::count_if(records.begin(), records.end(),
                                           [](const auto& record) { return !record.has_ended; });
  if (missing_count > 0) {
    throw Failure(Exit::missing,
                  "--cell best needs all cells, but " + std::to_string(missing_count) + " of " +
                      std::to_string(records.size()) + " are missing; --collect names them");
  }
  const SweepEnd end = [&] {
    const FolderLock turn = folder.turn();
    return end_of_cells(silent(request), sweep, records, console);
  }();
  if (end.best.empty()) return end.exit;
  const auto result = train_on_all({request.config, end.best, sweep.threads(), request.is_quiet},
                                   folder, folder.best_log());
  if (!result) return stopped_exit("best", console);
  const CellRecord record = read_cell(folder.best(), folder.best_log(), result->exit_code);
  require_same_data(sweep, end, result->exit_code);
  console.print_line("best (" + joined(end.best, ", ") + "): " + record_text(record));
  return Exit::reached;
}

// What is missing, and how to train it. Nothing is printed if nothing is.
void print_missing(const SweepRequest& request, const PlannedSweep& sweep,
                   const std::vector<CellRecord>& records, bool best_is_missing, Console& console) {
  const auto missing_count = std::count_if(records.begin(), records.end(),
                                           [](const auto& record) { return !record.has_ended; });
  const auto failed_count = std::count_if(records.begin(), records.end(), [](const auto& record) {
    return record.has_ended && !record.has_model();
  });
  const std::string cells = " of " + count_text(static_cast<std::int64_t>(records.size()), "cell");
  std::vector<std::string> texts;
  const auto add = [&](std::int64_t count, const char* one, const char* several) {
    if (count > 0) texts.push_back(std::to_string(count) + cells + (count == 1 ? one : several));
  };
  add(missing_count, " is missing", " are missing");
  add(failed_count, " has failed", " have failed");
  if (best_is_missing) texts.emplace_back("the final run has not ended");
  if (texts.empty()) return;
  SweepRequest same = request;
  same.output = sweep.folder().path();
  console.warn(joined(texts, ", ") + "; to train what is left: sculpt " + sweep_words(same) +
               " --slurm --resume, once squeue shows no more jobs of this sweep; without --slurm "
               "it runs here");
}

}  // namespace

Exit train_cell(const SweepRequest& request, const std::string& name) {
  Console console(Console::prints_if(request.is_quiet));
  const PlannedSweep sweep(request);
  if (name == "best") return train_best(request, sweep, console);
  const std::size_t cell = cell_named(sweep.plan(), name);
  const auto record = train_single_cell(sweep.plan(), sweep.cells(), cell, sweep.threads());
  if (!record) return stopped_exit(name, console);
  print_cell(request, sweep.plan().cells[cell], *record, "", console);
  return Exit::reached;
}

Exit collect_sweep(const SweepRequest& request) {
  Console console(Console::prints_if(request.is_quiet));
  const PlannedSweep sweep(request);
  const FolderLock turn = sweep.folder().turn();
  const std::vector<CellRecord> records = stored_records(sweep.plan(), sweep.cells());
  SweepEnd end = end_of_cells(request, sweep, records, console);
  const bool is_complete = std::all_of(records.begin(), records.end(),
                                       [](const auto& record) { return record.has_ended; });
  const bool needs_best = !end.best.empty();
  const bool best_is_missing = needs_best && !has_ended_best(sweep, end);
  print_missing(request, sweep, records, best_is_missing, console);
  if (best_is_missing) return Exit::not_reached;
  if (needs_best) {
    const int best = read_cell_end(sweep.folder().best_end()).exit_code.value_or(0);
    require_same_data(sweep, end, best);
    if (best != static_cast<int>(Exit::reached)) return static_cast<Exit>(best);
  }
  if (is_complete) sweep.folder().remove_replaced();
  return end.exit;
}

}  // namespace sculpt::core
