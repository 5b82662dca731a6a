// plugin_kind.hpp - the kinds of plugins that `sculpt new` writes.
//
// Called by command/new.cpp and the files of this folder.
#pragma once

#include <span>
#include <string>

namespace sculpt::core {

struct PluginKind {
  const char* name;         // also the folder of its files in sdk/template
  const char* summary;      // what the plugin has
  bool has_c;               // whether there is a template in C
  const char* data_folder;  // the folder of sdk/template that has its generate.sh
};

// In the order of their listing.
std::span<const PluginKind> plugin_kinds();

// Throws Failure(Exit::usage) if there is no such kind.
const PluginKind& find_plugin_kind(const std::string& name);

// A line for each kind: its name and its summary.
std::string plugin_kinds_text();

}  // namespace sculpt::core
