// sculpt sweep: trains an experiment with many settings and prints one table.

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/file/stored_json.hpp"
#include "base/text/json_syntax.hpp"
#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "launch/console.hpp"
#include "launch/stop_signal.hpp"
#include "model/model_file.hpp"
#include "sweep/plan/grid.hpp"
#include "sweep/plan/plan_record.hpp"
#include "sweep/plan/preflight_check.hpp"
#include "sweep/plan/sweep_plan.hpp"
#include "sweep/plan/sweep_points.hpp"
#include "sweep/results/best_point.hpp"
#include "sweep/results/sweep_table.hpp"
#include "sweep/runs/cell_record.hpp"
#include "sweep/runs/cell_runner.hpp"
#include "sweep/runs/final_run.hpp"
#include "sweep/runs/sculpt_process.hpp"
#include "sweep/runs/sweep_folder.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

constexpr const char* sweep_epilogue =
    "\n"
    "  sculpt sweep x.json --set solver.C=0.1,1,10 --set oracle.use=viterbi,icm --folds 5\n"
    "\n"
    "trains every combination of the values, with each fold held out once, and prints one table.\n"
    "Commas inside of [], {} and \"\" do not separate values. Cells that differ only in solver.C\n"
    "start with the planes of the next smaller C, unless --cold is given. --best trains again on\n"
    "all of the split \"train\", with the settings that are best on held-out data.\n"
    "\n"
    "Exit codes: the code of the first cell that failed; else 3 if a cell did not reach its\n"
    "target; else 0\n";

// The text of an option, for JSON. Throws Failure(Exit::usage) if JSON cannot hold it.
std::string utf8_option(const CommandLine& line, const std::string& option) {
  std::string text = line.get<std::string>(option);
  if (!is_utf8(text)) throw Failure(Exit::usage, "--" + option + " " + text + ": is not UTF-8");
  return text;
}

// Throws Failure(Exit::usage) for options that contradict each other.
HoldOutOptions hold_out_options_of(const CommandLine& line) {
  HoldOutOptions hold_out_options;
  if (line.has("folds") && line.has("hold-out")) {
    throw Failure(Exit::usage,
                  "--folds holds out every example once, --hold-out only a part of them; "
                  "give one of the two");
  }
  if (line.has("folds")) hold_out_options.folds = line.get<std::int64_t>("folds");
  if (line.has("hold-out")) hold_out_options.fraction = line.get<double>("hold-out");
  if (line.has("folds") && (hold_out_options.folds < 2 || hold_out_options.folds > 1000)) {
    throw Failure(Exit::usage, "--folds must be a number from 2 to 1000");
  }
  if (line.has("hold-out") && !(hold_out_options.fraction > 0 && hold_out_options.fraction < 1)) {
    throw Failure(Exit::usage, "--hold-out must be a fraction between 0 and 1");
  }
  for (const char* option : {"groups", "seed"}) {
    if (!line.has(option) || hold_out_options.is_set()) continue;
    throw Failure(Exit::usage,
                  std::string("--") + option + " needs --folds or --hold-out; give one of the two");
  }
  if (line.has("groups")) hold_out_options.groups = utf8_option(line, "groups");
  if (line.has("seed")) hold_out_options.seed = line.get<std::int64_t>("seed");
  if (hold_out_options.seed < 0) {
    throw Failure(Exit::usage, "--seed must be a whole number of at least 0");
  }
  return hold_out_options;
}

// The settings of --set, and those that other options set for every cell.
std::vector<std::string> settings_of(const CommandLine& line) {
  std::vector<std::string> settings = line.override_texts();
  if (line.has("predict-with")) {
    Json oracles = Json::array();
    for (const std::string& text : split_at_commas(utf8_option(line, "predict-with"))) {
      const Json value = parse_stored_json(text);
      oracles.push_back(value.is_discarded() ? Json(text) : value);
    }
    settings.push_back("predict_with=" + oracles.dump());
  }
  if (line.has("audit-with")) {
    settings.push_back("audit_with=" + utf8_option(line, "audit-with"));
  }
  return settings;
}

RunFolder::Existing existing_sweep(const CommandLine& line) {
  if (line.has("resume") && line.has("force")) {
    throw Failure(Exit::usage,
                  "--resume continues a sweep and --force replaces it; give one of them");
  }
  if (line.has("resume")) return RunFolder::Existing::resume;
  return line.has("force") ? RunFolder::Existing::replace : RunFolder::Existing::refuse;
}

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

// Prints how to continue. Returns the exit code for the signal.
Exit report_stop(Console& console) {
  console.print_line("stopped on request; the same command with --resume continues");
  return static_cast<Exit>(128 + stop_signal());
}

void add_options(CommandLine& line) {
  line.add_overrides(
      "values to try, e.g. solver.C=0.1,1,10; may be repeated; all combinations are trained");
  line.add()("folds", po::value<std::int64_t>()->value_name("K"),
             "divide the split \"train\" into K parts, and hold out each part once")(
      "hold-out", po::value<double>()->value_name("F"),
      "hold out this fraction of the split \"train\"")(
      "groups", po::value<std::string>()->value_name("FILE"),
      "one line for each example of train; examples with the same word are in the same fold")(
      "seed", po::value<std::int64_t>()->value_name("N"), "seed of the folds; default: 0")(
      "predict-with", po::value<std::string>()->value_name("A,B"),
      "also measure every trained model with these oracles; sets the key \"predict_with\"")(
      "audit-with", po::value<std::string>()->value_name("ORACLE"),
      "find the true primal and gap of every model with this exact oracle; sets the key "
      "\"audit_with\"")(
      "best", po::value<std::string>()->value_name("METRIC"),
      "train again on all of \"train\" with the settings that are best by METRIC, in DIR/best; "
      "METRIC:max or METRIC:min sets the direction")("output",
                                                     po::value<std::string>()->value_name("DIR"),
                                                     "folder of the sweep; default: sweeps/NAME")(
      "resume", "continue the sweep in the folder")("force", "replace the sweep in the folder")(
      "cold", "start every cell without the planes of another cell")(
      "threads", po::value<std::int64_t>()->value_name("N"),
      "number of threads, 0 for all cores; at most this many cells run at a time");
  line.add_epilogue(sweep_epilogue);
}

void write_table(const SweepFolder& folder, const SweepTable& table) {
  folder.write("sweep.json", json_text(table.json()) + "\n");
  folder.write("sweep.csv", table.csv());
  folder.write("sweep.md", table.markdown());
  TextOut out = report_out();
  out.lines(table.markdown());
  out.flush();
}

}  // namespace

Exit sweep(const Arguments& arguments) {
  CommandLine line("sweep", {"CONFIG"});
  add_options(line);
  if (!line.parse(arguments)) return Exit::reached;
  const std::string config = line.required("CONFIG");
  const Grid grid(settings_of(line));
  const HoldOutOptions hold_out_options = hold_out_options_of(line);
  const RunFolder::Existing existing = existing_sweep(line);
  const auto criterion =
      line.has("best") ? std::optional(Criterion(line.get<std::string>("best"))) : std::nullopt;
  catch_stop_signals();
  ignore_write_signals();
  restore_child_signal();

  SweepPoints points = check_points(config, grid, hold_out_options, line.has("cold"));
  const fs::path output =
      line.has("output") ? output_option(line) : fs::absolute(fs::path("sweeps") / points.name);
  const int threads = thread_count(line, points.threads);
  Console console;
  check_before_training(config, grid, hold_out_options, criterion, console);
  PlanRecord record(grid, hold_out_options, line.has("cold"), std::move(points.identities));
  const SweepFolder folder(output, existing, record);
  const SweepPlan plan = plan_of(grid, hold_out_options, points.traits, record.names());
  std::size_t cells_left = plan.cells.size();
  console.print_line(
      points.name + ": " + count_text(std::ssize(plan.cells), "cell") + ", at most " +
      std::to_string(std::min(plan.chains.size(), static_cast<std::size_t>(threads))) +
      " at a time");
  const auto report_cell = [&](const Cell& cell, const CellRecord& cell_record) {
    console.print_line(cell_text(grid, hold_out_options, cell) + ": " + record_text(cell_record) +
                       "; " + std::to_string(--cells_left) + " left");
    if (!criterion || !cell_record.has_model()) return;
    if (cell_record.finished.contains("validation")) return;
    refuse_nothing_held_out();
  };
  CellRunner::Settings settings;
  settings.folder = folder.cells();
  settings.config = config;
  settings.threads = threads;
  settings.is_resumed = existing == RunFolder::Existing::resume;
  settings.check_model = [&](const Cell& cell, const Json& header) {
    record.require_same_data(cell.point, header, cell.name);
  };
  CellRunner runner(plan, settings, report_cell);
  if (!runner.run()) return report_stop(console);

  const std::vector<CellRecord> records = runner.take_records();
  const SweepTable table(grid, plan, records);
  write_table(folder, table);
  if (criterion && !has_complete_point(table.rows())) {
    console.print_line("--best: all points have failed, so none is chosen");
  } else if (criterion) {
    const std::size_t best = best_point(*criterion, table.rows(), points.traits);
    console.print_line("best by " + criterion->metric + ": " + joined(grid.settings(best), ", "));
    for (const std::string& text : missed_targets(table.rows(), best))
      console.print_line("  " + text);
    // A run that missed its target must first be made easier; other values would not help.
    const bool target_is_reached = table.rows()[best].missed_count == 0;
    for (const std::string& warning : boundary_warnings(grid, best)) {
      if (target_is_reached) console.print_line("  " + warning + ": further values may be better");
    }
    const auto exit_code = train_on_all({config, grid.settings(best), threads}, folder);
    if (!exit_code) return report_stop(console);
    if (has_left_model(*exit_code)) {
      record.require_same_data(best, ModelFile(folder.best()).header(), folder.best().string());
    }
    if (*exit_code != static_cast<int>(Exit::reached)) return static_cast<Exit>(*exit_code);
  }
  folder.remove_replaced();
  return exit_of(records);
}

}  // namespace sculpt::core
