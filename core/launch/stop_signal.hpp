// stop_signal.hpp - signals: the first Ctrl-C (TERM, HUP) requests a stop, the second one kills.
// USR1 requests a checkpoint.
//
// Called by the commands. Solvers and components get stop_requested() as a callback.
#pragma once

namespace sculpt::core {

// From now on SIGINT, SIGTERM and SIGHUP request a stop, unless they are ignored, as under nohup. A
// second SIGINT or SIGTERM prints the plugin calls that are still running and ends the process as
// usual. The same signal within 0.5 s counts as one request. So does any signal within 0.5 s after
// SIGHUP. SIGHUP is never a second request.
void catch_stop_signals();

// Ignores SIGPIPE and SIGXFSZ, so that a failed write returns an error and does not end the
// process. Example: Ctrl-C also ends the tee(1) behind a run that still has to write its model.
void ignore_write_signals();

// From now on SIGUSR1 requests a checkpoint.
void catch_checkpoint_signal();

// True if SIGUSR1 came since the last call.
bool consume_checkpoint_request();

// True if a stop was requested. Cheap; any thread.
bool stop_requested();

// The first signal that came, or 0.
int stop_signal();

// Clears the stop request: the remaining work, such as the evaluation, continues. A second signal
// still ends the process.
void clear_stop_request();

}  // namespace sculpt::core
