#include "command/task/task_experiment.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/failure.hpp"
#include "base/text/json_syntax.hpp"
#include "base/text/message_text.hpp"
#include "command/task/data_format.hpp"
#include "command/task/default_cost.hpp"
#include "launch/assembly.hpp"
#include "launch/component_search.hpp"
#include "launch/run_identity.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// "ranking-train" for train.txt.gz. The task alone if the name of the file cannot be in the name of
// a folder.
std::string experiment_name(const std::string& task, const std::string& train) {
  constexpr std::size_t max_bytes = 100;
  fs::path file = fs::path(train).filename();
  if (file.extension() == ".gz" || file.extension() == ".zst") file = file.stem();
  const std::string stem = file.stem().string();
  const bool has_controls = std::any_of(stem.begin(), stem.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  const bool is_usable = is_utf8(stem) && !has_controls && stem.size() <= max_bytes;
  return is_usable && !stem.empty() ? task + "-" + stem : task;
}

Json with_use(const Json& section) {
  return section.is_string() ? Json{{"use", section}} : section;
}

void require_test_file(const std::string& test) {
  std::error_code error;
  const fs::file_status status = fs::status(test, error);
  if (fs::exists(status) && !fs::is_directory(status)) return;
  throw Failure(Exit::missing, "--test " + test +
                                   (fs::is_directory(status) ? ": this is a folder; name a file"
                                                             : ": there is no such file"));
}

bool sets_cost(const Override& change) {
  const bool sets_all = change.key() == "solver" && change.value().is_object();
  return change.key() == "solver.C" || (sets_all && change.value().contains("C"));
}

}  // namespace

TaskExperiment::TaskExperiment(const TaskRequest& request, Console& console)
    : task_(find_task(request.task)), overrides_(request.overrides) {
  const std::vector<DataLine> lines = first_lines(request.train);
  if (request.test) require_test_file(*request.test);
  format_ = &recognized_format(task_, overrides_, request.train, lines);
  console.print_line("task " + task_.name + ": " + request.train + " is read as " + format_->name);
  const Position position{std::make_shared<Source>(
      Source{"the experiment of the task " + task_.name, fs::current_path().string()})};
  document_ = JsonDocument(json(request), position);
  try {
    choose_cost(request, console);
  } catch (const Failure& failure) {
    if (failure.exit_code() != Exit::data) throw;
    throw failure.with_text(failure.what() + other_format_text(task_, *format_, overrides_, lines));
  }
}

Json TaskExperiment::json(const TaskRequest& request) const {
  Json json = {{"name", experiment_name(task_.name, request.train)}};
  for (const char* section : task_sections) {
    if (format_->sections.contains(section)) {
      json[section] = format_->sections[section];
    } else if (task_.sections.contains(section)) {
      json[section] = task_.sections[section];
    }
  }
  const Json keys = with_use(json["dataset"]);
  Json dataset = {{"use", keys["use"]}, {"train", request.train}};
  if (request.test) dataset["test"] = *request.test;
  dataset.update(keys);
  json["dataset"] = std::move(dataset);
  Json solver = {{"use", json["solver"]["use"]}, {"C", 1}};
  solver.update(json["solver"]);
  json["solver"] = std::move(solver);
  return json;
}

void TaskExperiment::set_cost(double C) {
  document_.replace("/solver/C", C);
  // An override of the whole solver would replace the key of the document.
  const std::string text = "solver.C=" + exact_number_text(C);
  std::erase_if(overrides_, [](const Override& change) { return change.key() == "solver.C"; });
  overrides_.emplace_back(text);
}

Experiment TaskExperiment::experiment(Registry& registry) const {
  return Experiment(document_, overrides_, declared_in(registry));
}

Json TaskExperiment::config(Registry& registry) const {
  const Experiment experiment = this->experiment(registry);
  const Assembly assembly(experiment, registry);
  const ChosenSolver solver(experiment.solver);
  return RunIdentity(assembly, solver).config();
}

void TaskExperiment::tell_target(const Experiment& experiment, Console& console) {
  const ChosenSolver solver(experiment.solver);
  if (!solver.descriptor.has_parameter("relative_gap")) return;
  target_gap_ = solver.parameters.value("relative_gap").real;
  console.print_line("solver " + experiment.solver.use + ": until at most " +
                     percent_text(*target_gap_) + " of the objective is left to gain");
}

// Also finds data and pairings that train would refuse, before anything is written.
void TaskExperiment::choose_cost(const TaskRequest& request, Console& console) {
  Registry registry(registry_settings(document_, overrides_));
  const Experiment experiment = this->experiment(registry);
  const Assembly assembly(experiment, registry);
  const TrainingSize size = measure_training_data(assembly, request.threads_of(experiment.threads));
  example_count_ = size.examples;
  tell_target(experiment, console);
  if (size.examples == 1 && !task_.one_example.empty()) {
    console.warn(request.train + ": is one example of " + count_text(size.rows, "row") + "; " +
                 task_.one_example);
  }
  const bool is_set = std::any_of(overrides_.begin(), overrides_.end(), sets_cost);
  const SolverDescriptor* const solver = find_solver(experiment.solver.use);
  const bool has_cost = solver != nullptr && solver->minimizes && solver->has_parameter("C");
  if (is_set || !has_cost) return;
  const Json& rules = format_->sections.contains("C") ? format_->sections : task_.sections;
  const DefaultCost cost = default_cost(rules.at("C"), size);
  usual_cost_ = cost.C;
  set_cost(cost.C);
  console.print_line("C = " + exact_number_text(cost.C) + ": " + cost.reason);
}

}  // namespace sculpt::core
