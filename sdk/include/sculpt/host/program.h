/* sculpt/host/program.h - the program sculpt as a function.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef SCULPT_HOST_PROGRAM_H
#define SCULPT_HOST_PROGRAM_H
#include "api.h"
#ifdef __cplusplus
extern "C" {
#endif

/* All of main() of the program: handles signals and crashes, prints on the standard streams, and
 * returns the exit code of the process. Call it once, at the start of a process, and return after
 * it. Programs that use the host for something else call the functions of the other headers. */
SCULPT_API int sculpt_main(int word_count, char** words);

#ifdef __cplusplus
}
#endif
#endif
