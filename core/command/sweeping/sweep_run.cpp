#include "command/sweeping/sweep_run.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/message_text.hpp"
#include "command/sweeping/cell_text.hpp"
#include "launch/console.hpp"
#include "launch/stop_signal.hpp"
#include "sweep/plan/preflight_check.hpp"
#include "sweep/runs/cell_runner.hpp"
#include "sweep/runs/final_run.hpp"

namespace sculpt::core {
namespace {

// Prints how to continue. The exit code is that of the signal, to this rank or to another one.
SweepEnd stopped_end(const RankCells* cells, Console& console) {
  console.print_line("stopped on request; the same command with --resume continues");
  SweepEnd end;
  const int signal = stop_signal();
  end.exit = static_cast<Exit>(128 + (signal == 0 && cells ? cells->stop_signal() : signal));
  end.is_stopped = true;
  return end;
}

// "3 at a time", and on how many ranks.
std::string places_text(const PlannedSweep& sweep, RankCells* cells) {
  std::int64_t threads = cells == nullptr ? sweep.threads() : 0;
  std::int64_t places = 1;
  if (cells != nullptr) {
    places = static_cast<std::int64_t>(cells->count());
    for (std::size_t k = 0; k < cells->count(); ++k) threads += cells->state(k).threads;
  }
  const std::int64_t most = std::min<std::int64_t>(std::ssize(sweep.plan().chains), threads);
  return std::to_string(most) + " at a time" +
         (cells == nullptr ? "" : ", on " + count_text(places, "rank"));
}

}  // namespace

SweepEnd run_sweep(const SweepRequest& request, RankCells* cells) {
  Console console(Console::prints_if(request.is_quiet));
  const PlannedSweep sweep(request, false, console);
  const SweepPlan& plan = sweep.plan();
  const auto is_new = [&](const Cell& cell) { return cell.point >= request.printed_points; };
  auto cells_left = std::count_if(plan.cells.begin(), plan.cells.end(), is_new);
  if (cells != nullptr) cells->begin(sweep.experiment_threads());
  console.print_line(sweep.name() + ": " + count_text(cells_left, "cell") + ", at most " +
                     places_text(sweep, cells));
  const auto report_cell = [&](const Cell& cell, const CellRecord& record) {
    if (!is_new(cell)) return;
    print_cell(request, cell, record, "; " + std::to_string(--cells_left) + " left", console);
    if (!request.criterion || !record.has_model()) return;
    if (!record.finished.contains("validation")) refuse_nothing_held_out();
  };
  CellRunner::Settings settings;
  settings.folder = sweep.folder().cells();
  settings.config = request.config;
  settings.threads = sweep.threads();
  settings.is_resumed = request.existing == RunFolder::Existing::resume;
  settings.check_model = sweep.check_model();
  settings.places = cells;
  CellRunner runner(plan, settings, report_cell);
  if (!runner.run()) return stopped_end(cells, console);

  SweepEnd end = end_of_cells(request, sweep, runner.take_records(), console);
  if (!end.best.empty() && request.trains_best) {
    const auto best =
        train_on_all({request.config, end.best, sweep.threads(), request.is_quiet}, sweep.folder());
    if (!best) return stopped_end(cells, console);
    require_same_data(sweep, end, best->exit_code);
    if (best->exit_code != static_cast<int>(Exit::reached)) {
      end.exit = static_cast<Exit>(best->exit_code);
      return end;
    }
  }
  sweep.folder().remove_replaced();
  return end;
}

}  // namespace sculpt::core
