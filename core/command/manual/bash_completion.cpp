#include "command/manual/completion.hpp"

namespace sculpt::core {
namespace {

constexpr std::string_view bash_functions =
    R"script(# Completes the words of sculpt in bash. Made by `sculpt completion bash`.

# _sculpt_among WORDS: those that begin with the current word.
_sculpt_among() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

# _sculpt_names [KIND]: components, solvers and libraries.
_sculpt_names() {
  _sculpt_among "$(sculpt completion names "$@" 2>/dev/null)"
}

# _sculpt_files [d]: files, or folders alone.
_sculpt_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -"${1:-f}" -- "$cur")
}

# _sculpt_suffix SUFFIX: folders, and the files that end so.
_sculpt_suffix() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -d -- "$cur"; compgen -f -X "!*$1" -- "$cur")
}

_sculpt_names_or_files() {
  local files
  _sculpt_files
  files=("${COMPREPLY[@]}")
  _sculpt_names
  COMPREPLY+=("${files[@]}")
}

# Keys of an experiment. Their values are words of their own, because bash divides at "=".
_sculpt_overrides() {
  compopt -o nospace 2>/dev/null
  _sculpt_among "$keys"
}

# _sculpt_value KEY: what a key may be.
_sculpt_value() {
  case $1 in
)script";

constexpr std::string_view bash_positions = R"script(    *) _sculpt_files ;;
  esac
}

# _sculpt_position OPTIONS: how many words without an option stand before the current one. OPTIONS
# take a value.
_sculpt_position() {
  local k word
  position=0
  for ((k = 2; k < COMP_CWORD; ++k)); do
    word=${COMP_WORDS[k]}
    if [[ $word == = || " $1 " == *" $word "* ]]; then
      ((++k))
    elif [[ $word != -* ]]; then
      ((++position))
    fi
  done
}

_sculpt() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} position
)script";

// Functions.
constexpr FillTexts bash_fills = {":",
                                  "_sculpt_files",
                                  "_sculpt_files d",
                                  "_sculpt_suffix .json",
                                  "_sculpt_suffix .sculpt",
                                  "_sculpt_names_or_files",
                                  "_sculpt_names oracle",
                                  "_sculpt_overrides"};

std::string call(const Completion& completion) {
  return completion.fill == Fill::choices ? "_sculpt_among '" + completion.choices + "'"
                                          : text_of(bash_fills, completion.fill);
}

// The branch of one command.
std::string bash_branch(std::span<const CommandDescription> commands,
                        const CommandDescription& command) {
  std::string flags;
  std::string valued;
  std::string values;
  for (const CommandOption& option : command.options) {
    flags += "--" + option.name + " ";
    if (option.value.empty()) continue;
    valued += "--" + option.name + " ";
    values += "        --" + option.name + ") " +
              call(completion_of(commands, command, option.value)) + "; return ;;\n";
  }
  std::string words;
  for (std::size_t k = 0; k < command.words.size(); ++k) {
    words += "        " + std::to_string(k) + ") " +
             call(completion_of(commands, command, command.words[k])) + " ;;\n";
  }
  std::string text = "    " + command.name + ")\n";
  if (!values.empty()) text += "      case $prev in\n" + values + "      esac\n";
  text += "      if [[ $cur == -* ]]; then\n        _sculpt_among '" + flags +
          "'\n        return\n      fi\n";
  if (!words.empty()) {
    text += "      _sculpt_position '" + valued + "'\n      case $position in\n" + words +
            "      esac\n";
  }
  return text + "      ;;\n";
}

}  // namespace

std::string bash_completion(std::span<const CommandDescription> commands) {
  std::string text = std::string(bash_functions) + override_cases() + std::string(bash_positions);
  text += "  local keys='" + override_keys() + "'\n  COMPREPLY=()\n";
  text += "  if ((COMP_CWORD == 1)); then\n    _sculpt_among '" + command_names(commands) +
          "--help --version'\n    return\n  fi\n";
  text +=
      "  # KEY=VALUE is three words.\n"
      "  local key=\n"
      "  if [[ $cur == = ]]; then\n"
      "    key=$prev cur=\n"
      "  elif [[ $prev == = ]]; then\n"
      "    key=${COMP_WORDS[COMP_CWORD - 2]}\n"
      "  fi\n"
      "  if [[ $key == --* ]]; then\n"
      "    prev=$key\n"
      "  elif [[ $key ]]; then\n"
      "    _sculpt_value \"$key\"\n"
      "    return\n"
      "  fi\n"
      "  case ${COMP_WORDS[1]} in\n";
  for (const CommandDescription& command : commands) text += bash_branch(commands, command);
  return text + "  esac\n}\ncomplete -F _sculpt sculpt\n";
}

}  // namespace sculpt::core
