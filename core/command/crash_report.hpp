// crash_report.hpp - what the host says when a plugin takes it down.
//
//   sculpt: viterbi: example 17: crashed in argmax (SIGSEGV); ...
//
// and exit code 69, as for any other fault of a plugin. A crash of the host itself goes the way it
// would have gone. Called by main() and the commands.
#pragma once

#include <string>

namespace sculpt::core {

// From here on, for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT on any thread.
void report_crashes();

// From here on the signal ends the process once the report is written, in place of exit code 69:
// for one whose children are watched by another.
void let_crashes_kill();

// What the report ends with: what is left of the run, how to repeat the crash. Cut at 1000 bytes.
// Not while other threads are inside of plugins.
void set_crash_advice(const std::string& advice);

}  // namespace sculpt::core
