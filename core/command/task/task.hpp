// task.hpp - the tasks of `sculpt train --task`: which components and settings a task has.
//
// Each file of tasks/ is one task, in JSON with comments:
//
//   summary   what an output is, in a few words
//   formats   list of formats that the data may have: `name` with an example of a row, `lines` (a
//             POSIX extended regular expression that most of its first lines match), `begins` (the
//             same for the first line, optional, for hints to this task), `specific` (optional,
//             true: it wins over a general format that matches as many lines), `dataset`, and any
//             other section that differs for this format
//   one_example  what to do if all rows are one example; optional
//   features, kernel, loss, oracle, solver   as in an experiment, without C
//   C         {"from": "rows" | "all_rows" | "examples", "factor": f}, see default_cost.hpp
//   tune      how --tune chooses C; optional. {"settings": ["KEY=VALUE"]} that it needs in
//             addition, {"metric": name} in place of the loss
//   instead   {"loss": [names], ...}: what else fits, for the comments of `sculpt new experiment`
//
// Called by the files of this folder, new.cpp and train.cpp.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command/task/task_names.hpp"

namespace sculpt::core {

struct TaskFormat {
  std::string name;                 // "svmrank: rows `grade qid:number index:value ...`"
  std::string lines;                // the regular expression
  std::string begins;               // that of the first line; "": any line
  bool is_specific = false;         // wins over a general format that matches as many lines
  nlohmann::ordered_json sections;  // "dataset" and those that replace sections of the task

  // A key of its dataset, "use" included; null if it is not set.
  nlohmann::ordered_json dataset_key(const std::string& key) const;
};

struct Task {
  std::string name;  // "ranking"
  std::string summary;
  std::string one_example;          // advice; "": one example is usual
  std::vector<TaskFormat> formats;  // at least one
  nlohmann::ordered_json sections;  // features, kernel, loss, oracle, solver, C
  std::vector<std::string> tune_settings;
  std::string tune_metric;         // on held-out data: "loss", "q_exact"
  nlohmann::ordered_json instead;  // section: list of names
};

// All tasks, sorted by name. [main]
const std::vector<Task>& tasks();
// Throws Failure(Exit::usage), which lists the tasks, if there is none of this name.
const Task& find_task(const std::string& name);
}  // namespace sculpt::core
