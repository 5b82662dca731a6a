/* sculpt/ext/draft/edge_kinds.h - the kind of each edge between sites.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 * Offered by datasets if their sites (ext/sites.h) have edges of more than one kind. In an image
 * the kinds are "to the right" and "down". Between papers they are "cites" and "shares an author".
 * Feature maps with separate weights for each kind use it. The direction of an edge is known
 * without it: an edge goes from the first of its two sites to the second. Without this extension
 * all edges are of one kind. */
#ifndef SCULPT_EXT_DRAFT_EDGE_KINDS_H
#define SCULPT_EXT_DRAFT_EDGE_KINDS_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_EDGE_KINDS "sculpt.edge-kinds/draft-1"

typedef struct sculpt_ext_edge_kinds {
  /* *out = the number of kinds in the training data; 0 if they have no edges. It is part of the
   * state of the dataset: after restore it is that of the training data. [any], after seal */
  sculpt_status (*count)(const void* self, int32_t* out, sculpt_error*);
  /* Appends the name of a kind, for names of weights. SCULPT_E_INVALID for a kind outside [0,
   * count). [any] */
  sculpt_status (*name)(const void* self, int32_t kind, sculpt_byte_buffer* out, sculpt_error*);
  /* *out = the kinds[edge_count] of the edges of this example, each in [0, count). Lent until the
   * dataset is destroyed. NULL if there are no edges. An edge of a kind that the training data do
   * not have is refused by load(), with its place. [any] */
  sculpt_status (*kinds)(const void* self, int64_t example, const int32_t** out, sculpt_error*);
} sculpt_ext_edge_kinds;

#ifdef __cplusplus
}
#endif
#endif
