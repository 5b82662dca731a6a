// crash_report.hpp - the report of the host if a plugin crashes or ends the process.
//
//   sculpt: viterbi: example 17: crashed in argmax (SIGSEGV); ...
//   sculpt: viterbi: example 17: ended the process in argmax; ...
//
// The exit code is 69, as for all other errors of a plugin. A crash of the host is reported with
// the last call into a plugin. A crash on a thread that a plugin started is reported with all calls
// that are running. After such a report the signal ends the process, so the exit code is 128 + the
// signal. Called by main() and the commands.
#pragma once

#include <filesystem>
#include <string>

#include "base/failure.hpp"

namespace sculpt::core {

// Installs the handlers. From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT are reported, on
// any thread, and exit() too.
void install_crash_handlers();

// From now on exit() comes from the host and is not reported.
void allow_exit();

// From now on the signal or exit() ends the process after the report, instead of exit code 69. For
// a child process that its parent watches.
void reraise_crash_signals();

// A report begins with it: "rank 1 of 4 on machine7". Does nothing without handlers.
void set_crash_place(const std::string& place);

// The end of a report: what is left of the run, how to repeat the crash, and as the last line a
// `sculpt check`. The report adds the example to that line. If `advice` has more than 1000 bytes,
// its last lines are left out, and no example is added. Not to be called while other threads are
// inside plugins. Does nothing without handlers, as in libsculpt.
void set_crash_advice(const std::string& advice);

// The failure of a component with the same advice added.
Failure with_advice(const Failure& failure, const std::string& advice);

// From now on a crash also appends the event "failed" to this file, if possible. Not to be called
// while other threads are inside plugins. Does nothing without handlers.
void log_crashes_to(const std::filesystem::path& events);

}  // namespace sculpt::core
