// works_with.hpp - what works with what: features with datasets, losses and oracles.
//
// Called by describe. It comes from the small experiments of all libraries (registry/pairing.hpp),
// and from what components offer. So it lists what is known to work; more combinations may. It is
// shown by the tasks of `sculpt train --task` (command/task), whose features are known.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "command/task/task.hpp"
#include "registry/registry.hpp"

namespace sculpt::core {

// Features, and the short names of what works with them, sorted. The features stand for a task.
struct FeatureTask {
  const ComponentListing* features = nullptr;
  std::vector<std::string> datasets;
  std::vector<std::string> losses;
  std::vector<std::string> oracles;
  bool takes_map_solvers = false;  // any map_solver that can solve its graphs
  bool takes_kernels = false;      // any kernel of rows

  // Works with a component of this kind and short name.
  bool has(const ComponentListing& component) const;
};

// Those of all features on the search path, sorted by name.
std::vector<FeatureTask> feature_tasks(Registry& registry);

// A task of `sculpt train --task`, or features that no task has.
struct TaskPartners {
  const Task* task = nullptr;  // nullptr: none has these features
  FeatureTask features;        // without datasets of other tasks with the same features
};

// First the tasks, sorted by name, then features of no task. Leaves out tasks without their
// features on the search path.
std::vector<TaskPartners> task_partners(const std::vector<FeatureTask>& tasks);

// Rows of text for people, each with `indent` in front: "datasets    conll, crfsuite".
std::string partners_text(const FeatureTask& task, const std::string& indent);
nlohmann::ordered_json partners_json(const FeatureTask& task);
// The same with "task", which is null if no task has these features.
nlohmann::ordered_json task_partners_json(const TaskPartners& partners);

}  // namespace sculpt::core
