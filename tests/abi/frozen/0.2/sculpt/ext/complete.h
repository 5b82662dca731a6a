/* sculpt/ext/complete.h - the best output that agrees with a partial truth.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   argmax over y in Y_i with y_k = truth_k wherever truth_k >= 0   of   <w, psi(x_i, y)>
 *
 * The truth of the query is partial: -1 leaves a label free. So it serves labels that are given in
 * part, latent variables, and predictions with some labels fixed. Offered by oracles. */
#ifndef SCULPT_EXT_COMPLETE_H
#define SCULPT_EXT_COMPLETE_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_COMPLETE "sculpt.complete/1"

typedef struct sculpt_ext_complete {
  /* Fills the answer with the output and its value, and the flags of argmax. EXACT and BOUND are
   * about the outputs that agree with the truth. NO_OUTPUT says that none does. An output
   * agrees only if it has as many labels as the truth. TRUTH_OUTSIDE is not used.
   *
   * query->truth has data. query->loss_weight is 0: the score alone decides. Return
   * SCULPT_E_INVALID for other queries. A truth of -1 alone asks for the best of all outputs of
   * this size. A truth without -1 asks for its own score, or NO_OUTPUT if it is no output. */
  sculpt_status (*complete)(void* session, const sculpt_query*, sculpt_answer*,
                            sculpt_error*); /* [worker] */
} sculpt_ext_complete;

#ifdef __cplusplus
}
#endif
#endif
