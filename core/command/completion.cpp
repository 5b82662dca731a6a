// sculpt completion: scripts that complete words in a shell, and the names that they ask for.

#include "command/manual/completion.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "launch/component_search.hpp"
#include "registry/catalogue_check.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {
namespace {

constexpr const char* completion_epilogue =
    "\nSHELL: bash, zsh or fish. To complete words in the running shell:\n"
    "\n"
    "  bash  source <(sculpt completion bash)\n"
    "  zsh   source <(sculpt completion zsh)\n"
    "  fish  sculpt completion fish | source\n"
    "\n"
    "An installation has these scripts where the shells look for them.\n"
    "\n"
    "The scripts call \"sculpt completion names [KIND]\". It lists components, solvers and\n"
    "libraries, or the components of one kind, one a line.\n";

// The names of components of a kind: of "oracle" also those of map_solvers.
std::vector<std::string> names_of(Registry& registry, const std::string& kind) {
  std::vector<std::string> names;
  std::vector<std::string> kinds = {"solver"};
  for (std::uint32_t number = 1; !kind_name(number).empty(); ++number) {
    kinds.emplace_back(kind_name(number));
    if (kind != kinds.back()) continue;
    for (const Registry::UsableComponent& usable : registry.usable_components(number)) {
      names.push_back(usable.component->short_name());
    }
    return names;
  }
  if (kind != "solver") {
    throw Failure(Exit::usage, "there is no kind '" + kind + "'; " + suggest_name(kind, kinds));
  }
  for (const SolverDescriptor* solver : solvers()) names.emplace_back(solver->name);
  return names;
}

std::vector<std::string> all_names(Registry& registry) {
  std::vector<std::string> names = registry.names();
  for (const std::string& name : names_of(registry, "solver")) names.push_back(name);
  return names;
}

std::string script_of(const std::string& shell) {
  const std::vector<CommandDescription> commands = describe_commands();
  if (shell == "bash") return bash_completion(commands);
  if (shell == "zsh") return zsh_completion(commands);
  if (shell == "fish") return fish_completion(commands);
  throw Failure(Exit::usage, "there is no completion for the shell '" + shell + "'; " +
                                 suggest_name(shell, {"bash", "zsh", "fish"}));
}

}  // namespace

Exit completion(const Arguments& arguments) {
  CommandLine line("completion", {"SHELL", "KIND"});
  line.add_epilogue(completion_epilogue);
  if (!line.parse(arguments)) return Exit::reached;
  const std::string shell = line.required("SHELL");
  if (shell == "names") {
    Registry::Settings settings = registry_settings();
    settings.warn = nullptr;  // a shell would show warnings between the words
    Registry registry(settings);
    for (const std::string& name : line.has("KIND")
                                       ? names_of(registry, line.get<std::string>("KIND"))
                                       : all_names(registry)) {
      report_out() << name << "\n";
    }
  } else if (line.has("KIND")) {
    throw Failure(Exit::usage, "there are too many arguments; write: sculpt completion " + shell);
  } else {
    data_out() << script_of(shell);
  }
  return Exit::reached;
}

}  // namespace sculpt::core
