/* sculpt/ext/draft/count_slopes.h - losses that are linear in their counts.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   Delta(truth, y) = constant + sum over k of slope[k] * c_k(truth, y)
 *
 * An oracle that counts over the parts of y can then add the loss to its scores, at the price of a
 * prediction, where any other function of the counts takes a frontier (ext/frontier.h). */
#ifndef SCULPT_EXT_DRAFT_COUNT_SLOPES_H
#define SCULPT_EXT_DRAFT_COUNT_SLOPES_H
#include "../count_loss.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_COUNT_SLOPES "sculpt.count-slopes/0"

/* Offered by losses with count_loss of which every limit is INT64_MAX. */
typedef struct sculpt_ext_count_slopes {
  /* slope[count_count], of any sign. [worker] */
  sculpt_status (*slopes)(void* session, int64_t example, sculpt_labels truth, double* constant,
                          double* slope, sculpt_error*);
} sculpt_ext_count_slopes;

#ifdef __cplusplus
}
#endif
#endif
