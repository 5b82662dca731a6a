/* sculpt/ext/example_weights.h - how much each training example counts.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by datasets. With c_i the weight of example i and n the number of training examples, a
 * solver minimizes
 *
 *   P(w) = 1/2 ||w||^2 + (C/n)  sum_i c_i xi_i          slack norm 1
 *   P(w) = 1/2 ||w||^2 + (C/2n) sum_i c_i xi_i^2        slack norm 2
 *
 * n is not the sum of the weights. So an example of weight 2 counts as if it were there twice, but
 * n stays the same. With c_i = 0 an example counts in n and has no other effect. A hard margin (C
 * infinite) holds for every example with c_i > 0, whatever the weight.
 *
 * Weights have an effect in training only. Metrics, held-out examples and predictions do not use
 * them. */
#ifndef SCULPT_EXT_EXAMPLE_WEIGHTS_H
#define SCULPT_EXT_EXAMPLE_WEIGHTS_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_EXAMPLE_WEIGHTS "sculpt.example-weights/1"

typedef struct sculpt_ext_example_weights {
  /* out[end - begin] = the weights of the examples [begin, end), which are in the split "train".
   * Weights are finite, at least 0 and at most 1e50, and not all of them are 0. [any], after seal
   */
  sculpt_status (*weights)(const void* self, int64_t begin, int64_t end, double* out,
                           sculpt_error*);
} sculpt_ext_example_weights;

#ifdef __cplusplus
}
#endif
#endif
