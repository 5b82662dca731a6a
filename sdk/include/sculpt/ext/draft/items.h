/* sculpt/ext/draft/items.h - the parts of an output that losses compare.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Brackets of a tree, pairs of bases, aligned positions, labels that are on: numbers, equal where
 * the parts are. Losses such as F1, precision and recall are then one library for all of them:
 *
 *   matched = parts of the guess that the truth has,     predicted = parts of the guess
 *
 * Oracles count both under these names (ext/count_loss.h). */
#ifndef SCULPT_EXT_DRAFT_ITEMS_H
#define SCULPT_EXT_DRAFT_ITEMS_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_ITEMS "sculpt.items/0"

/* Offered by datasets. */
typedef struct sculpt_ext_items {
  /* *count = how many parts y has. When they are at most `capacity`, items[*count] = their numbers
   * in ascending order, each >= 0; a part that y has twice comes twice. [any], after seal */
  sculpt_status (*items)(const void* self, int64_t example, sculpt_labels y, int64_t* items,
                         int64_t capacity, int64_t* count, sculpt_error*);
  /* For outputs of which each label is a part, or none: *item = the part that label `state` at
   * place `variable` is, or -1. NULL for other outputs. With it such losses split over factor
   * graphs. [any], after seal */
  sculpt_status (*item_of_label)(const void* self, int64_t example, int64_t variable, int32_t state,
                                 int64_t* item, sculpt_error*);
} sculpt_ext_items;

#ifdef __cplusplus
}
#endif
#endif
