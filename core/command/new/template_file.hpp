// template_file.hpp - the files of sdk/template, as they stand in this program.
//
// The build makes their texts into a source (core/embed_templates.cmake). So an installed program
// needs no other file. Called by plugin_files.cpp.
#pragma once

#include <span>
#include <string_view>

namespace sculpt::core {

struct TemplateFile {
  std::string_view path;  // relative to sdk/template: "task/my_task.cpp"
  std::string_view text;
};

// Sorted by path.
std::span<const TemplateFile> template_files();

}  // namespace sculpt::core
