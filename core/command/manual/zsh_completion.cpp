#include "command/manual/completion.hpp"

namespace sculpt::core {
namespace {

// Text of a specification of _arguments, which stands in '': brackets and colons have a meaning.
std::string zsh_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return result;
}

// Actions of _arguments.
constexpr FillTexts zsh_fills = {" ",
                                 "_files",
                                 "_files -/",
                                 "_files -g \"*.json(-.)\"",
                                 "_files -g \"*.sculpt(-.)\"",
                                 "_sculpt_names_or_files",
                                 "_sculpt_names oracle",
                                 "_sculpt_overrides"};

std::string zsh_action(const Completion& completion) {
  return completion.fill == Fill::choices ? "(" + completion.choices + ")"
                                          : text_of(zsh_fills, completion.fill);
}

constexpr std::string_view zsh_functions = R"script(
# _sculpt_names [KIND]: components, solvers and libraries.
_sculpt_names() {
  local -a names
  names=(${(f)"$(sculpt completion names $@ 2>/dev/null)"})
  compadd -a names
}

_sculpt_names_or_files() {
  _sculpt_names
  _files
}

# KEY=VALUE of an experiment.
_sculpt_overrides() {
  if [[ $PREFIX != *=* ]]; then
    local -a keys
    keys=(${=sculpt_keys})
    compadd -S '' -a keys
    return
  fi
  local key=${PREFIX%%=*}
  compset -P '*='
  case $key in
)script";

constexpr std::string_view zsh_end = R"script(    *) _files ;;
  esac
}
)script";

std::string zsh_branch(std::span<const CommandDescription> commands,
                       const CommandDescription& command) {
  std::string text = "    " + command.name + ")\n      _arguments -s";
  for (const CommandOption& option : command.options) {
    const std::string value = option.value.empty()
                                  ? ""
                                  : ":" + zsh_escaped(option.value) + ":" +
                                        zsh_action(completion_of(commands, command, option.value));
    text += " \\\n        '" + std::string(option.repeats ? "*" : "") + "--" + option.name + "[" +
            zsh_escaped(option.summary) + "]" + value + "'";
  }
  for (std::size_t k = 0; k < command.words.size(); ++k) {
    text += " \\\n        '" + std::to_string(k + 1) + ":" + zsh_escaped(command.words[k]) + ":" +
            zsh_action(completion_of(commands, command, command.words[k])) + "'";
  }
  return text + "\n      ;;\n";
}

}  // namespace

std::string zsh_completion(std::span<const CommandDescription> commands) {
  std::string text =
      "#compdef sculpt\n# Completes the words of sculpt in zsh. Made by `sculpt completion zsh`.\n";
  text += std::string(zsh_functions) + override_cases() + std::string(zsh_end);
  text += "\n_sculpt() {\n  local sculpt_keys='" + override_keys() +
          "'\n  local -a commands\n  commands=(\n";
  for (const CommandDescription& command : commands) {
    text += "    '" + command.name + ":" + zsh_escaped(command.summary) + "'\n";
  }
  text +=
      "  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $command in\n";
  for (const CommandDescription& command : commands) text += zsh_branch(commands, command);
  return text +
         "  esac\n"
         "}\n\n"
         "# In a folder of fpath zsh calls this file. Elsewhere it is read by `source`.\n"
         "if [[ $funcstack[1] == _sculpt ]]; then\n"
         "  _sculpt \"$@\"\n"
         "else\n"
         "  compdef _sculpt sculpt\n"
         "fi\n";
}

}  // namespace sculpt::core
