#include "command/sweeping/tuning.hpp"

#include <algorithm>
#include <array>
#include <system_error>

#include "base/file/durable_file.hpp"
#include "base/file/open_file.hpp"
#include "base/file/stored_json.hpp"
#include "base/stopwatch.hpp"
#include "base/text/message_text.hpp"
#include "base/text/shell_word.hpp"
#include "base/text/text_out.hpp"
#include "command/sweeping/sweep_run.hpp"
#include "command/task/default_cost.hpp"
#include "launch/component_search.hpp"
#include "sweep/runs/sculpt_process.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::array factors = {0.04, 0.2, 1.0, 5.0, 25.0};
constexpr std::int64_t max_folds = 3;
// Held-out losses hardly change below this gap, but the time does.
constexpr double tuning_gap = 0.01;
// Values of C beyond the five, as long as the best is the smallest or the largest.
constexpr std::size_t max_extensions = 3;
constexpr std::string_view cost_key = "solver.C=";

// The experiment as train would write it, with the training data alone and a gap for tuning.
std::string training_text(const TaskExperiment& task) {
  Registry::Settings settings = registry_settings(task.document(), task.overrides());
  settings.warn = {};  // train will warn
  Registry registry(std::move(settings));
  Json config = task.config(registry);
  config["dataset"].erase("test");
  config.erase("output");
  Json& solver_keys = config["solver"];
  const Json gap = solver_keys.value("relative_gap", Json());
  if (gap.is_number() && gap.get<double>() < tuning_gap) solver_keys["relative_gap"] = tuning_gap;
  return json_text(config) + "\n";
}

// Writes the experiment, unless it is there. A tuning that ended before its first cell left no
// plan, and is replaced.
void write_experiment(const fs::path& folder, const std::string& text,
                      RunFolder::Existing existing) {
  const fs::path file = folder / "experiment.json";
  std::error_code error;
  const bool exists = fs::exists(fs::symlink_status(file, error));
  const bool has_begun = fs::exists(folder / "sweep" / "plan.json", error);
  if (exists && has_begun && existing == RunFolder::Existing::refuse) {
    throw Failure(Exit::cannot_create,
                  folder.string() +
                      ": holds an earlier tuning; continue it with --resume, replace it with "
                      "--force, or choose another --output");
  }
  if (exists && existing == RunFolder::Existing::resume) {
    std::ifstream in = open_file(file, Exit::cannot_create);
    const std::string earlier{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (earlier == text) return;
    throw Failure(Exit::config, file.string() +
                                    ": the tuning to resume is of another experiment; give the "
                                    "same words, or --force in place of --resume");
  }
  fs::create_directories(folder, error);
  if (error) {
    throw system_failure(Exit::cannot_create, folder.string() + ": cannot be created",
                         error.value());
  }
  const std::array<std::string_view, 1> parts{text};
  write_durably(file, parts);
}

// The values of C that an earlier tuning in this folder has planned, its extensions included.
std::vector<std::string> planned_costs(const fs::path& sweep) {
  std::vector<std::string> values;
  const Json plan = read_stored_object(sweep / "plan.json", Exit::cannot_create);
  if (!plan.is_object()) return values;  // run_sweep() refuses it
  for (const Json& point : plan.value("points", Json::array())) {
    if (!point.is_object()) continue;
    for (const Json& setting : point.value("settings", Json::array())) {
      const std::string text = setting.is_string() ? setting.get<std::string>() : "";
      if (text.starts_with(cost_key)) values.push_back(text.substr(cost_key.size()));
    }
  }
  return values;
}

// The five values, and those of an earlier tuning.
std::vector<std::string> first_costs(double usual, const std::vector<std::string>& planned) {
  std::vector<std::string> values;
  for (const double factor : factors) {
    values.push_back(exact_number_text(rounded_cost(factor * usual)));
  }
  for (const std::string& value : planned) {
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

std::vector<std::string> grid_texts(const std::vector<std::string>& costs, const Task& task) {
  std::vector<std::string> texts{std::string(cost_key) + joined(costs, ",")};
  texts.insert(texts.end(), task.tune_settings.begin(), task.tune_settings.end());
  return texts;
}

void require_several_examples(const TaskExperiment& task) {
  if (task.example_count() > 1 || !task.task().tune_settings.empty()) return;
  throw Failure(Exit::data, "--tune holds out a part of the training examples, and there is only " +
                                count_text(task.example_count(), "example") +
                                "; give more of them, or train without --tune");
}

// The metric of the task, which belongs to its loss. With another loss this loss itself.
std::string metric_of(const TaskExperiment& task) {
  const std::vector<Override>& overrides = task.overrides();
  const bool has_other_loss = std::any_of(
      overrides.begin(), overrides.end(),
      [](const Override& change) { return change.key() == "loss" || change.key() == "loss.use"; });
  return has_other_loss ? "loss" : task.task().tune_metric;
}

// The edge of the values of C on which the best one lies; nullptr: on none.
const GridEdge* cost_edge(const SweepEnd& end) {
  const auto edge = std::find_if(end.edges.begin(), end.edges.end(), [](const GridEdge& one) {
    return one.key + "=" == cost_key && !one.further_value.empty();
  });
  return edge == end.edges.end() ? nullptr : &*edge;
}

// Runs the sweep. If the data do not allow the settings that the task adds, the message says whose
// they are.
SweepEnd run_cells(const SweepRequest& request, const Task& task, RankCells* cells) {
  try {
    return run_sweep(request, cells);
  } catch (const Failure& failure) {
    if (failure.exit_code() != Exit::data || task.tune_settings.empty()) throw;
    throw failure.with_text(failure.what() + std::string("; --tune sets ") +
                            joined(task.tune_settings, ", ") + "; train without it");
  }
}

// Runs the sweep, and extends it while the best C is at its edge. `costs`: on return all values.
SweepEnd sweep_costs(SweepRequest& request, const Task& task, std::vector<std::string>& costs,
                     RankCells* cells, Console& console) {
  for (;;) {
    SweepEnd end = run_cells(request, task, cells);
    const GridEdge* const edge = cost_edge(end);
    if (edge == nullptr || costs.size() >= factors.size() + max_extensions) return end;
    console.print_line("C = " + edge->value + " is the best so far and the " +
                       (edge->is_largest ? "largest" : "smallest") + " tried; trying " +
                       edge->further_value + ", too");
    request.printed_points = costs.size();
    costs.push_back(edge->further_value);
    request.grid = Grid(grid_texts(costs, task));
    request.existing = RunFolder::Existing::resume;
  }
}

// The command that goes on where the extensions have ended.
std::string further_command(const GridEdge& edge, const SweepRequest& request, const Task& task,
                            std::vector<std::string> costs) {
  costs.push_back(edge.further_value);
  SweepRequest further = request;
  further.grid = Grid(grid_texts(costs, task));
  return "sculpt " + sweep_words(further) + " --resume";
}

}  // namespace

fs::path tuning_sweep_folder(const fs::path& run) {
  return fs::path(run.string() + ".tune") / "sweep";
}

TuningEnd tune(const TaskExperiment& experiment, const fs::path& run, RunFolder::Existing existing,
               const ThreadsOf& threads_of, RankCells* cells, Console& console) {
  if (!experiment.usual_cost()) {
    throw Failure(Exit::usage,
                  "--tune chooses C; do not set solver.C, and take a solver whose objective has C");
  }
  require_several_examples(experiment);
  const Task& task = experiment.task();
  const fs::path sweep = tuning_sweep_folder(run);
  const fs::path folder = sweep.parent_path();
  write_experiment(folder, training_text(experiment), existing);
  const bool is_resumed =
      existing == RunFolder::Existing::resume && fs::exists(sweep / "plan.json");
  std::vector<std::string> costs = first_costs(
      *experiment.usual_cost(), is_resumed ? planned_costs(sweep) : std::vector<std::string>());

  SweepRequest request{(folder / "experiment.json").string(), Grid(grid_texts(costs, task)), {}};
  const bool makes_sets = !task.tune_settings.empty();
  request.hold_out_options.folds =
      makes_sets ? max_folds : std::clamp<std::int64_t>(experiment.example_count(), 2, max_folds);
  request.existing = existing == RunFolder::Existing::resume && !is_resumed
                         ? RunFolder::Existing::refuse
                         : existing;
  request.criterion.emplace(metric_of(experiment));
  request.trains_best = false;
  request.is_quiet = console.is_quiet();
  request.prints_results = false;
  request.output = sweep;
  request.threads_of = threads_of;
  console.print_line("tuning C by " + count_text(request.hold_out_options.folds, "fold") +
                     " of the training data, without the test data, to a relative gap of " +
                     percent_text(tuning_gap) + ": " + joined(costs, ", "));
  restore_child_signal();
  const Stopwatch watch;
  const SweepEnd end = sweep_costs(request, task, costs, cells, console);
  if (!console.is_quiet() && !end.table.empty()) print_table(end.table);
  for (const std::string& warning : end.warnings) console.warn(warning);
  if (end.is_stopped || end.best.empty()) return {std::nullopt, end.exit};
  const std::string best = end.best.front().substr(cost_key.size());
  if (const GridEdge* const edge = cost_edge(end)) {
    console.warn("C = " + best + " is still the " + (edge->is_largest ? "largest" : "smallest") +
                 " tried: further values may be better; to add one: " +
                 further_command(*edge, request, task, costs));
  }
  console.print_line("C = " + best + " has the best held-out " + request.criterion->metric +
                     ", found in " + number_text(watch.seconds(), 2) +
                     " s; training on all of the training data");
  return {std::stod(best), Exit::reached};
}

}  // namespace sculpt::core
