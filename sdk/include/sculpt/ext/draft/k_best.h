/* sculpt/ext/draft/k_best.h - the k best outputs of an example, in order.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by oracles and map_solvers. A conversation on one session, as a frontier is: begin(),
 * then next() as often as wanted; any other call on the session ends it. No output comes twice. */
#ifndef SCULPT_EXT_DRAFT_K_BEST_H
#define SCULPT_EXT_DRAFT_K_BEST_H
#include "../factor_graph.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_K_BEST "sculpt.k-best/0"
#define SCULPT_EXT_MAP_K_BEST "sculpt.map-k-best/0"

/* Offered by oracles. */
typedef struct sculpt_ext_k_best {
  /* What the query points to lives until the conversation ends. */
  sculpt_status (*begin)(void* session, const sculpt_query*, sculpt_error*); /* [worker] */
  /* The next output with its value, EXACT: no output but those before has a larger one. NO_OUTPUT
   * when there are no more. */
  sculpt_status (*next)(void* session, sculpt_answer*, sculpt_error*); /* [worker] */
} sculpt_ext_k_best;

/* Offered by map_solvers. */
typedef struct sculpt_ext_map_k_best {
  sculpt_status (*begin)(void* session, const sculpt_map_query*, sculpt_error*); /* [worker] */
  sculpt_status (*next)(void* session, sculpt_answer*, sculpt_error*);           /* [worker] */
} sculpt_ext_map_k_best;

#ifdef __cplusplus
}
#endif
#endif
