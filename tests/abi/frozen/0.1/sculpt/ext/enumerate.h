/* sculpt/ext/enumerate.h - all outputs of a small example, for brute force.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by features (all outputs the map is defined on) and oracles (the set Y_i they maximise
 * over). Features with a factor graph need not offer it. */
#ifndef SCULPT_EXT_ENUMERATE_H
#define SCULPT_EXT_ENUMERATE_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_ENUMERATE "sculpt.enumerate/1"

/* Called once per output; anything but SCULPT_OK ends the enumeration with that status. */
typedef sculpt_status (*sculpt_visit)(void* context, sculpt_labels y);

typedef struct sculpt_ext_enumerate {
  /* *count = number of outputs as far as it was counted. When there are more than `limit`, *count
   * is limit + 1 and no output is visited. [worker] */
  sculpt_status (*enumerate)(void* session, int64_t example, int64_t limit, sculpt_visit visit,
                             void* context, int64_t* count, sculpt_error*);
} sculpt_ext_enumerate;

#ifdef __cplusplus
}
#endif
#endif
