/* sculpt/host/lent_rows.h - arrays of the caller in place of a file of an experiment.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef SCULPT_HOST_LENT_ROWS_H
#define SCULPT_HOST_LENT_ROWS_H
#include "../ext/draft/memory_source.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Arrays for the split {"memory": "NAME"} of an experiment. */
typedef struct sculpt_lent_rows {
  const char* name;
  const sculpt_memory_rows* rows;
} sculpt_lent_rows;

#ifdef __cplusplus
}
#endif
#endif
