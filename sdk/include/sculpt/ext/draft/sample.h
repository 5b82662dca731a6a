/* sculpt/ext/draft/sample.h - outputs at random, p(y) ~ exp(<w, psi> + loss_weight * Delta).
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by oracles and map_solvers that draw exactly and independently. A conversation on one
 * session: begin(), then draw() as often as wanted; any other call on the session ends it. */
#ifndef SCULPT_EXT_DRAFT_SAMPLE_H
#define SCULPT_EXT_DRAFT_SAMPLE_H
#include "../factor_graph.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_SAMPLE "sculpt.sample/0"
#define SCULPT_EXT_MAP_SAMPLE "sculpt.map-sample/0"

/* Offered by oracles. */
typedef struct sculpt_ext_sample {
  /* *log_z as in draft/expectation.h; -INFINITY when there is no output. What the query points to
   * lives until the conversation ends; its seed is not used. [worker] */
  sculpt_status (*begin)(void* session, const sculpt_query*, double* log_z, sculpt_error*);
  /* The same seed, the same output. Only after a finite log_z. [worker] */
  sculpt_status (*draw)(void* session, uint64_t seed, sculpt_label_buffer* out, sculpt_error*);
} sculpt_ext_sample;

/* Offered by map_solvers. */
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
