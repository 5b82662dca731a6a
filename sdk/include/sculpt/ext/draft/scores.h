/* sculpt/ext/draft/scores.h - the decision values that outputs are read off, for
 * `sculpt predict --scores`.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by features whose outputs are decided one label, row or pair at a time: with them users
 * set thresholds of their own, sort, draw curves, or put models together. Scores are linear in w
 * and do not depend on the truth, which most data to predict lack. The larger one is the better
 * one: of several columns the largest is the label predicted, of one column alone, or of labels
 * that are on or off, what is above 0 is. A dataset whose outputs are lines has a row for each, in
 * that order.
 */
#ifndef SCULPT_EXT_DRAFT_SCORES_H
#define SCULPT_EXT_DRAFT_SCORES_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_SCORES "sculpt.scores/0"

typedef struct sculpt_ext_scores {
  /* *columns = how many scores a row has, at least 1, the same for all examples: one for each
   * label, or one alone. [any], after seal */
  sculpt_status (*columns)(const void* self, int64_t* columns, sculpt_error*);
  /* What a column in [0, columns) is about: the name of a label. [any], after seal; appends */
  sculpt_status (*column_name)(const void* self, int64_t column, sculpt_byte_buffer* out,
                               sculpt_error*);
  /* *rows of an example, >= 0; rows times columns is 2^31 at most. [any], after seal */
  sculpt_status (*rows)(const void* self, int64_t example, int64_t* rows, sculpt_error*);
  /* scores[rows * columns], row by row: sets all of them. Any that is not finite is taken for an
   * overflow, which ends the command. [any], after seal */
  sculpt_status (*scores)(const void* self, int64_t example, sculpt_weights w, double* scores,
                          sculpt_error*);
} sculpt_ext_scores;

#ifdef __cplusplus
}
#endif
#endif
