// stop_signal.hpp - the first Ctrl-C (TERM, HUP) asks the command to stop, the second one quits; USR1
// asks for a checkpoint.
#pragma once

namespace sculpt::core {

// From here on SIGINT, SIGTERM and SIGHUP, unless that is ignored, set the request; a second one, of
// any kind, tells which plugins it waited for and ends the process as usual. The same one again
// within half a second is no second one.
void catch_stop_signals();

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
