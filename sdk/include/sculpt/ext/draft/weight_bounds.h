/* sculpt/ext/draft/weight_bounds.h - weights that must not be negative.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by features when a parameter switches bounds on; they then belong to the objective. */
#ifndef SCULPT_EXT_DRAFT_WEIGHT_BOUNDS_H
#define SCULPT_EXT_DRAFT_WEIGHT_BOUNDS_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_WEIGHT_BOUNDS "sculpt.weight-bounds/0"

typedef struct sculpt_ext_weight_bounds {
  /* nonnegative[dimension] = 1 where w_j >= 0 is demanded, else 0. [any], after seal */
  sculpt_status (*bounds)(const void* self, uint8_t* nonnegative, sculpt_error*);
} sculpt_ext_weight_bounds;

#ifdef __cplusplus
}
#endif
#endif
