// task_names.hpp - the tasks of `sculpt train --task`, for help and completion.
//
// Called by train.cpp, new.cpp and command/manual. task.hpp has what is in a task.
#pragma once

#include <string>
#include <vector>

namespace sculpt::core {

// Sorted. [main]
std::vector<std::string> task_names();
// A line for each task: its name and its summary.
std::string tasks_text();

}  // namespace sculpt::core
