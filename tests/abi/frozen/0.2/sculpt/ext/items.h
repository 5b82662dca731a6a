/* sculpt/ext/items.h - "items": the parts of an output that losses compare.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The comments say "part", the names say "item": both are the same. Parts are brackets of a tree,
 * pairs of bases, aligned positions, or labels that are on. Each part is a number; equal parts have
 * equal numbers. So one library of losses (F1, precision, recall) serves all such outputs:
 *
 *   matched = parts of the guess that are also in the truth,     predicted = parts of the guess
 *
 * Oracles know these two counts by these names (ext/count_loss.h). */
#ifndef SCULPT_EXT_ITEMS_H
#define SCULPT_EXT_ITEMS_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_ITEMS "sculpt.items/1"

/* Offered by datasets. */
typedef struct sculpt_ext_items {
  /* *count = the number of parts of y, which may exceed `capacity`. If it is at most `capacity`,
   * items[*count] = the numbers of the parts in ascending order, each >= 0. Otherwise items is
   * unchanged, and the caller calls again with at least this capacity. A part that occurs twice in
   * y is listed twice. SCULPT_E_INVALID: y is no output of the example. [any], after seal */
  sculpt_status (*items)(const void* self, int64_t example, sculpt_labels y, int64_t* items,
                         int64_t capacity, int64_t* count, sculpt_error*);
  /* For outputs in which each label is one part or none. *item = the part for label `state` of
   * variable `variable`, or -1 if it is none. With this function such losses split over factor
   * graphs. The pointer is NULL for other outputs. [any], after seal */
  sculpt_status (*item_of_label)(const void* self, int64_t example, int64_t variable, int32_t state,
                                 int64_t* item, sculpt_error*);
} sculpt_ext_items;

#ifdef __cplusplus
}
#endif
#endif
