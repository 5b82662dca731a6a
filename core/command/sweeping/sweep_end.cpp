#include "command/sweeping/sweep_end.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/message_text.hpp"
#include "base/text/shell_word.hpp"
#include "base/text/text_out.hpp"
#include "launch/resume.hpp"
#include "model/model_file.hpp"
#include "sweep/results/sweep_table.hpp"
#include "sweep/runs/cell_end.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// The exit code of the first cell that failed. Else not_reached if one missed its target. The same
// if a cell has not ended.
Exit exit_of(const std::vector<CellRecord>& records) {
  const bool is_complete = std::all_of(records.begin(), records.end(),
                                       [](const auto& record) { return record.has_ended; });
  bool reached = is_complete;
  for (const CellRecord& record : records) {
    if (is_complete && !record.has_model()) return static_cast<Exit>(record.exit_code);
    reached = reached && record.exit_code == static_cast<int>(Exit::reached);
  }
  return reached ? Exit::reached : Exit::not_reached;
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

SweepEnd end_of_cells(const SweepRequest& request, const PlannedSweep& sweep,
                      const std::vector<CellRecord>& records, Console& console) {
  const SweepTable table(request.grid, sweep.plan(), records);
  const std::optional<Criterion>& criterion = request.criterion;
  SweepEnd end;
  end.table = table.markdown();
  write_table(sweep.folder(), table, end.table);
  if (request.prints_results) print_table(end.table);
  end.exit = exit_of(records);
  const bool is_complete = std::all_of(records.begin(), records.end(),
                                       [](const auto& record) { return record.has_ended; });
  if (!criterion || !is_complete) return end;
  if (!has_complete_point(table.rows())) {
    console.warn("--best: all points have failed, so none is chosen");
    return end;
  }
  end.best_point = best_point(*criterion, table.rows(), sweep.traits());
  end.best = request.grid.settings(end.best_point);
  end.warnings = missed_targets(table.rows(), end.best_point);
  // A run that missed its target must first be made easier; other values would not help.
  const bool target_is_reached = table.rows()[end.best_point].missed_count == 0;
  if (target_is_reached) {
    end.edges = grid_edges(*criterion, request.grid, table.rows(), end.best_point);
  }
  if (request.prints_results) print_best(end, request.grid, *criterion, console);
  return end;
}

// Compares what does not depend on the place of the data.
bool has_ended_best(const PlannedSweep& sweep, const SweepEnd& end) {
  const std::optional<int> exit_code = read_cell_end(sweep.folder().best_end()).exit_code;
  if (!exit_code || !has_left_model(*exit_code)) return exit_code.has_value();
  Json config = sweep.record().identity(end.best_point)["config"];
  const std::filesystem::path best = sweep.folder().best();
  try {
    Json trained = ModelFile(best).header().value("config", Json::object());
    for (auto* one : {&config, &trained}) one->erase("hold_out");
    require_same_config(trained, config, best.string());
  } catch (const Failure&) {
    return false;  // of other settings, or damaged
  }
  return true;
}

void require_same_data(const PlannedSweep& sweep, const SweepEnd& end, int exit_code) {
  if (!has_left_model(exit_code)) return;
  const std::filesystem::path best = sweep.folder().best();
  sweep.record().require_same_data(end.best_point, ModelFile(best).header(), best.string());
}

}  // namespace sculpt::core
