// data_format.hpp - recognizes the format of a file of data by its first lines.
//
// Called by task_experiment.cpp.
#pragma once

#include <string>
#include <vector>

#include "command/task/row_faults.hpp"
#include "command/task/task.hpp"
#include "experiment/overrides.hpp"

namespace sculpt::core {

// The first 100 lines that are not empty, unpacked, each cut to 4096 bytes. Throws Failure.
// Exit::missing: `path` cannot be read. Exit::usage: it is a pipe, which can be read only once.
// Exit::data: it has no such lines, or is UTF-16.
std::vector<DataLine> first_lines(const std::string& path);

// The format of `task` that fits the overrides of dataset keys and matches most of the lines: more
// than half of them, and more than any other. Of formats that match equally well, a specific one
// wins. If only one format fits the overrides, the lines do not count: its dataset knows better
// what is wrong. If no format matches, but an override describes the dataset, it is the first one
// that fits. Throws Failure(Exit::data) if none matches, or if several match equally well.
const TaskFormat& recognized_format(const Task& task, const std::vector<Override>& overrides,
                                    const std::string& path, const std::vector<DataLine>& lines);

// For messages about data that are read as `format`: "; the first lines look like data of --task
// ranking", or like CSV. "" if most of the lines match the format, or if nothing else is known.
std::string other_format_text(const Task& task, const TaskFormat& format,
                              const std::vector<Override>& overrides,
                              const std::vector<DataLine>& lines);

}  // namespace sculpt::core
