/* sculpt/ext/sites.h - inputs that are "sites" (nodes or positions) with sparse features and edges.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A site is a node of a graph, a position of a sequence or a pixel. Each site has one sparse row of
 * features; edges join two sites. Offered by datasets (svmlight, letters, conll). Feature maps
 * (multiclass, chain, grid) read it, so either side can be replaced alone. All of it is lent and
 * read-only until the dataset is destroyed.
 *
 * The host takes the shape of outputs from it if the features do not say more. Feature maps whose
 * outputs have other sizes or labels than these sites must offer ext/output_shape.h. */
#ifndef SCULPT_EXT_SITES_H
#define SCULPT_EXT_SITES_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_SITES "sculpt.sites/1"

typedef struct sculpt_sites { /* one input x; one sparse row per site */
  uint32_t struct_size;
  uint32_t reserved;
  int64_t site_count;
  int64_t edge_count;
  const int64_t* row_from; /* [site_count + 1] where each row begins; the first may be > 0 */
  const int32_t* index;    /* increasing within a row, in [0, feature_count) */
  const double* value;     /* finite */
  const int32_t* edge;     /* [2 * edge_count] pairs of sites; NULL if there are none */
} sculpt_sites;

typedef struct sculpt_sites_shape { /* the same for all inputs */
  uint32_t struct_size;
  int32_t state_count; /* states are label values: [0, state_count) */
  int64_t feature_count;
  /* 0: the output has one label per site. k > 0: the output has k labels, whatever the number of
   * sites. If both mean the same (one site, one label), it is 0. */
  int64_t variable_count;
} sculpt_sites_shape;

typedef struct sculpt_ext_sites {
  sculpt_status (*shape)(const void* self, sculpt_sites_shape* out,
                         sculpt_error*); /* [any], after seal */
  /* Appends the name of a label value. */
  sculpt_status (*state_name)(const void* self, int32_t state, sculpt_byte_buffer* out,
                              sculpt_error*); /* [any] */
  /* Appends the name of a feature. If the dataset scaled the feature, the name ends in this form:
   *   " (/ 81000)" or " (- 40000, / 15000)"
   * Use exactly this spelling: the host reads it and prints weights per unit of the file. */
  sculpt_status (*feature_name)(const void* self, int64_t feature, sculpt_byte_buffer* out,
                                sculpt_error*); /* [any] */
  sculpt_status (*sites)(const void* self, int64_t example, sculpt_sites* out,
                         sculpt_error*); /* [any] */
} sculpt_ext_sites;

#ifdef __cplusplus
}
#endif
#endif
