/* sculpt/ext/host.h - services of the host, found by sculpt_host.extension().
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every service may be absent. Then a plugin works without it; instead of `parallel` it runs its
 * tasks in order. */
#ifndef SCULPT_EXT_HOST_H
#define SCULPT_EXT_HOST_H
#include "../plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_HOST_LOG "sculpt.host-log/1"
#define SCULPT_HOST_CANCEL "sculpt.host-cancel/1"
#define SCULPT_HOST_PROGRESS "sculpt.host-progress/1"
#define SCULPT_HOST_PARALLEL "sculpt.host-parallel/1"

/* The severities of log(). */
enum { SCULPT_LOG_DEBUG = 0, SCULPT_LOG_INFO = 1, SCULPT_LOG_WARNING = 2 };

typedef struct sculpt_host_log {
  /* Shows a message. The host adds the component's name in front and a newline at the end. [any] */
  void (*log)(const sculpt_host*, int32_t severity, const char* text);
} sculpt_host_log;

typedef struct sculpt_host_cancel {
  /* Returns 1 if the user asked to stop: return SCULPT_E_CANCELLED soon. Cheap. [any] */
  int32_t (*cancelled)(const sculpt_host*);
} sculpt_host_cancel;

typedef struct sculpt_host_progress {
  /* Reports progress of long phases outside training, mostly reading. total 0: unknown. [any] */
  void (*progress)(const sculpt_host*, const char* phase, int64_t done, int64_t total);
} sculpt_host_progress;

/* One task of a parallel run, number `task`. Runs on any thread of the host. */
typedef sculpt_status (*sculpt_task)(void* context, int64_t task, sculpt_error*);

typedef struct sculpt_host_parallel {
  /* Runs task(context, k, error) once for each k in [0, task_count), on the threads of the host.
   * Use it in an oracle, for one very large example. It returns when all tasks have ended; a failed
   * task does not stop the others. If tasks fail, it returns the status and text of the failed task
   * with the smallest number. [any]
   *
   * The result must not depend on the number of threads. So divide the work by its size alone, and
   * reduce in the order of the tasks.
   *
   * Tasks run at the same time. So no task may use the accumulator or the buffers of the caller,
   * nor the caller's sessions of features or loss. A task opens its own sessions (open_session is
   * [any]) or only reads. */
  sculpt_status (*run)(const sculpt_host*, int64_t task_count, sculpt_task, void* context,
                       sculpt_error*);
} sculpt_host_parallel;

#ifdef __cplusplus
}
#endif
#endif
