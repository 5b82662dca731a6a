#include "command/sweeping/sweep_run.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text/message_text.hpp"
#include "base/text/shell_word.hpp"
#include "base/text/text_out.hpp"
#include "launch/console.hpp"
#include "launch/stop_signal.hpp"
#include "model/model_file.hpp"
#include "sweep/plan/plan_record.hpp"
#include "sweep/plan/preflight_check.hpp"
#include "sweep/plan/sweep_points.hpp"
#include "sweep/results/sweep_table.hpp"
#include "sweep/runs/cell_record.hpp"
#include "sweep/runs/cell_runner.hpp"
#include "sweep/runs/final_run.hpp"
#include "sweep/runs/sweep_folder.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string cell_text(const Grid& grid, const HoldOutOptions& hold_out_options, const Cell& cell) {
  const std::string fold = hold_out_options.folds > 0 ? ", fold " + std::to_string(cell.fold) : "";
  const std::string settings = joined(grid.settings(cell.point), ", ") + fold;
  return cell.name + (settings.empty() ? "" : " (" + settings + ")");
}

// How a cell ended: its failure, or passes, gap and time.
std::string record_text(const CellRecord& record) {
  if (!record.has_model()) {
    return "failed (" + std::to_string(record.exit_code) + "): " + record.reason;
  }
  const Json& event = record.finished;
  const Json gap = event.value("relative_gap", Json());
  const bool has_target =
      event.value("dual", Json()).is_number() || event.value("residual", Json()).is_number();
  const bool misses_target = has_target && record.exit_code != static_cast<int>(Exit::reached);
  return event.value("stopped_by", "") + " after " + count_text(event.value("passes", 0), "pass") +
         ", relative gap " + (gap.is_number() ? number_text(gap.get<double>(), 2) : "-") +
         (event.value("certified", false) ? "" : ", not certified") +
         (misses_target ? ", target missed" : "") + ", " +
         number_text(event.value("seconds", 0.0), 3) + " s";
}

// The exit code of the first cell that failed. Else not_reached if one missed its target.
Exit exit_of(const std::vector<CellRecord>& records) {
  bool reached = true;
  for (const CellRecord& record : records) {
    if (!record.has_model()) return static_cast<Exit>(record.exit_code);
    reached = reached && record.exit_code == static_cast<int>(Exit::reached);
  }
  return reached ? Exit::reached : Exit::not_reached;
}

// Prints how to continue. The exit code is that of the signal.
SweepEnd stopped_end(Console& console) {
  console.print_line("stopped on request; the same command with --resume continues");
  SweepEnd end;
  end.exit = static_cast<Exit>(128 + stop_signal());
  end.is_stopped = true;
  return end;
}

void write_table(const SweepFolder& folder, const SweepTable& table, const std::string& markdown) {
  folder.write("sweep.json", json_text(table.json()) + "\n");
  folder.write("sweep.csv", table.csv());
  folder.write("sweep.md", markdown);
}

// "--resume and --set solver.C=0.1,1,10,100", which keeps the cells that exist.
std::string extension_words(const GridEdge& edge, const Grid& grid) {
  const auto key = std::find_if(grid.keys().begin(), grid.keys().end(),
                                [&](const GridKey& one) { return one.name == edge.key; });
  std::vector<std::string> values = key->values;
  values.push_back(edge.further_value.empty() ? "..." : edge.further_value);
  return "--resume and --set " + shell_word(edge.key + "=" + joined(values, ","));
}

void print_best(const SweepEnd& end, const Grid& grid, const Criterion& criterion,
                Console& console) {
  console.print_line("best by " + criterion.metric + ": " + joined(end.best, ", "));
  for (const std::string& warning : end.warnings) console.warn(warning);
  for (const GridEdge& edge : end.edges) {
    console.warn(edge.text() + ": further values may be better; to add one, repeat the command " +
                 "with " + extension_words(edge, grid));
  }
}

}  // namespace

void print_table(const std::string& markdown) {
  TextOut out = report_out();
  out.lines(markdown);
  out.flush();
}

SweepEnd run_sweep(const SweepRequest& request) {
  const std::string& config = request.config;
  const Grid& grid = request.grid;
  const HoldOutOptions& hold_out_options = request.hold_out_options;
  const std::optional<Criterion>& criterion = request.criterion;
  SweepPoints points = check_points(config, grid, hold_out_options, request.is_cold);
  const fs::path output =
      request.output.empty() ? fs::absolute(fs::path("sweeps") / points.name) : request.output;
  const int threads = request.threads_of(points.threads);
  Console console(Console::prints_if(request.is_quiet));
  check_before_training(config, grid, hold_out_options, criterion, console);
  PlanRecord record(grid, hold_out_options, request.is_cold, std::move(points.identities));
  const SweepFolder folder(output, request.existing, record);
  const SweepPlan plan = plan_of(grid, hold_out_options, points.traits, record.names());
  const auto is_new = [&](const Cell& cell) { return cell.point >= request.printed_points; };
  auto cells_left = std::count_if(plan.cells.begin(), plan.cells.end(), is_new);
  console.print_line(
      points.name + ": " + count_text(cells_left, "cell") + ", at most " +
      std::to_string(std::min(plan.chains.size(), static_cast<std::size_t>(threads))) +
      " at a time");
  const auto report_cell = [&](const Cell& cell, const CellRecord& cell_record) {
    if (!is_new(cell)) return;
    const std::string text = cell_text(grid, hold_out_options, cell) + ": " +
                             record_text(cell_record) + "; " + std::to_string(--cells_left) +
                             " left";
    if (cell_record.has_model()) {
      console.print_line(text);
    } else {
      console.warn(text);
    }
    if (!criterion || !cell_record.has_model()) return;
    if (cell_record.finished.contains("validation")) return;
    refuse_nothing_held_out();
  };
  CellRunner::Settings settings;
  settings.folder = folder.cells();
  settings.config = config;
  settings.threads = threads;
  settings.is_resumed = request.existing == RunFolder::Existing::resume;
  settings.check_model = [&](const Cell& cell, const Json& header) {
    record.require_same_data(cell.point, header, cell.name);
  };
  CellRunner runner(plan, settings, report_cell);
  if (!runner.run()) return stopped_end(console);

  const std::vector<CellRecord> records = runner.take_records();
  const SweepTable table(grid, plan, records);
  SweepEnd end;
  end.table = table.markdown();
  write_table(folder, table, end.table);
  if (request.prints_results) print_table(end.table);
  end.exit = exit_of(records);
  if (criterion && !has_complete_point(table.rows())) {
    console.warn("--best: all points have failed, so none is chosen");
  } else if (criterion) {
    const std::size_t best = best_point(*criterion, table.rows(), points.traits);
    end.best = grid.settings(best);
    end.warnings = missed_targets(table.rows(), best);
    // A run that missed its target must first be made easier; other values would not help.
    const bool target_is_reached = table.rows()[best].missed_count == 0;
    if (target_is_reached) end.edges = grid_edges(*criterion, grid, table.rows(), best);
    if (request.prints_results) print_best(end, grid, *criterion, console);
    if (!request.trains_best) {
      folder.remove_replaced();
      return end;
    }
    const auto exit_code = train_on_all({config, end.best, threads, request.is_quiet}, folder);
    if (!exit_code) return stopped_end(console);
    if (has_left_model(*exit_code)) {
      record.require_same_data(best, ModelFile(folder.best()).header(), folder.best().string());
    }
    if (*exit_code != static_cast<int>(Exit::reached)) {
      end.exit = static_cast<Exit>(*exit_code);
      return end;
    }
  }
  folder.remove_replaced();
  return end;
}

}  // namespace sculpt::core
