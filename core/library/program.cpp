// program.cpp - sculpt_main(): runs a command, and turns failures into messages and exit codes.

#include <sculpt/host/program.h>

#include <memory>
#include <string>

#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "launch/crash_report.hpp"
#include "launch/stop_signal.hpp"
#include "library/guarded_call.hpp"
#include "parallel/alternate_stack.hpp"

namespace sculpt::core {
namespace {

struct FreeFailure {
  void operator()(sculpt_failure* failure) const { sculpt_failure_free(failure); }
};

// Prints the message and returns the exit code. `advice`: further lines.
int print_failure(int exit, const std::string& text, const std::string& advice = "") {
  error_out() << "sculpt: " << text;
  error_out().lines(advice) << "\n";
  return exit;
}

// Runs the command and turns failures into messages and exit codes.
int run_to_exit_code(const Arguments& words) {
  sculpt_failure* caught = nullptr;
  const sculpt_exit exit = guarded_call(&caught, [&] {
    const Exit reached = run_words(words);
    if (flush_stdout()) return reached;
    throw Failure(Exit::write_failed, "standard output cannot be written");
  });
  const std::unique_ptr<sculpt_failure, FreeFailure> failure(caught);
  if (failure == nullptr) return exit;
  if (exit != SCULPT_EXIT_INTERRUPTED) return print_failure(exit, failure->text, failure->advice);
  if (stop_signal() != 0) return print_failure(128 + stop_signal(), failure->text);
  return print_failure(static_cast<int>(Exit::plugin),
                       "a plugin returned SCULPT_E_CANCELLED, but no stop was requested");
}

}  // namespace
}  // namespace sculpt::core

using namespace sculpt::core;

int sculpt_main(int word_count, char** words) {
  const AlternateStack signal_stack;
  install_crash_handlers();
  const int exit = run_to_exit_code(Arguments(words + 1, words + word_count));
  allow_exit();
  return exit;
}
