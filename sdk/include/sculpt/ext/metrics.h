/* sculpt/ext/metrics.h - figures of merit over a set of examples.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by losses and datasets. A metric is a function of sums over the examples: the host adds
 * the sums up in a fixed order and calls finish() once. Errors are fractions, not percent.
 * The name "loss" is taken: the host reports the mean loss itself. */
#ifndef SCULPT_EXT_METRICS_H
#define SCULPT_EXT_METRICS_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_METRICS "sculpt.metrics/1"

typedef struct sculpt_metric {
  const char* name;    /* snake_case: "letter_error" */
  const char* summary; /* one sentence */
} sculpt_metric;

typedef struct sculpt_ext_metrics {
  int64_t (*metrics)(const void* self, const sculpt_metric** out); /* [any] their number */
  int64_t (*sum_count)(const void* self);                          /* [any] */
  /* sums[sum_count] += what this example contributes; never called for an unlabelled example */
  sculpt_status (*add)(void* session, int64_t example, sculpt_labels truth, sculpt_labels guess,
                       double* sums, sculpt_error*); /* [worker] */
  /* values[metric count] from sums[sum_count]; NaN where undefined */
  void (*finish)(const void* self, const double* sums, double* values); /* [any] */
} sculpt_ext_metrics;

#ifdef __cplusplus
}
#endif
#endif
