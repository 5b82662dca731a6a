#include "command/new/plugin_kind.hpp"

#include <array>
#include <vector>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"
#include "base/text/nearest_name.hpp"

namespace sculpt::core {
namespace {

constexpr std::array<PluginKind, 7> kind_table{
    {{"task", "dataset, features, loss and oracle in one class: label sequences", true, "task"},
     {"program", "dataset, features and a dynamic program as oracle: words in pieces (C++ only)",
      false, "program"},
     {"loss", "a loss for features and oracles of the host: a weighted Hamming loss", true,
      "column_data"},
     {"map_solver", "finds the best assignment of any factor graph: tries all, or climbs", true,
      "column_data"},
     {"dataset", "reads data for features of the host: sentences of tagged words", true, "dataset"},
     {"oracle", "finds the best output for features of the host: tries all, or climbs", true,
      "column_data"},
     {"kernel", "compares rows of any dataset, in place of their product: a Cauchy kernel", true,
      "column_data"}}};

}  // namespace

std::span<const PluginKind> plugin_kinds() {
  return kind_table;
}

const PluginKind& find_plugin_kind(const std::string& name) {
  std::vector<std::string> known;
  for (const PluginKind& kind : kind_table) {
    if (name == kind.name) return kind;
    known.emplace_back(kind.name);
  }
  throw Failure(Exit::usage,
                "--kind: there is no kind '" + name + "'; " + suggest_name(name, known));
}

std::string plugin_kinds_text() {
  std::string text;
  for (const PluginKind& kind : kind_table) {
    text += "  " + padded(kind.name, 12) + kind.summary + "\n";
  }
  return text;
}

}  // namespace sculpt::core
