/* sculpt/host/session.h - a session: where a caller of the host searches plugins, listens and
 * stops.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Read api.h first. One call at a time uses a session and what was made with it; a second one, also
 * one out of a callback, fails with SCULPT_EXIT_USAGE. Sessions are cheap: a program that trains
 * twice at once has two. */
#ifndef SCULPT_HOST_SESSION_H
#define SCULPT_HOST_SESSION_H
#include "../plugin.h"
#include "api.h"
#ifdef __cplusplus
extern "C" {
#endif

/* What a text of the host is. */
enum {
  SCULPT_TEXT_RESULT = 0,  /* what the program would print on its standard output */
  SCULPT_TEXT_MESSAGE = 1, /* warnings and progress: whole lines */
  SCULPT_TEXT_HELP = 2     /* help after wrong words of a command */
};

typedef struct sculpt_session sculpt_session;

typedef struct sculpt_session_options {
  uint32_t struct_size;
  int32_t threads; /* of each call; 0: all processors. Results do not depend on it */
  /* Folders that are searched for plugins before those of the program; NULL: none. */
  const char* const* plugin_path; /* [plugin_path_count] */
  int64_t plugin_path_count;
  /* Receives what the host says; NULL: nobody listens. `text` has `size` bytes, no terminator, and
   * lives until the function returns. One call at a time, on any thread. It must not call the
   * session, except for the functions that are marked [any]. */
  void (*write)(void* user, int32_t kind, const char* text, int64_t size);
  void* user;
} sculpt_session_options;

/* `options` may be NULL: all processors, the search path of the program, nobody listens. */
SCULPT_API sculpt_exit sculpt_session_open(const sculpt_session_options* options,
                                           sculpt_session** session, sculpt_failure** failure);

/* Lends the components of a catalogue in this process to all later calls of the session: what
 * sculpt_entry() of a library returns (plugin.h), without the library. Experiments and models find
 * them by their ids and names. They hide components with the same id on the search path. The
 * catalogue and what it points to are borrowed: they outlive the session and all that was made with
 * it. Other sessions do not see them, nor does the program, so a sweep refuses them.
 * Fails with SCULPT_EXIT_PLUGIN if the catalogue is faulty or was built for another ABI. The same
 * if one of the session has the same name, or a component with the same id. */
SCULPT_API sculpt_exit sculpt_session_add_catalogue(sculpt_session*, const sculpt_plugin* catalogue,
                                                    sculpt_failure** failure);

/* Asks the running call to stop soon. A training then ends with the model that it has, and with a
 * checkpoint; other calls fail with SCULPT_EXIT_INTERRUPTED. The request ends with the call.
 * Without a call it stops the next one. May be called in a signal handler. [any] */
SCULPT_API void sculpt_session_stop(sculpt_session*);
/* Asks the running training for a checkpoint. May be called in a signal handler. [any] */
SCULPT_API void sculpt_session_request_checkpoint(sculpt_session*);

/* Frees the session. Requires that no call uses it; what was made with it may live on. */
SCULPT_API void sculpt_session_free(sculpt_session*);

/* Runs a command of the program in this process: {"describe", "--json", "viterbi"}. What it prints
 * goes to `write` of the session. Returns its exit code. A command that fails sets *failure.
 * The command sweep starts processes of the program `sculpt` beside the library, or fails with
 * SCULPT_EXIT_MISSING. The command check forks this process. */
SCULPT_API sculpt_exit sculpt_run_command(sculpt_session*, const char* const* words,
                                          int64_t word_count, sculpt_failure** failure);

#ifdef __cplusplus
}
#endif
#endif
