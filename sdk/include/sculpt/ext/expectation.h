/* sculpt/ext/expectation.h - log Z, means and covariances under p(y) ~ exp <w, psi(x, y)>.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Serves conditional random fields, SODA and the Z-score without a d x d matrix. An oracle computes
 * in the space of w. A map_solver has no features and computes in the space of theta. z(y) is the
 * indicator of y: in each cell of theta, the number of factors that use it. The host has
 *   E[psi] = pullback(E[z]),   Cov[psi] v = pullback(Cov[z] (A_x v))
 * where A_x v are the potentials of v (ext/factor_graph.h).
 *
 * If there is no output, log Z is -INFINITY, the host does not read the mean, and the covariance
 * is 0. log Z is a natural logarithm. A function returns SCULPT_E_UNSUPPORTED if it cannot do this
 * for the loss or the graph. */
#ifndef SCULPT_EXT_EXPECTATION_H
#define SCULPT_EXT_EXPECTATION_H
#include "factor_graph.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_EXPECTATION "sculpt.expectation/1"
#define SCULPT_EXT_MAP_EXPECTATION "sculpt.map-expectation/1"

/* Flags of a log Z. */
enum {
  /* log Z and the mean are right up to rounding. Without it both are approximations, such as those
   * of Bethe. Then the host certifies nothing that is computed from them. */
  SCULPT_LOG_Z_EXACT = 1
};

/* The caller sets value to NaN and the others to 0 before the call. */
typedef struct sculpt_log_z {
  double value;
  uint32_t flags;    /* SCULPT_LOG_Z_* */
  uint32_t reserved; /* 0 */
} sculpt_log_z;

/* Offered by oracles. The sums are over the outputs Y_i, which may depend on the query's truth. */
typedef struct sculpt_ext_expectation {
  /* *log_z = log sum over y of exp(<w, psi> + loss_weight * Delta);  sum += scale * E[psi]. */
  sculpt_status (*mean)(void* session, const sculpt_query*, sculpt_log_z* log_z, double scale,
                        sculpt_accumulator* sum, sculpt_error*); /* [worker] */
  /* sum += scale * Cov[psi] v. Only if it is right up to rounding, else SCULPT_E_UNSUPPORTED. */
  sculpt_status (*covariance_times)(void* session, const sculpt_query*, sculpt_weights v,
                                    double scale, sculpt_accumulator* sum,
                                    sculpt_error*); /* [worker] */
} sculpt_ext_expectation;

/* Offered by map_solvers: p(y) ~ exp <theta, z(y)>. */
typedef struct sculpt_ext_map_expectation {
  /* *log_z = log sum over y of exp <theta, z(y)>;  mu[graph->theta_size] = E[z]. */
  sculpt_status (*mean)(void* session, const sculpt_map_query*, sculpt_log_z* log_z, double* mu,
                        sculpt_error*); /* [worker] */
  /* out[graph->theta_size] = Cov[z] direction, for direction[graph->theta_size]. Only if it is
   * right up to rounding, else SCULPT_E_UNSUPPORTED. */
  sculpt_status (*covariance_times)(void* session, const sculpt_map_query*, const double* direction,
                                    double* out, sculpt_error*); /* [worker] */
} sculpt_ext_map_expectation;

#ifdef __cplusplus
}
#endif
#endif
