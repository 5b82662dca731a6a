/* sculpt/ext/draft/cut.h - a relaxed answer: features and loss themselves, without an output.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For over-generating oracles (fractional labels) and outputs too large to keep. An oracle gives
 * psi and Delta; a map_solver gives mu over the table cells, which the host turns into psi
 * (pullback) and Delta (factor-loss, affine in mu). Such planes are kept raw. */
#ifndef SCULPT_EXT_DRAFT_CUT_H
#define SCULPT_EXT_DRAFT_CUT_H
#include "../factor_graph.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_CUT "sculpt.cut/0"
#define SCULPT_EXT_MAP_CUT "sculpt.map-cut/0"

typedef struct sculpt_cut {
  uint32_t struct_size;
  uint32_t flags;     /* SCULPT_ANSWER_*, of the relaxed problem; fractional below */
  int32_t fractional; /* 0: the answer is an output after all */
  int32_t reserved;
  double loss; /* Delta, affine extension */
  double value;
  double bound;
} sculpt_cut;

typedef struct sculpt_ext_cut {
  /* psi += the features of the relaxed answer to the query */
  sculpt_status (*cut)(void* session, const sculpt_query*, sculpt_accumulator* psi, sculpt_cut*,
                       sculpt_error*); /* [worker] */
} sculpt_ext_cut;

typedef struct sculpt_ext_map_cut {
  /* mu[graph->theta_size]; `loss` of the cut is left for the host */
  sculpt_status (*cut)(void* session, const sculpt_map_query*, double* mu, sculpt_cut*,
                       sculpt_error*); /* [worker] */
} sculpt_ext_map_cut;

#ifdef __cplusplus
}
#endif
#endif
