/* sculpt/ext/k_best.h - the k best outputs of an example, in order.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by oracles and map_solvers. The session is a cursor, as in ext/frontier.h. begin() opens
 * it; then next() may be called any number of times. Any other call on the session closes the
 * cursor. No output comes twice. next() without an open cursor is SCULPT_E_INVALID. begin() returns
 * SCULPT_E_UNSUPPORTED if it cannot do this for the loss or the graph. */
#ifndef SCULPT_EXT_K_BEST_H
#define SCULPT_EXT_K_BEST_H
#include "factor_graph.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_K_BEST "sculpt.k-best/1"
#define SCULPT_EXT_MAP_K_BEST "sculpt.map-k-best/1"

/* Offered by oracles. */
typedef struct sculpt_ext_k_best {
  /* Opens the cursor. What the query points to lives until the cursor closes. */
  sculpt_status (*begin)(void* session, const sculpt_query*, sculpt_error*); /* [worker] */
  /* Fills the answer with the next output and its value, and the flag EXACT: no output has a larger
   * value, except earlier ones. The flag is NO_OUTPUT if there are no more. */
  sculpt_status (*next)(void* session, sculpt_answer*, sculpt_error*); /* [worker] */
} sculpt_ext_k_best;

/* Offered by map_solvers. The functions are as above. */
typedef struct sculpt_ext_map_k_best {
  sculpt_status (*begin)(void* session, const sculpt_map_query*, sculpt_error*); /* [worker] */
  sculpt_status (*next)(void* session, sculpt_answer*, sculpt_error*);           /* [worker] */
} sculpt_ext_map_k_best;

#ifdef __cplusplus
}
#endif
#endif
