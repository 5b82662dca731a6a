// data_format.hpp - recognizes the format of a file of data by its first lines.
//
// Called by task_experiment.cpp.
#pragma once

#include <string>
#include <vector>

#include "command/task/task.hpp"
#include "experiment/overrides.hpp"

namespace sculpt::core {

// The first 100 lines that are not empty, unpacked, each cut to 4096 bytes. Throws Failure.
// Exit::missing: `path` cannot be read. Exit::usage: it is a pipe, which can be read only once.
// Exit::data: it has no such lines.
std::vector<std::string> first_lines(const std::string& path);

// The format of `task` that fits the overrides of dataset keys and matches most of the lines: more
// than half of them, and more than any other. If only one format fits the overrides, the lines do
// not count: its dataset knows better what is wrong. If no format matches, but an override
// describes the dataset, it is the first one that fits. Throws Failure(Exit::data) if none matches,
// or if several match equally well.
const TaskFormat& recognized_format(const Task& task, const std::vector<Override>& overrides,
                                    const std::string& path, const std::vector<std::string>& lines);

// "; its first lines look like data of --task ranking", for messages; "" if no other task has a
// format that nearly all lines match.
std::string other_tasks_text(const Task& task, const std::vector<std::string>& lines);

}  // namespace sculpt::core
