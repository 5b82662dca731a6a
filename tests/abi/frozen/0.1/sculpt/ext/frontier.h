/* sculpt/ext/frontier.h - the best score for each vector of counts, slice by slice.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   S(c) = max of <w, psi(x, y)> over the outputs y with min(c_k(truth, y), limit_k) = c_k
 *
 * Offered by oracles and map_solvers. The loss names the counts and says what they are worth
 * (ext/count_loss.h); the host picks the best of any function that grows with the score. So every
 * entry must be the exact maximum, and an oracle that cannot promise it does not offer this.
 *
 * A conversation on one session: begin(), then slice() and output() as often as wanted, in any
 * order; a plugin computes what is asked for, when it is asked for. Any other call on the session
 * ends it. Slices are asked for in increasing order as a rule, and often not all of them.
 *
 * begin() is cheap and refuses what is too large: the host begins a conversation about every
 * training example, at w = 0, before it trains, and asks for nothing more then. Poll the host's
 * cancel in long slices (ext/host.h); it polls its own between two of them.                     */
#ifndef SCULPT_EXT_FRONTIER_H
#define SCULPT_EXT_FRONTIER_H
#include "count_loss.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_FRONTIER "sculpt.frontier/1"

typedef struct sculpt_frontier_query {
  uint32_t struct_size;
  uint32_t count_count;      /* 1 .. SCULPT_MOST_COUNTS */
  const sculpt_count* count; /* [count_count], those of the loss */
  /* Of an oracle; loss_weight says nothing here. The oracle knows the counts by their names and
   * refuses others at bind. NULL for a map_solver. */
  const sculpt_query* query;
  /* Of a map_solver: the graph, theta without any loss, and what each cell of theta adds to each
   * count, tables[count_count][graph->theta_size], none negative. NULL for an oracle. */
  const sculpt_map_query* map;
  const int32_t* const* tables;
} sculpt_frontier_query;

/* Filled by begin(). */
typedef struct sculpt_frontier_shape {
  uint32_t struct_size;
  uint32_t flags; /* SCULPT_ANSWER_NO_OUTPUT or SCULPT_ANSWER_TRUTH_OUTSIDE, or 0 */
  /* Counts run over [0, size[0]) x [0, size[1]); size[1] is 1 where there is one count. */
  int64_t size[SCULPT_MOST_COUNTS];
} sculpt_frontier_shape;

typedef struct sculpt_ext_frontier {
  /* What the query points to lives until the conversation ends. */
  sculpt_status (*begin)(void* session, const sculpt_frontier_query*, sculpt_frontier_shape*,
                         sculpt_error*); /* [worker] */
  /* score[size[1]]: S(first, 0), S(first, 1), ...; -INFINITY where no output has these counts. */
  sculpt_status (*slice)(void* session, int64_t first, double* score, sculpt_error*); /* [worker] */
  /* An output that attains S(counts), counts[SCULPT_MOST_COUNTS] of a finite entry. */
  sculpt_status (*output)(void* session, const int64_t* counts, sculpt_label_buffer* out,
                          sculpt_error*); /* [worker] */
} sculpt_ext_frontier;

#ifdef __cplusplus
}
#endif
#endif
