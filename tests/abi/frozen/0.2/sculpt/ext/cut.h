/* sculpt/ext/cut.h - a "cut": the features and the loss of a relaxed answer, without an output.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A relaxed answer may have fractional labels: it need not be an output of Y_i. The extension
 * serves oracles that over-generate, and outputs that are too large to store. It is not a cutting
 * plane; the host makes a plane from it. An oracle returns psi and Delta. A map_solver returns mu
 * over the cells of theta; the host turns mu into psi (pullback) and Delta (factor-loss, affine in
 * mu). Such planes are stored as psi and Delta, without an output. */
#ifndef SCULPT_EXT_CUT_H
#define SCULPT_EXT_CUT_H
#include "factor_graph.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_CUT "sculpt.cut/1"
#define SCULPT_EXT_MAP_CUT "sculpt.map-cut/1"

/* A flag of sculpt_cut, in addition to SCULPT_ANSWER_*: the answer is not an output. Without this
 * flag the answer is an output, and `labels` holds it. */
enum { SCULPT_CUT_FRACTIONAL = 65536 };

/* A relaxed answer. The caller sets struct_size and lends the buffer `labels`. */
typedef struct sculpt_cut {
  uint32_t struct_size;
  uint32_t flags;             /* SCULPT_ANSWER_* of the relaxed problem, SCULPT_CUT_FRACTIONAL */
  sculpt_label_buffer labels; /* the output; empty if FRACTIONAL is set */
  double loss;                /* Delta(truth, answer), by its affine extension; 0 without a truth */
  double value;               /* <w, psi> + loss_weight * loss of this answer */
  double bound;
} sculpt_cut;

/* Offered by oracles. */
typedef struct sculpt_ext_cut {
  /* psi += the features of the relaxed answer to the query, even if it is an output. */
  sculpt_status (*cut)(void* session, const sculpt_query*, sculpt_accumulator* psi, sculpt_cut*,
                       sculpt_error*); /* [worker] */
} sculpt_ext_cut;

/* Offered by map_solvers. */
typedef struct sculpt_ext_map_cut {
  /* mu[graph->theta_size] = the relaxed answer, written even if it is an output. The host computes
   * `loss`. */
  sculpt_status (*cut)(void* session, const sculpt_map_query*, double* mu, sculpt_cut*,
                       sculpt_error*); /* [worker] */
} sculpt_ext_map_cut;

#ifdef __cplusplus
}
#endif
#endif
