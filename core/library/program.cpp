// program.cpp - sculpt_main(): runs a command, and turns failures into messages and exit codes.

#include <sculpt/host/program.h>

#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "base/memory/out_of_memory.hpp"
#include "base/surroundings.hpp"
#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "launch/crash_report.hpp"
#include "launch/rank_start.hpp"
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

Exit run_command(const Arguments& words) {
  const Exit reached = run_words(words);
  if (flush_stdout()) return reached;
  throw Failure(Exit::write_failed, "standard output cannot be written");
}

// The command on this rank. All ranks end with the same exit code, or throw the same failure.
Exit run_on_ranks(Ranks& ranks, const Arguments& words) {
  const auto end_with = [&](const Failure& failure) {
    ranks.end(static_cast<int>(failure.exit_code()), &failure, [&] {
      surroundings_of_process().print_message("sculpt: " + ranks.name_of(ranks.rank()) + ": " +
                                              printable(failure.text_in_one_line()) + "\n");
    });
  };
  std::optional<Exit> reached;
  try {
    reached = run_command(words);
  } catch (const RankFailure&) {
    throw;
  } catch (const Failure& failure) {
    end_with(failure);
    throw;
  } catch (const std::bad_alloc&) {
    end_with(out_of_memory("out of memory"));
    throw;
  } catch (const std::exception& error) {
    end_with(Failure(Exit::internal, std::string("internal error: ") + error.what()));
    throw;
  }
  return static_cast<Exit>(ranks.end(static_cast<int>(*reached), nullptr, {}));
}

// Runs the command and turns failures into messages and exit codes. `ranks`: nullptr without
// mpirun.
int run_to_exit_code(const Arguments& words, Ranks* ranks) {
  sculpt_failure* caught = nullptr;
  const sculpt_exit exit = guarded_call(
      &caught, [&] { return ranks == nullptr ? run_command(words) : run_on_ranks(*ranks, words); });
  const std::unique_ptr<sculpt_failure, FreeFailure> failure(caught);
  if (failure == nullptr) return exit;
  if (exit != SCULPT_EXIT_INTERRUPTED) return print_failure(exit, failure->text, failure->advice);
  // All ranks end with the same code, also those that got no signal.
  const int signal = ranks == nullptr ? stop_signal() : ranks->stop_signal();
  if (signal != 0) return print_failure(128 + signal, failure->text);
  return print_failure(static_cast<int>(Exit::plugin),
                       "a plugin returned SCULPT_E_CANCELLED, but no stop was requested");
}

}  // namespace
}  // namespace sculpt::core

using namespace sculpt::core;

int sculpt_main(int word_count, char** words) {
  const AlternateStack signal_stack;
  const Arguments arguments(words + 1, words + word_count);
  std::unique_ptr<Ranks> ranks;
  sculpt_failure* caught = nullptr;
  const sculpt_exit started = guarded_call(&caught, [&] {
    ranks = start_ranks();
    return Exit::reached;
  });
  const std::unique_ptr<sculpt_failure, FreeFailure> failure(caught);
  install_crash_handlers();  // after MPI, which has some of its own
  if (failure != nullptr) return print_failure(started, failure->text);
  int exit = 0;
  if (ranks == nullptr) {
    exit = run_to_exit_code(arguments, nullptr);
  } else {
    set_crash_place(ranks->name_of(ranks->rank()));
    if (!ranks->is_first()) silence_stop_signals();
    RankSurroundings here(surroundings(), *ranks);
    const ScopedSurroundings scope(here);
    exit = run_to_exit_code(arguments, &*ranks);
    ignore_stop_signals();
    ranks->close();
  }
  allow_exit();
  return exit;
}
