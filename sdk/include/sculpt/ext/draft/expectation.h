/* sculpt/ext/draft/expectation.h - log Z, E[psi] and Cov[psi] v under p(y) ~ exp <w, psi(x, y)>.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by oracles. Serves conditional random fields, SODA and the Z-score without a d x d
 * matrix. */
#ifndef SCULPT_EXT_DRAFT_EXPECTATION_H
#define SCULPT_EXT_DRAFT_EXPECTATION_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_EXPECTATION "sculpt.expectation/0"

typedef struct sculpt_ext_expectation {
  /* *log_z = log sum over y of exp(<w, psi> + loss_weight * Delta);  sum += scale * E[psi] */
  sculpt_status (*mean)(void* session, const sculpt_query*, double* log_z, double scale,
                        sculpt_accumulator* sum, sculpt_error*); /* [worker] */
  /* sum += scale * Cov[psi] v */
  sculpt_status (*covariance_times)(void* session, const sculpt_query*, sculpt_weights v,
                                    double scale, sculpt_accumulator* sum,
                                    sculpt_error*); /* [worker] */
} sculpt_ext_expectation;

#ifdef __cplusplus
}
#endif
#endif
