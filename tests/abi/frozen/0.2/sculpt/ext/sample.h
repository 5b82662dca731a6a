/* sculpt/ext/sample.h - random outputs, p(y) ~ exp(<w, psi> + loss_weight * Delta).
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by oracles and map_solvers if their samples are exact and independent. The session is a
 * cursor, as in ext/frontier.h. begin() opens it; then draw() may be called any number of times.
 * Any other call on the session closes the cursor. draw() without an open cursor is
 * SCULPT_E_INVALID. begin() returns SCULPT_E_UNSUPPORTED if it cannot do this for the loss or the
 * graph. */
#ifndef SCULPT_EXT_SAMPLE_H
#define SCULPT_EXT_SAMPLE_H
#include "factor_graph.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_SAMPLE "sculpt.sample/1"
#define SCULPT_EXT_MAP_SAMPLE "sculpt.map-sample/1"

/* Offered by oracles. */
typedef struct sculpt_ext_sample {
  /* Opens the cursor. *log_z is as in expectation.h: -INFINITY if there is no output. What
   * the query points to lives until the cursor closes. The seed of the query is not used. [worker]
   */
  sculpt_status (*begin)(void* session, const sculpt_query*, double* log_z, sculpt_error*);
  /* *out = a random output. The same seed gives the same output. Called only if log_z is finite.
   * [worker] */
  sculpt_status (*draw)(void* session, uint64_t seed, sculpt_label_buffer* out, sculpt_error*);
} sculpt_ext_sample;

/* Offered by map_solvers: p(y) ~ exp <theta, z(y)>. The functions are as above. */
typedef struct sculpt_ext_map_sample {
  sculpt_status (*begin)(void* session, const sculpt_map_query*, double* log_z,
                         sculpt_error*); /* [worker] */
  sculpt_status (*draw)(void* session, uint64_t seed, sculpt_label_buffer* out,
                        sculpt_error*); /* [worker] */
} sculpt_ext_map_sample;

#ifdef __cplusplus
}
#endif
#endif
