/* sculpt/ext/frontier.h - a "frontier": the best score for each vector of counts, slice by slice.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   S(c) = max of <w, psi(x, y)> over the outputs y with min(c_k(truth, y), limit_k) = c_k
 *
 * Offered by oracles and map_solvers. The loss defines the counts and their value
 * (ext/count_loss.h). The host chooses the best entry for any function that grows with the score.
 * So every entry must be the exact maximum. An oracle that cannot promise this does not offer a
 * frontier.
 *
 * The session is a cursor. begin() opens it; then slice() and output() may be called any number of
 * times, in any order. A slice is one row of the frontier: all second counts for one first count.
 * The plugin computes a slice when it is called for. Any other call on the session closes the
 * cursor. The host usually asks for slices in increasing order, and often not for all of them.
 *
 * begin() is cheap and refuses what is too large. Before training, the host calls it for every
 * training example, at w = 0. It reads slices and outputs of a few small ones, to compare the loss
 * of outputs with the loss of their counts. Poll the host's cancel in long slices (ext/host.h); the
 * host polls between two slices. */
#ifndef SCULPT_EXT_FRONTIER_H
#define SCULPT_EXT_FRONTIER_H
#include "count_loss.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_FRONTIER "sculpt.frontier/2"

/* What begin() gets. Exactly one of `query` and `map` is not NULL. */
typedef struct sculpt_frontier_query {
  uint32_t struct_size;
  uint32_t count_count;      /* the number of counts, 1 .. SCULPT_MOST_COUNTS */
  const sculpt_count* count; /* [count_count], the counts of the loss */
  /* For an oracle; ignore loss_weight. The oracle knows the counts by their names and refuses
   * others at bind. NULL for a map_solver. */
  const sculpt_query* query;
  /* For a map_solver: the graph, and theta without any loss. tables[count_count][graph->theta_size]
   * holds what each cell of theta adds to each count, >= 0. Both are NULL for an oracle. */
  const sculpt_map_query* map;
  const int32_t* const* tables;
} sculpt_frontier_query;

/* Filled by begin(). The caller sets struct_size. */
typedef struct sculpt_frontier_shape {
  uint32_t struct_size;
  uint32_t flags; /* SCULPT_ANSWER_NO_OUTPUT or SCULPT_ANSWER_TRUTH_OUTSIDE, or 0 */
  /* Counts are in [0, size[0]) x [0, size[1]). size[1] is 1 if there is only one count.
   *
   *   1 <= size[k], and size[k] - 1 <= limit_k
   *
   * With SCULPT_ANSWER_NO_OUTPUT the sizes are not read. Choose min(limit_k, m) + 1, where m is the
   * largest count that an output of this example may have. An upper bound of m will do, such as the
   * number of labels: entries that no output has are -INFINITY. The host does not look at counts
   * beyond the size, so a size that is too small hides outputs. Every slice takes 8 * size[1] bytes
   * of the host. */
  int64_t size[SCULPT_MOST_COUNTS];
} sculpt_frontier_shape;

typedef struct sculpt_ext_frontier {
  /* Opens the cursor. What the query points to lives until the cursor closes. */
  sculpt_status (*begin)(void* session, const sculpt_frontier_query*, sculpt_frontier_shape*,
                         sculpt_error*); /* [worker] */
  /* score[size[1]] = S(first, 0), S(first, 1), ...; -INFINITY if no output has these counts. */
  sculpt_status (*slice)(void* session, int64_t first, double* score, sculpt_error*); /* [worker] */
  /* *out = an output with score S(counts), for counts[SCULPT_MOST_COUNTS] of a finite entry. */
  sculpt_status (*output)(void* session, const int64_t* counts, sculpt_label_buffer* out,
                          sculpt_error*); /* [worker] */
} sculpt_ext_frontier;

#ifdef __cplusplus
}
#endif
#endif
