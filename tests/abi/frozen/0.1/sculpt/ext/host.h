/* sculpt/ext/host.h - services of the host, found by sculpt_host.extension().
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every service may be absent: then a plugin goes on without it (parallel: runs its tasks in
 * order). */
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

enum { SCULPT_LOG_DEBUG = 0, SCULPT_LOG_INFO = 1, SCULPT_LOG_WARNING = 2 };

typedef struct sculpt_host_log {
  /* The host adds the component's name in front and a newline behind. [any] */
  void (*log)(const sculpt_host*, int32_t severity, const char* text);
} sculpt_host_log;

typedef struct sculpt_host_cancel {
  /* 1 when the user asked to stop: return SCULPT_E_CANCELLED soon. Cheap. [any] */
  int32_t (*cancelled)(const sculpt_host*);
} sculpt_host_cancel;

typedef struct sculpt_host_progress {
  /* For long phases outside training, reading above all. total 0: unknown. [any] */
  void (*progress)(const sculpt_host*, const char* phase, int64_t done, int64_t total);
} sculpt_host_progress;

/* One task of a parallel run. */
typedef sculpt_status (*sculpt_task)(void* context, int64_t task, sculpt_error*);

typedef struct sculpt_host_parallel {
  /* Runs task(context, 0 .. task_count-1, error), each once, on the threads of the host, and
   * returns when all have ended, failed ones too: for one giant example, called from inside an
   * oracle. Cut the work into tasks by its size alone, never by the number of threads, and reduce
   * in the order of the tasks. Tasks run at the same time, so none may use the sessions of the
   * features or loss that the caller holds, nor its accumulator or buffers: open a session for each
   * task (open_session is [any]), or only read. Returns the status and text of the failed task of
   * the smallest number. [any] */
  sculpt_status (*run)(const sculpt_host*, int64_t task_count, sculpt_task, void* context,
                       sculpt_error*);
} sculpt_host_parallel;

#ifdef __cplusplus
}
#endif
#endif
