// program.cpp - sculpt_main(): runs a command, and turns failures into messages and exit codes.

#include <sculpt/host/program.h>

#include <exception>
#include <filesystem>
#include <new>
#include <string>

#include "base/cancelled.hpp"
#include "base/file/open_file.hpp"
#include "base/memory/out_of_memory.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "launch/crash_report.hpp"
#include "launch/stop_signal.hpp"
#include "parallel/alternate_stack.hpp"

namespace sculpt::core {
namespace {

// Prints the message and returns the exit code. `advice`: further lines.
int print_failure(Exit exit, const std::string& text, const std::string& advice = "") {
  error_out() << "sculpt: " << text;
  error_out().lines(advice) << "\n";
  return static_cast<int>(exit);
}

int print_failure(const Failure& failure) {
  return print_failure(failure.exit_code(), failure.what(), failure.advice());
}

// Runs the command and turns exceptions into messages and exit codes.
int run_to_exit_code(const Arguments& words) {
  try {
    const Exit exit = run_words(words);
    if (!flush_stdout()) {
      return print_failure(Exit::write_failed, "standard output cannot be written");
    }
    return static_cast<int>(exit);
  } catch (const Cancelled& stopped) {
    if (stop_signal() != 0) {
      return print_failure(static_cast<Exit>(128 + stop_signal()), stopped.what());
    }
    return print_failure(Exit::plugin,
                         "a plugin returned SCULPT_E_CANCELLED, but no stop was requested");
  } catch (const Failure& failure) {
    return print_failure(with_memory_figures(failure));
  } catch (const std::bad_alloc&) {
    return print_failure(out_of_memory("out of memory"));
  } catch (const std::filesystem::filesystem_error& error) {
    return print_failure(system_failure(
        Exit::cannot_create, error.path1().string() + ": cannot be used", error.code().value()));
  } catch (const std::exception& error) {
    return print_failure(Exit::internal, std::string("internal error: ") + error.what());
  }
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
