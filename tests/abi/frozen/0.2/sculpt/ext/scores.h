/* sculpt/ext/scores.h - the decision values behind the outputs, for `sculpt predict
 * --scores`.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by features if their outputs are decided one label, row or pair at a time. Users set
 * their own thresholds with them, sort, draw curves, or combine models. Scores are linear in w.
 * They do not depend on the truth, because most data to predict have none.
 *
 * A larger score is better. `rule` says how the scores decide the output that the oracle finds
 * without a truth. Where scores tie, or a score is 0, both outputs are right.
 *
 * Whatever the rule, the scores hold all that w says about the outputs of an example. So a change
 * of w that changes none of its scores changes no difference <w, psi(x, y)> - <w, psi(x, y')>.
 *
 * If the output of a dataset is several lines of text, each line has one row, in the same order. */
#ifndef SCULPT_EXT_SCORES_H
#define SCULPT_EXT_SCORES_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_SCORES "sculpt.scores/1"

/* How scores decide an output. */
enum {
  /* One label for each row: the column with the largest score, counted from 0. The name of a column
   * is the text of its label. */
  SCULPT_SCORES_LARGEST = 1,
  /* One label for each score, row by row: 1 if the score is above 0, 0 if it is below. Outputs that
   * also order their rows use larger labels: odd if the score is above 0, even if it is below. */
  SCULPT_SCORES_SIGN = 2,
  /* One column, and one label for each row. A row with a larger score has a larger label. */
  SCULPT_SCORES_ORDER = 3,
  /* The output is decided as a whole. No single score decides a part of it. Above 0 the weights
   * favour what the score is about. */
  SCULPT_SCORES_WHOLE = 4
};

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
  /* *rule = SCULPT_SCORES_*, the same for all examples. [any], after seal */
  sculpt_status (*rule)(const void* self, uint32_t* rule, sculpt_error*);
} sculpt_ext_scores;

#ifdef __cplusplus
}
#endif
#endif
