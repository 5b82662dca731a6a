// stop_signal.hpp - the first Ctrl-C (TERM, HUP) asks the command to stop, the second one quits;
// USR1 asks for a checkpoint.
#pragma once

namespace sculpt::core {

// From here on SIGINT, SIGTERM and SIGHUP (those not ignored, as nohup has it) set the request;
// a second SIGINT or SIGTERM tells which plugins it waited for and ends the process as usual.
// Within half a second of the first the same one, or any behind SIGHUP, is no second one.
void catch_stop_signals();

// From here on a write that nobody reads or that a limit on sizes forbids fails, in place of ending
// the process: Ctrl-C ends the tee(1) of a run that is about to write its model, too.
void ignore_write_signals();

// From here on SIGUSR1 sets the request for a checkpoint.
void catch_checkpoint_signal();

// Whether SIGUSR1 came since the last call.
bool take_checkpoint_request();

// Cheap; any thread.
bool stop_requested();

// The first signal that came, or 0.
int stop_signal();

// The request has been met: what remains to be done (measuring, say) goes on. A second signal still
// ends the process.
void stop_done();

}  // namespace sculpt::core
