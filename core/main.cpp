// The program sculpt: finds the command, and turns failures into messages and exit codes.

#include <exception>
#include <filesystem>
#include <new>
#include <string>

#include "base/cancelled.hpp"
#include "base/file/open_file.hpp"
#include "base/memory/out_of_memory.hpp"
#include "base/text/message_text.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "command/foreign_words.hpp"
#include "launch/crash_report.hpp"
#include "launch/stop_signal.hpp"
#include "parallel/alternate_stack.hpp"

namespace {

using namespace sculpt::core;

// `words`: the command and its arguments.
Exit run(const Arguments& words) {
  if (words.empty()) {
    print_overview(error_out());
    return Exit::usage;
  }
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    print_overview(report_out());
    return Exit::reached;
  }
  if (words[0] == "--version") {
    report_out() << "sculpt " SCULPT_VERSION "\n";
    return Exit::reached;
  }
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (words[0] == command.name) return command.run(Arguments(words.begin() + 1, words.end()));
    names.emplace_back(command.name);
  }
  if (const std::string like = command_like(words[0]); !like.empty()) {
    throw Failure(Exit::usage,
                  "there is no command '" + words[0] + "'; write sculpt " + like + " for it");
  }
  throw Failure(Exit::usage, "there is no command '" + words[0] + "'; " +
                                 joined_parts(suggest_name(words[0], names), "see sculpt --help"));
}

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
    const Exit exit = run(words);
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

int main(int count, char** words) {
  const AlternateStack signal_stack;
  install_crash_handlers();
  const int exit = run_to_exit_code(Arguments(words + 1, words + count));
  allow_exit();
  return exit;
}
