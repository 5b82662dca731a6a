/* sculpt/ext/draft/scores.h - the numbers that outputs are decided by, for `sculpt predict
 * --scores`.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by features whose outputs are read off scores: of the labels of an example, of the rows
 * of a set, of the documents of a query, of pairs of items. With them users set thresholds of their
 * own, sort, draw curves, or put models together. */
#ifndef SCULPT_EXT_DRAFT_SCORES_H
#define SCULPT_EXT_DRAFT_SCORES_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_SCORES "sculpt.scores/0"

typedef struct sculpt_ext_scores {
  /* *columns = how many scores a row has, at least 1: one for each label, or one alone. [any],
   * after seal */
  sculpt_status (*columns)(const void* self, int64_t* columns, sculpt_error*);
  /* What a column is about, for people: the name of a label. [any], after seal; appends */
  sculpt_status (*column_name)(const void* self, int64_t column, sculpt_byte_buffer* out,
                               sculpt_error*);
  /* *rows of an example, in the order of the data; may be 0. [any], after seal */
  sculpt_status (*rows)(const void* self, int64_t example, int64_t* rows, sculpt_error*);
  /* scores[rows * columns], row by row, all of them. [any], after seal */
  sculpt_status (*scores)(const void* self, int64_t example, sculpt_weights w, double* scores,
                          sculpt_error*);
} sculpt_ext_scores;

#ifdef __cplusplus
}
#endif
#endif
