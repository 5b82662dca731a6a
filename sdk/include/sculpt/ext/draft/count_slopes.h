/* sculpt/ext/draft/count_slopes.h - the coefficients of a loss that is linear in its counts.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   Delta(truth, y) = constant + sum over k of slope[k] * c_k(truth, y)
 *
 * If an oracle counts over the parts of y, it can add such a loss to its scores. The search then
 * costs as much as a prediction. Any other function of the counts needs a frontier
 * (ext/frontier.h). */
#ifndef SCULPT_EXT_DRAFT_COUNT_SLOPES_H
#define SCULPT_EXT_DRAFT_COUNT_SLOPES_H
#include "../count_loss.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_COUNT_SLOPES "sculpt.count-slopes/0"

/* Offered by losses with count_loss if every limit is INT64_MAX. */
typedef struct sculpt_ext_count_slopes {
  /* Sets *constant and slope[count_count]; slopes may have any sign. [worker] */
  sculpt_status (*slopes)(void* session, int64_t example, sculpt_labels truth, double* constant,
                          double* slope, sculpt_error*);
} sculpt_ext_count_slopes;

#ifdef __cplusplus
}
#endif
#endif
