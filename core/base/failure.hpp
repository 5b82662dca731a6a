// failure.hpp - the only exception type of the host, and the exit codes.
//
// Thrown anywhere in core/. library/program.cpp prints the text and returns the exit code. The text
// is complete: what is wrong, where, what to do.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace sculpt::core {

// Exit codes of the command line; core/command/README.md lists them. Codes from 64 on follow
// sysexits.h.
enum class Exit : int {
  reached = 0,         // The certified target, or the epsilon that was asked for.
  check_failed = 1,    // A check or a verification found an error.
  not_reached = 3,     // The model is valid; the target was not reached, or not certified.
  usage = 64,          // The command line is wrong.
  data = 65,           // Malformed or unusable data.
  missing = 66,        // An input does not exist.
  plugin = 69,         // A plugin is missing, unreadable, refused or at fault. So is sbatch.
  internal = 70,       // A bug of the host.
  memory = 71,         // The system gives no more memory, or no further process.
  cannot_create = 73,  // The output exists or cannot be created.
  write_failed = 74,   // A write failed.
  config = 78,         // The experiment is wrong, or components do not fit together.
  interrupted = 130    // 128 + the signal: stopped on request before there was a result.
};

class Failure : public std::runtime_error {
 public:
  // `advice`: further lines, each with a newline in front, that quote no data.
  Failure(Exit exit_code, const std::string& text, std::string advice = "")
      : std::runtime_error(text), exit_code_(exit_code), advice_(std::move(advice)) {}
  Exit exit_code() const { return exit_code_; }
  const std::string& advice() const { return advice_; }

  // The same failure with another text.
  Failure with_text(const std::string& text) const {
    Failure changed(exit_code_, text, advice_);
    changed.faulty_example_ = faulty_example_;
    return changed;
  }
  // The text with the advice. For messages that have no line ends.
  std::string text_in_one_line() const {
    std::string advice = advice_;
    for (std::size_t at = 0; (at = advice.find("\n  ", at)) != std::string::npos;) {
      advice.replace(at, 3, at == 0 ? "; " : " ");
    }
    return what() + advice;
  }
  // True if the process lacks memory, or must stop. Code that goes on after other failures must
  // pass these on.
  bool ends_process() const {
    return exit_code_ == Exit::memory || exit_code_ == Exit::interrupted;
  }

  // The example of a fault of a component; -1 if it is about no example. None: no component is at
  // fault.
  std::optional<std::int64_t> faulty_example() const { return faulty_example_; }
  void set_faulty_example(std::int64_t example) { faulty_example_ = example; }

 private:
  Exit exit_code_;
  std::string advice_;
  std::optional<std::int64_t> faulty_example_;
};

}  // namespace sculpt::core
