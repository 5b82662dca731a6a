/* sculpt/ext/scores.h - the decision values behind the outputs, for `sculpt predict
 * --scores`.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by features if their outputs are decided one label, row or pair at a time. Users set
 * their own thresholds with them, sort, draw curves, or combine models. Scores are linear in w.
 * They do not depend on the truth, because most data to predict have none.
 *
 * A larger score is better. If a row has several columns, the predicted label is the one with the
 * largest score. If a row has one column, or labels that are on or off, a score above 0 means yes.
 * If the output of a dataset is several lines of text, each line has one row, in the same order. */
#ifndef SCULPT_EXT_SCORES_H
#define SCULPT_EXT_SCORES_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_SCORES "sculpt.scores/1"

typedef struct sculpt_ext_scores {
  /* *columns = the number of scores in a row, at least 1, the same for all examples. There is one
   * for each label, or only one. [any], after seal */
  sculpt_status (*columns)(const void* self, int64_t* columns, sculpt_error*);
  /* Appends the name of a column in [0, columns): the name of a label. [any], after seal */
  sculpt_status (*column_name)(const void* self, int64_t column, sculpt_byte_buffer* out,
                               sculpt_error*);
  /* *rows = the number of rows of an example, >= 0; rows * columns is at most 2^31. [any], after
   * seal */
  sculpt_status (*rows)(const void* self, int64_t example, int64_t* rows, sculpt_error*);
  /* Sets all of scores[rows * columns], row by row. A score that is not finite counts as an
   * overflow, which ends the command. [any], after seal */
  sculpt_status (*scores)(const void* self, int64_t example, sculpt_weights w, double* scores,
                          sculpt_error*);
} sculpt_ext_scores;

#ifdef __cplusplus
}
#endif
#endif
