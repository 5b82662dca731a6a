#include "command/manual/completion.hpp"

namespace sculpt::core {
namespace {

// In '' of fish, where \ and ' have a meaning.
std::string fish_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') result += '\\';
    result += c;
  }
  return result + "'";
}

// Arguments of `complete`.
constexpr FillTexts fish_fills = {" -f",
                                  " -F",
                                  " -f -a '(__fish_complete_directories)'",
                                  " -f -a '(__fish_complete_suffix .json)'",
                                  " -f -a '(__fish_complete_suffix .sculpt)'",
                                  " -F -a '(sculpt completion names 2>/dev/null)'",
                                  " -f -a '(sculpt completion names oracle 2>/dev/null)'",
                                  " -f -a '(__sculpt_overrides)'"};

std::string arguments(const Completion& completion) {
  return completion.fill == Fill::choices ? " -f -a " + fish_quoted(completion.choices)
                                          : text_of(fish_fills, completion.fill);
}

constexpr std::string_view fish_functions =
    R"script(# Completes the words of sculpt in fish. Made by `sculpt completion fish`.

# KEY=VALUE of an experiment.
function __sculpt_overrides
    for key in (string split -n ' ' $__sculpt_keys)
        echo $key
    end
    for kind in features kernel loss oracle solver
        for name in (sculpt completion names $kind 2>/dev/null)
            echo $kind=$name
        end
    end
    for name in (sculpt completion names dataset 2>/dev/null)
        echo dataset.use=$name
    end
end

)script";

}  // namespace

std::string fish_completion(std::span<const CommandDescription> commands) {
  std::string text(fish_functions);
  text += "set -g __sculpt_keys " + fish_quoted(override_keys()) + "\n\n";
  text += "complete -c sculpt -f\n";
  text += "complete -c sculpt -n __fish_use_subcommand -l version -d 'print the version'\n";
  for (const CommandDescription& command : commands) {
    text += "\ncomplete -c sculpt -n __fish_use_subcommand -a " + command.name + " -d " +
            fish_quoted(command.summary) + "\n";
    const std::string begin =
        "complete -c sculpt -n '__fish_seen_subcommand_from " + command.name + "'";
    for (const std::string& word : command.words) {
      text += begin + arguments(completion_of(commands, command, word)) + "\n";
    }
    for (const CommandOption& option : command.options) {
      text += begin;
      if (!option.letter.empty()) text += " -s " + option.letter;
      text += " -l " + option.name + " -d " + fish_quoted(option.summary);
      if (!option.value.empty()) {
        text += " -r" + arguments(completion_of(commands, command, option.value));
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace sculpt::core
