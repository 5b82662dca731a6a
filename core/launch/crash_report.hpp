// crash_report.hpp - what the host says when a plugin takes it down.
//
//   sculpt: viterbi: example 17: crashed in argmax (SIGSEGV); ...
//   sculpt: viterbi: example 17: ended the process in argmax; ...
//
// and exit code 69, as for any other fault of a plugin. A crash of the host itself is reported with
// the call into a plugin that came before it, one on a thread of its own that a plugin has started
// with the calls under way, and goes the way it would have gone. Called by main() and the commands.
#pragma once

#include <filesystem>
#include <string>

#include "base/failure.hpp"

namespace sculpt::core {

// From here on, for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT on any thread, and for exit().
void report_crashes();

// From here on exit() is the host's own.
void allow_exit();

// From here on the signal or exit() ends the process once the report is written, in place of exit
// code 69: for one whose children are watched by another.
void reraise_crash_signals();

// What the report ends with: what is left of the run, how to repeat the crash, and last a `sculpt
// check`, to which it adds the example. Of more than 1000 bytes whole lines are left out. Not while
// other threads are inside of plugins.
void set_crash_advice(const std::string& advice);

// The failure of a component with the same advice.
Failure with_advice(const Failure& failure, const std::string& advice);

// A crash also appends the event "failed" to this file, as far as that is possible. Likewise.
void log_crashes_to(const std::filesystem::path& events);

}  // namespace sculpt::core
