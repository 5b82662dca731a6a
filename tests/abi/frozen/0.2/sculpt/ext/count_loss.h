/* sculpt/ext/count_loss.h - losses that are a function of one or two integer counts.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   Delta(truth, y) = g(c(truth, y)),     c >= 0 integers that add up over the parts of y
 *
 * Hamming loss counts wrong labels. F1 counts the matched and the predicted brackets. If the oracle
 * offers a frontier (ext/frontier.h), g may be any function. Slack rescaling, slack norm 2 and
 * losses that do not split over the parts are then exact. `count_count` is the number of counts. */
#ifndef SCULPT_EXT_COUNT_LOSS_H
#define SCULPT_EXT_COUNT_LOSS_H
#include "factor_graph.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_COUNT_LOSS "sculpt.count-loss/2"
#define SCULPT_EXT_FACTOR_COUNTS "sculpt.factor-counts/1"

/* The maximum number of counts of a loss. */
enum { SCULPT_MOST_COUNTS = 2 };

typedef struct sculpt_count { /* a value */
  /* The name of the count, known to oracles: "errors", "matched", "predicted". */
  const char* name;
  /* g reads min(count, limit): it is the same for all counts above the limit. 1: g only asks
   * whether the count is 0. INT64_MAX: no limit. At least 1. */
  int64_t limit;
  uint32_t flags;    /* 0 */
  uint32_t reserved; /* 0 */
} sculpt_count;

/* Offered by losses. */
typedef struct sculpt_ext_count_loss {
  /* *counts = array [*count_count], lent until destroy; 1 <= *count_count <= SCULPT_MOST_COUNTS.
   * [any], after seal */
  sculpt_status (*counts)(const void* self, const sculpt_count** counts, int64_t* count_count,
                          sculpt_error*);
  /* *out = g(counts), the loss of every output with these counts[count_count], finite and >= 0. The
   * host asks for every vector below the sizes of a frontier, even if no output has these counts.
   * [worker] */
  sculpt_status (*value)(void* session, int64_t example, sculpt_labels truth, const int64_t* counts,
                         double* out, sculpt_error*);
  /* For losses that are linear in their counts, with every limit INT64_MAX; else NULL:
   *   Delta(truth, y) = constant + sum over k of slope[k] * c_k(truth, y)
   * Sets *constant and slope[count_count]; slopes may have any sign. An oracle that counts over the
   * parts of y adds such a loss to its scores. The search then costs as much as a prediction. Any
   * other function of the counts needs a frontier. [worker] */
  sculpt_status (*slopes)(void* session, int64_t example, sculpt_labels truth, double* constant,
                          double* slope, sculpt_error*);
} sculpt_ext_count_loss;

/* Offered by losses with count_loss if their counts split over the factors of a graph. It does for
 * the counts what factor_loss does for the loss. */
typedef struct sculpt_ext_factor_counts {
  /* *out = the classes of graphs that it requires, SCULPT_GRAPH_*. [any] */
  sculpt_status (*demands)(const void* self, uint32_t* out, sculpt_error*);
  /* tables[k][cell] += what the cell adds to count k, for tables[count_count][graph->theta_size].
   * The caller sets them to 0 before the call. [worker] */
  sculpt_status (*add)(void* session, int64_t example, const sculpt_factor_graph*,
                       sculpt_labels truth, int32_t* const* tables, sculpt_error*);
} sculpt_ext_factor_counts;

#ifdef __cplusplus
}
#endif
#endif
