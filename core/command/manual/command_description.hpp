// command_description.hpp - a command with its words and options, as data.
//
// Made by CommandLine, which --help prints. Used by the man pages and the completions, so that all
// of them come from one table.
#pragma once

#include <string>
#include <vector>

namespace sculpt::core {

struct CommandOption {
  std::string name;      // "output"
  std::string letter;    // of the short form, "h"; or ""
  std::string value;     // what the value is called, "DIR"; "" if it takes none
  std::string fallback;  // the text of the default; or ""
  std::string summary;
  bool repeats = false;  // it may be given several times
};

struct CommandDescription {
  std::string name;
  std::string synopsis;  // after the name
  std::string summary;
  std::vector<std::string> words;  // without an option, in their order: {"MODEL", "DATA"}
  std::vector<CommandOption> options;
  std::string epilogue;  // what --help prints behind the options
};

}  // namespace sculpt::core
