// commented_experiment.hpp - an experiment as JSON with comments: what each key does, what fits in
// its place.
//
// The comments come from the tables of the components, as `sculpt describe` prints them. Called by
// new.cpp.
#pragma once

#include <string>

#include "command/task/task.hpp"
#include "registry/registry.hpp"

namespace sculpt::core {

// `experiment`: an object with the sections of a task. `head`: lines for the first comment. The
// text is what JsonDocument reads, and gives `experiment` again. Ends with a line end.
std::string commented_experiment(const nlohmann::ordered_json& experiment, const Task& task,
                                 const std::vector<std::string>& head, Registry& registry);

}  // namespace sculpt::core
