// failure.hpp - the one exception of the host, and the exit codes it ends in.
//
// Thrown anywhere in core/, caught in main.cpp alone. The text is complete: what is wrong, where,
// what to do.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace sculpt::core {

// Exit codes of the command line; README.md lists them for users. Those from 64 on follow
// sysexits.h.
enum class Exit : int {
  reached = 0,       // the certified target, or the epsilon asked for
  check_failed = 1,  // a check or a verification found something
  not_reached = 3,   // the model is valid; the target was not reached, or not certified
  usage = 64,        // the command line is wrong
  data = 65,         // malformed or unusable data
  missing = 66,      // an input is not there
  plugin = 69,       // a plugin is missing, unreadable, refused or at fault
  internal = 70,     // a bug of the host
  memory = 71,       // the system gives no more memory, or no further process
  output = 73,       // the output exists or cannot be created
  write = 74,        // a write failed
  config = 78,       // the experiment is wrong, or a pairing is refused at bind
  interrupted = 130  // 128 + the signal: stopped on request before there was a result
};

class Failure : public std::runtime_error {
 public:
  // `advice`: further lines, each with a newline in front, that quote no data.
  Failure(Exit exit, const std::string& text, std::string advice = "")
      : std::runtime_error(text), exit_(exit), advice_(std::move(advice)) {}
  Exit exit() const { return exit_; }
  const std::string& advice() const { return advice_; }

  // Of a component that is at fault: the example, -1 where it is about none. Nothing: no such
  // fault.
  std::optional<std::int64_t> fault_at() const { return fault_at_; }
  void blame(std::int64_t example) { fault_at_ = example; }

 private:
  Exit exit_;
  std::string advice_;
  std::optional<std::int64_t> fault_at_;
};

}  // namespace sculpt::core
