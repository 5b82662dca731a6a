/* sculpt/ext/enumerate.h - all outputs of a small example, for brute force.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by features: all outputs on which the feature map is defined. Offered by oracles: the set
 * Y_i over which they maximize. Features with a factor graph need not offer it. */
#ifndef SCULPT_EXT_ENUMERATE_H
#define SCULPT_EXT_ENUMERATE_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_ENUMERATE "sculpt.enumerate/1"

/* Called once per output; y lives until it returns. Any status but SCULPT_OK ends the enumeration,
 * and enumerate() returns this status. */
typedef sculpt_status (*sculpt_visit)(void* context, sculpt_labels y);

typedef struct sculpt_ext_enumerate {
  /* Visits all outputs and sets *count to their number. If there are more than `limit`, it visits
   * none and sets *count to limit + 1. [worker] */
  sculpt_status (*enumerate)(void* session, int64_t example, int64_t limit, sculpt_visit visit,
                             void* context, int64_t* count, sculpt_error*);
} sculpt_ext_enumerate;

#ifdef __cplusplus
}
#endif
#endif
