#include "command/task/tuning.hpp"

#include <algorithm>
#include <array>
#include <system_error>

#include "base/file/durable_file.hpp"
#include "base/file/open_file.hpp"
#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "command/sweeping/sweep_run.hpp"
#include "command/task/default_cost.hpp"
#include "launch/run_identity.hpp"
#include "sweep/runs/sculpt_process.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::array factors = {0.04, 0.2, 1.0, 5.0, 25.0};
constexpr std::int64_t max_folds = 3;
// Held-out losses hardly change below this gap, but the time does.
constexpr double tuning_gap = 0.01;

// The experiment as train would write it, with the training data alone and a gap for tuning.
std::string training_text(const TaskExperiment& task) {
  Registry::Settings settings = registry_settings(task.document(), task.overrides());
  settings.warn = {};  // train will warn
  Registry registry(std::move(settings));
  const Experiment experiment = task.experiment(registry);
  const Assembly assembly(experiment, registry);
  const ChosenSolver solver(experiment.solver);
  Json config = RunIdentity(assembly, solver).config();
  config["dataset"].erase("test");
  config.erase("output");
  Json& solver_keys = config["solver"];
  const Json gap = solver_keys.value("relative_gap", Json());
  if (gap.is_number() && gap.get<double>() < tuning_gap) solver_keys["relative_gap"] = tuning_gap;
  return json_text(config) + "\n";
}

// Writes the experiment, unless it is there.
void write_experiment(const fs::path& folder, const std::string& text,
                      RunFolder::Existing existing) {
  const fs::path file = folder / "experiment.json";
  std::error_code error;
  const bool exists = fs::exists(fs::symlink_status(file, error));
  if (exists && existing == RunFolder::Existing::refuse) {
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

}  // namespace

TuningEnd tune(const TaskExperiment& task, const fs::path& run, RunFolder::Existing existing,
               const std::function<int(std::int64_t)>& threads_of, Console& console) {
  if (!task.usual_cost()) {
    throw Failure(Exit::usage,
                  "--tune chooses C; do not set solver.C, and take a solver whose objective has C");
  }
  std::vector<std::string> values;
  for (const double factor : factors) {
    values.push_back(exact_number_text(rounded_cost(factor * *task.usual_cost())));
  }
  const fs::path folder = run.string() + ".tune";
  const std::vector<std::string>& more = task.task().tune_settings;
  std::vector<std::string> settings{"solver.C=" + joined(values, ",")};
  settings.insert(settings.end(), more.begin(), more.end());
  write_experiment(folder, training_text(task), existing);

  SweepRequest request{(folder / "experiment.json").string(), Grid(settings), {}};
  const bool makes_sets = !more.empty();
  request.hold_out_options.folds =
      makes_sets ? max_folds : std::clamp<std::int64_t>(task.example_count(), 2, max_folds);
  const bool has_sweep = fs::exists(folder / "sweep" / "plan.json");
  request.existing = existing == RunFolder::Existing::resume && !has_sweep
                         ? RunFolder::Existing::refuse
                         : existing;
  request.criterion.emplace("loss");
  request.trains_best = false;
  request.is_quiet = console.is_quiet();
  request.prints_table = !console.is_quiet();
  request.output = folder / "sweep";
  request.threads_of = threads_of;
  console.print_line("tuning C by " + count_text(request.hold_out_options.folds, "fold") +
                     " of the training data, without the test data, to a relative gap of " +
                     percent_text(tuning_gap) + ": " + joined(values, ", "));
  restore_child_signal();
  const SweepEnd end = run_sweep(request);
  if (end.is_stopped || end.best.empty()) return {std::nullopt, end.exit};
  const std::string best = end.best.front().substr(end.best.front().find('=') + 1);
  console.print_line("C = " + best + " has the least held-out loss; training on all of " +
                     "the training data");
  return {std::stod(best), Exit::reached};
}

}  // namespace sculpt::core
