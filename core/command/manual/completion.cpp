#include "command/manual/completion.hpp"

#include "command/new/plugin_kind.hpp"
#include "command/task/task_names.hpp"
#include "experiment/experiment_keys.hpp"

namespace sculpt::core {

Completion completion_of(std::span<const CommandDescription> commands,
                         const CommandDescription& command, std::string_view word) {
  // `train --task` takes data in place of an experiment.
  if (word == "CONFIG" && command.name == "train") return {Fill::files};
  if (word == "CONFIG") return {Fill::experiments};
  if (word == "MODEL" || word == "OTHER" || word == "RUN") return {Fill::models};
  if (word == "DATA" || word == "FILE") return {Fill::files};
  if (word == "FILE.json") return {Fill::experiments};
  if (word == "DIR") return {Fill::folders};
  if (word == "SUBJECT" || (word == "NAME" && command.name == "describe")) return {Fill::names};
  if (word == "ORACLE") return {Fill::oracles};
  if (word == "KEY=VALUE") return {Fill::overrides};
  if (word == "HOW") return {Fill::choices, "max-product max-marginal"};
  if (word == "1..3") return {Fill::choices, "1 2 3"};
  if (word == "SHELL") return {Fill::choices, "bash zsh fish"};
  if (word == "COMMAND") return {Fill::choices, command_names(commands)};
  if (word == "TASK") {
    std::string names;
    for (const std::string& task : task_names()) names += task + " ";
    return {Fill::choices, names};
  }
  if (word == "KIND" && command.name == "new") {
    std::string kinds;
    for (const PluginKind& kind : plugin_kinds()) kinds += std::string(kind.name) + " ";
    return {Fill::choices, kinds};
  }
  return {};
}

std::string command_names(std::span<const CommandDescription> commands) {
  std::string names;
  for (const CommandDescription& command : commands) names += command.name + " ";
  return names;
}

std::string override_keys() {
  std::string keys;
  for (const sculpt_parameter& key : top_level_keys) keys += std::string(key.name) + "= ";
  return keys +
         "dataset.use= dataset.train= dataset.test= solver.use= solver.C= solver.relative_gap=";
}

std::string override_cases() {
  std::string text = "    dataset.use) _sculpt_names dataset ;;\n";
  for (const std::string section : {"features", "kernel", "loss", "oracle", "solver"}) {
    const std::string more = section == "oracle" ? " | audit_with | predict_with" : "";
    text +=
        "    " + section + " | " + section + ".use" + more + ") _sculpt_names " + section + " ;;\n";
  }
  return text;
}

}  // namespace sculpt::core
