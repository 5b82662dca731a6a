/* sculpt/ext/weight_bounds.h - weights that must not be negative.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by features if one of their parameters switches the bounds on. The bounds are then part
 * of the objective, for every solver and oracle: P is minimized over all w with w_j >= 0 for the
 * bounded weights j. */
#ifndef SCULPT_EXT_WEIGHT_BOUNDS_H
#define SCULPT_EXT_WEIGHT_BOUNDS_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_WEIGHT_BOUNDS "sculpt.weight-bounds/1"

typedef struct sculpt_ext_weight_bounds {
  /* nonnegative[dimension] = 1 if w_j >= 0 is required, else 0. [any], after seal */
  sculpt_status (*bounds)(const void* self, uint8_t* nonnegative, sculpt_error*);
} sculpt_ext_weight_bounds;

#ifdef __cplusplus
}
#endif
#endif
