/* sculpt/host/api.h - libsculpt: the host in a process of your own. Version, exits, failures.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The program `sculpt` is a user of this library. What holds for every function:
 *
 *   handles      opaque. Functions that make one give it to the caller, who frees it by the
 *                function _free of its kind. Freeing NULL does nothing, and what is asked of NULL
 *                is "", NULL or 0. In a child process after fork() open new handles: those with
 *                threads are refused there
 *   failures     every call that can fail returns a sculpt_exit. It takes a last argument
 *                sculpt_failure** and sets it to a new failure, or to NULL. That argument may be
 *                NULL. Outputs of a failed call are NULL or 0
 *   records      begin with `struct_size`, which the caller sets to sizeof. Later versions append
 *                fields. A field that a shorter record lacks has the value 0
 *   callbacks    must return: none may throw, jump or end its thread
 *   strings      UTF-8, zero terminated. Those that a handle returns live as long as the handle
 *   threads      one thread at a time uses a handle, unless its header says more. Different handles
 *                may be used at the same time, so a process may train twice at once
 *   the process  nothing is printed, no signal handler is installed, and the process is not ended.
 *                There is no global state, except that plugins stay loaded */
#ifndef SCULPT_HOST_API_H
#define SCULPT_HOST_API_H
#include "../base.h"

/* The functions of libsculpt. */
#define SCULPT_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* While MAJOR is 0, a program must be built with the MAJOR.MINOR of the library that it loads. From
 * 1.0 on, a library serves all programs that were built with the same MAJOR and a MINOR up to its
 * own. */
#define SCULPT_HOST_MAJOR 0
#define SCULPT_HOST_MINOR 1

/* The version of the API that the library has. */
SCULPT_API sculpt_version sculpt_host_version(void);
/* The version of sculpt, such as "0.9.0". */
SCULPT_API const char* sculpt_version_text(void);

/* How a call ended. The numbers are the exit codes of the program. */
typedef int32_t sculpt_exit;
enum {
  SCULPT_EXIT_REACHED = 0,        /* done; of a training: the target is reached */
  SCULPT_EXIT_CHECK_FAILED = 1,   /* a check or a verification found an error */
  SCULPT_EXIT_NOT_REACHED = 3,    /* the model is valid; its target is not reached or certified */
  SCULPT_EXIT_USAGE = 64,         /* the caller broke the contract of the function */
  SCULPT_EXIT_DATA = 65,          /* malformed or unusable data */
  SCULPT_EXIT_MISSING = 66,       /* an input does not exist */
  SCULPT_EXIT_PLUGIN = 69,        /* a plugin is missing, unreadable, refused or at fault */
  SCULPT_EXIT_INTERNAL = 70,      /* a bug of the host */
  SCULPT_EXIT_MEMORY = 71,        /* no more memory, or no further thread */
  SCULPT_EXIT_CANNOT_CREATE = 73, /* the output exists or cannot be created */
  SCULPT_EXIT_WRITE_FAILED = 74,  /* a write failed */
  SCULPT_EXIT_CONFIG = 78,        /* the experiment is wrong, or components do not fit together */
  SCULPT_EXIT_INTERRUPTED = 130   /* stopped on request, before there was a result */
};

/* Why a call failed. */
typedef struct sculpt_failure sculpt_failure;

/* What is wrong, where, and what to do: "train.txt:3:1: ...". */
SCULPT_API const char* sculpt_failure_text(const sculpt_failure*);
/* Further lines, each with a line end in front; mostly "". */
SCULPT_API const char* sculpt_failure_advice(const sculpt_failure*);
SCULPT_API sculpt_exit sculpt_failure_exit(const sculpt_failure*);
/* The number of the example where a component is at fault, or -1. */
SCULPT_API int64_t sculpt_failure_example(const sculpt_failure*);
SCULPT_API void sculpt_failure_free(sculpt_failure*);

#ifdef __cplusplus
}
#endif
#endif
