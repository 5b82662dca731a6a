/* sculpt/ext/draft/edge_kinds.h - of what kind each edge between sites is.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by datasets whose sites (ext/sites.h) have edges of more than one kind: to the right and
 * down, in an image; cites and shares an author, between papers. Used by feature maps that give
 * each kind weights of its own. The edge itself has a direction already: it goes from the first of
 * its two sites to the second. Where a dataset does not offer this, all edges are of one kind. */
#ifndef SCULPT_EXT_DRAFT_EDGE_KINDS_H
#define SCULPT_EXT_DRAFT_EDGE_KINDS_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_EDGE_KINDS "sculpt.edge-kinds/0"

typedef struct sculpt_ext_edge_kinds {
  /* *out = how many kinds the training data have; 0 when they have no edge. [any], after seal */
  sculpt_status (*count)(const void* self, int32_t* out, sculpt_error*);
  /* Appends what a kind is called, for names of weights. [any] */
  sculpt_status (*name)(const void* self, int32_t kind, sculpt_byte_buffer* out, sculpt_error*);
  /* *out = kinds [edge_count] of the edges of this example, each in [0, count); lent until the
   * dataset's end. NULL when there are no edges. [any] */
  sculpt_status (*kinds)(const void* self, int64_t example, const int32_t** out, sculpt_error*);
} sculpt_ext_edge_kinds;

#ifdef __cplusplus
}
#endif
#endif
