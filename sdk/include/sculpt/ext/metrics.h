/* sculpt/ext/metrics.h - quality measures over a set of examples.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by losses and datasets. A metric is a function of sums over the labelled examples. The
 * host adds the sums in a fixed order and calls finish() once. Errors are fractions, not percent.
 *
 * Names must differ within a component. The host reserves those of its own metrics and counts:
 * "loss" (the mean over the examples with an output), "loss_standard_error", "log_loss",
 * "log_loss_examples", "perplexity", "calibration_error", "examples", "unlabelled", "no_output". */
#ifndef SCULPT_EXT_METRICS_H
#define SCULPT_EXT_METRICS_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_METRICS "sculpt.metrics/2"

/* Flags of metrics. Without one of them neither direction is better, as for a mean length. */
enum { SCULPT_METRIC_HIGHER_IS_BETTER = 1, SCULPT_METRIC_LOWER_IS_BETTER = 2 };

typedef struct sculpt_metric { /* a value */
  const char* name;            /* snake_case: "label_error" */
  const char* summary;         /* one sentence */
  uint32_t flags;              /* SCULPT_METRIC_*, at most one */
  uint32_t reserved;           /* 0 */
} sculpt_metric;

typedef struct sculpt_ext_metrics {
  /* *metrics = array [*metric_count], lent until destroy. *sum_count = the number of sums from
   * which they are computed. [any] */
  sculpt_status (*metrics)(const void* self, const sculpt_metric** metrics, int64_t* metric_count,
                           int64_t* sum_count, sculpt_error*);
  /* sums[sum_count] += what this example contributes. Never called for an unlabelled example.
   * guess.data == NULL: the oracle found no output, such as a parser without a parse. Then count
   * the example as entirely wrong. */
  sculpt_status (*add)(void* session, int64_t example, sculpt_labels truth, sculpt_labels guess,
                       double* sums, sculpt_error*); /* [worker] */
  /* values[metric_count] = the metrics of sums[sum_count]: finite, or NaN if undefined. */
  sculpt_status (*finish)(const void* self, const double* sums, double* values,
                          sculpt_error*); /* [any] */
} sculpt_ext_metrics;

#ifdef __cplusplus
}
#endif
#endif
