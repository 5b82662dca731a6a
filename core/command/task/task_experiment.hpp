// task_experiment.hpp - the experiment of a task for given files of data.
//
// Called by train --task and `sculpt new experiment`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "command/task/task.hpp"
#include "experiment/experiment.hpp"
#include "experiment/json_document.hpp"
#include "experiment/overrides.hpp"
#include "launch/console.hpp"
#include "registry/registry.hpp"

namespace sculpt::core {

struct TaskRequest {
  std::string task;
  std::string train;                // a path relative to the working directory
  std::optional<std::string> test;  // likewise
  std::vector<Override> overrides;
  std::function<int(std::int64_t)> threads_of;  // of the number that the experiment asks for
};

class TaskExperiment {
 public:
  // Recognizes the format of the training data, reads them, chooses C unless an override sets it,
  // and tells both on the console. Never reads the test data. Throws Failure, Cancelled. Exit::data
  // for data in another format: the message names the tasks whose data look like that.
  TaskExperiment(const TaskRequest& request, Console& console);

  const Task& task() const { return task_; }
  const TaskFormat& format() const { return *format_; }
  // Without the overrides, but with C.
  const JsonDocument& document() const { return document_; }
  // Those of the user, and one of C if it is chosen here.
  const std::vector<Override>& overrides() const { return overrides_; }
  std::int64_t example_count() const { return example_count_; }
  // Empty if an override sets C, or if the solver minimizes nothing with C.
  std::optional<double> usual_cost() const { return usual_cost_; }
  void set_cost(double C);
  // The relative gap at which training ends. Empty if the solver has none.
  std::optional<double> target_gap() const { return target_gap_; }
  // The experiment with the overrides.
  Experiment experiment(Registry& registry) const;
  // The same as train writes it to config.json.
  nlohmann::ordered_json config(Registry& registry) const;

 private:
  nlohmann::ordered_json json(const TaskRequest& request) const;
  void tell_target(const Experiment& experiment, Console& console);
  void choose_cost(const TaskRequest& request, Console& console);

  const Task& task_;
  std::vector<Override> overrides_;
  const TaskFormat* format_;
  JsonDocument document_;
  std::int64_t example_count_ = 0;
  std::optional<double> usual_cost_;
  std::optional<double> target_gap_;
};

// The sections of an experiment that tasks set, in the order of files.
inline constexpr const char* task_sections[] = {"dataset", "features", "kernel",
                                                "loss",    "oracle",   "solver"};

}  // namespace sculpt::core
