// stop_signal.hpp - signals: the first Ctrl-C (TERM, HUP) requests a stop, the second one kills.
// USR1 requests a checkpoint.
//
// Called by the commands. Long work asks stop_requested() (base/surroundings.hpp).
#pragma once

namespace sculpt::core {

// From now on SIGINT, SIGTERM and SIGHUP request a stop, unless they are ignored, as under nohup. A
// second SIGINT or SIGTERM prints the plugin calls that are still running and ends the process as
// usual. The same signal within 0.5 s counts as one request. So does any signal within 0.5 s after
// SIGHUP. SIGHUP is never a second request.
void catch_stop_signals();

// The first signal prints no message, as on all ranks but the first. It requests a stop all the
// same.
void silence_stop_signals();

// From now on they do nothing. mpirun sends SIGTERM to the other ranks once one has ended with an
// error.
void ignore_stop_signals();

// Ignores SIGPIPE and SIGXFSZ, so that a failed write returns an error and does not end the
// process. Example: Ctrl-C also ends the tee(1) behind a run that still has to write its model.
void ignore_write_signals();

// From now on SIGUSR1 requests a checkpoint.
void catch_checkpoint_signal();

// The first signal that came, or 0.
int stop_signal();

}  // namespace sculpt::core
