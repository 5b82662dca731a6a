/* sculpt/ext/count_loss.h - losses that are a function of one or two integer counts.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   Delta(truth, y) = g(c(truth, y)),     c >= 0 integers that add up over the parts of y
 *
 * Hamming counts wrong labels, F1 the matched and the predicted brackets. With an oracle that
 * offers a frontier (ext/frontier.h), g may be anything: slack rescaling, slack norm 2 and losses
 * that do not split over the parts are then exact. */
#ifndef SCULPT_EXT_COUNT_LOSS_H
#define SCULPT_EXT_COUNT_LOSS_H
#include "factor_graph.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_COUNT_LOSS "sculpt.count-loss/1"
#define SCULPT_EXT_FACTOR_COUNTS "sculpt.factor-counts/1"

enum { SCULPT_MOST_COUNTS = 2 };

typedef struct sculpt_count { /* a value */
  /* What is counted, by a name that oracles know: "errors", "matched", "predicted". */
  const char* name;
  /* g does not tell counts above this apart: min(count, limit) enters it. 1: whether there is one.
   * INT64_MAX: all count. >= 1 */
  int64_t limit;
} sculpt_count;

/* Offered by losses. */
typedef struct sculpt_ext_count_loss {
  /* *counts = array [*count_count], lent; 1 <= *count_count <= SCULPT_MOST_COUNTS. [any], after
   * seal */
  sculpt_status (*counts)(const void* self, const sculpt_count** counts, int64_t* count_count,
                          sculpt_error*);
  /* *out = g(counts), the loss of every output with these counts[count_count]; >= 0 and finite for
   * every vector below the sizes of a frontier, also where no output has these counts. [worker] */
  sculpt_status (*value)(void* session, int64_t example, sculpt_labels truth, const int64_t* counts,
                         double* out, sculpt_error*);
} sculpt_ext_count_loss;

/* Offered by losses with count_loss whose counts split over the factors of a graph, as factor_loss
 * does for the loss itself: tables[k][cell] += what the cell contributes to count k.             */
typedef struct sculpt_ext_factor_counts {
  /* Classes of graphs it needs. [any] */
  sculpt_status (*demands)(const void* self, uint32_t* out, sculpt_error*);
  /* tables[count_count][graph->theta_size], zero before the call. [worker] */
  sculpt_status (*add)(void* session, int64_t example, const sculpt_factor_graph*,
                       sculpt_labels truth, int32_t* const* tables, sculpt_error*);
} sculpt_ext_factor_counts;

#ifdef __cplusplus
}
#endif
#endif
