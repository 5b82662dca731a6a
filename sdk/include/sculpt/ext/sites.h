/* sculpt/ext/sites.h - a dataset whose inputs are sites with sparse features, joined by edges.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by readers (svmlight, letters, conll), used by feature maps (multiclass, chain, grid), so
 * that either can be replaced alone. All of it is lent, read-only, until the dataset's end. */
#ifndef SCULPT_EXT_SITES_H
#define SCULPT_EXT_SITES_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_SITES "sculpt.sites/1"

typedef struct sculpt_sites { /* one input x; sparse rows, one per site */
  uint32_t struct_size;
  uint32_t reserved;
  int64_t site_count;
  int64_t edge_count;
  const int64_t* row_from; /* [site_count + 1] into index and value; need not begin at 0 */
  const int32_t* index;    /* increasing within a row, in [0, feature_count) */
  const double* value;     /* finite */
  const int32_t* edge;     /* [2 * edge_count] pairs of sites; NULL when there are none */
} sculpt_sites;

typedef struct sculpt_sites_shape { /* what all inputs have in common */
  uint32_t struct_size;
  int32_t state_count; /* labels are [0, state_count) */
  int64_t feature_count;
  /* 0: the output has one label per site. k > 0: it has k labels, whatever the sites. Where both
   * say the same (one site, one label) it is 0. */
  int64_t variable_count;
} sculpt_sites_shape;

typedef struct sculpt_ext_sites {
  sculpt_status (*shape)(const void* self, sculpt_sites_shape* out,
                         sculpt_error*); /* [any], after seal */
  sculpt_status (*state_name)(const void* self, int32_t state, sculpt_byte_buffer* out,
                              sculpt_error*); /* [any] */
  /* If the dataset scaled the feature, its name ends with " (/ 81000)" or " (- 40000, / 15000)", in
   * this spelling: the host reads it to print weights for a unit of the file. */
  sculpt_status (*feature_name)(const void* self, int64_t feature, sculpt_byte_buffer* out,
                                sculpt_error*); /* [any] */
  sculpt_status (*sites)(const void* self, int64_t example, sculpt_sites* out,
                         sculpt_error*); /* [any] */
} sculpt_ext_sites;

#ifdef __cplusplus
}
#endif
#endif
