// template_file.hpp - the files of sdk/template and of command/task/tasks, as they stand in this
// program.
//
// The build makes their texts into sources (core/embed_templates.cmake). So an installed program
// needs no other file. Called by plugin_files.cpp and task.cpp.
#pragma once

#include <span>
#include <string_view>

namespace sculpt::core {

struct TemplateFile {
  std::string_view path;  // relative to its folder: "task/my_task.cpp"
  std::string_view text;
};

// Sorted by path.
std::span<const TemplateFile> template_files();  // of sdk/template
std::span<const TemplateFile> task_files();      // of command/task/tasks

}  // namespace sculpt::core
