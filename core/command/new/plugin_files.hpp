// plugin_files.hpp - the files of a new plugin, made from the templates.
//
// Called by command/new.cpp.
#pragma once

#include <string>
#include <vector>

#include "command/new/plugin_kind.hpp"

namespace sculpt::core {

struct NewFile {
  std::string path;  // relative to the folder of the plugin
  std::string text;
};

// The templates have the name my_KIND, the class MyKind, and my_plugin in CMakeLists.txt. All of
// these become `name`. Requires kind.has_c if is_c. Throws Failure(Exit::usage) if the name would
// be that of a type or function of the template.
std::vector<NewFile> plugin_files(const PluginKind& kind, bool is_c, const std::string& name);

}  // namespace sculpt::core
