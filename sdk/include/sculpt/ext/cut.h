/* sculpt/ext/cut.h - a relaxed answer: features and loss themselves, without an output.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For over-generating oracles (fractional labels) and outputs too large to keep. An oracle gives
 * psi and Delta; a map_solver gives mu over the table cells, which the host turns into psi
 * (pullback) and Delta (factor-loss, affine in mu). Such planes are kept raw. */
#ifndef SCULPT_EXT_CUT_H
#define SCULPT_EXT_CUT_H
#include "factor_graph.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_CUT "sculpt.cut/0"
#define SCULPT_EXT_MAP_CUT "sculpt.map-cut/0"

/* A flag of a cut, beside SCULPT_ANSWER_*: the answer is no output. Without it the answer is an
 * output after all, and `labels` holds it. */
enum { SCULPT_CUT_FRACTIONAL = 65536 };

typedef struct sculpt_cut {
  uint32_t struct_size;
  uint32_t flags;             /* SCULPT_ANSWER_* of the relaxed problem, SCULPT_CUT_FRACTIONAL */
  sculpt_label_buffer labels; /* the output; left empty under FRACTIONAL */
  double loss;                /* Delta(truth, answer), affine extension; 0 without a truth */
  double value;               /* <w, psi> + loss_weight * loss of that answer */
  double bound;
} sculpt_cut;

typedef struct sculpt_ext_cut {
  /* psi += the features of the relaxed answer to the query, also where it is an output */
  sculpt_status (*cut)(void* session, const sculpt_query*, sculpt_accumulator* psi, sculpt_cut*,
                       sculpt_error*); /* [worker] */
} sculpt_ext_cut;

typedef struct sculpt_ext_map_cut {
  /* mu[graph->theta_size], also where the answer is an output; `loss` is left for the host */
  sculpt_status (*cut)(void* session, const sculpt_map_query*, double* mu, sculpt_cut*,
                       sculpt_error*); /* [worker] */
} sculpt_ext_map_cut;

#ifdef __cplusplus
}
#endif
#endif
