// command_call.hpp - calls a command of the host in this process, for tests of many inputs.
//
// A process for each input would take ten times as long. A crash ends the test.
#pragma once

#include <string>
#include <vector>

namespace sculpt::test {

struct CommandEnd {
  int exit = -1;     // as main.cpp computes it
  std::string text;  // the message of a failure
};

// Runs `sculpt WORDS...` for describe, predict, evaluate, train or verify. What it prints is not
// shown. Paths in the words are relative to the working directory of the test.
CommandEnd call_command(const std::vector<std::string>& words);

}  // namespace sculpt::test
