// completion.hpp - scripts that complete the words of a command line in bash, zsh and fish, from
// the tables of --help.
//
// Called by command/completion.cpp. The scripts ask `sculpt completion names` for what plugins
// offer, when they need it.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "command/manual/command_description.hpp"

namespace sculpt::core {

// What a word or the value of an option may be.
enum class Fill {
  nothing,
  files,
  folders,
  experiments,
  models,
  names,
  oracles,
  overrides,
  choices
};
// What a script says for each of them but `choices`, in this order.
using FillTexts = std::array<std::string_view, static_cast<std::size_t>(Fill::choices)>;

struct Completion {
  Fill fill = Fill::nothing;
  std::string choices = {};  // of Fill::choices, between blanks
};

// The text of `fill`, which is not Fill::choices.
inline std::string text_of(const FillTexts& texts, Fill fill) {
  return std::string(texts[static_cast<std::size_t>(fill)]);
}

// `word`: what --help calls it: CONFIG, DIR, ... `command`: one of `commands`, whose word it is.
Completion completion_of(std::span<const CommandDescription> commands,
                         const CommandDescription& command, std::string_view word);

// The names of all commands, between blanks.
std::string command_names(std::span<const CommandDescription> commands);

// "dataset.use=", "oracle=", ...: the keys that --set offers.
std::string override_keys();
// The branches of `case KEY` in bash and zsh: which names a key of --set may have.
std::string override_cases();

std::string bash_completion(std::span<const CommandDescription> commands);
std::string zsh_completion(std::span<const CommandDescription> commands);
std::string fish_completion(std::span<const CommandDescription> commands);

}  // namespace sculpt::core
