/* sculpt/kinds.h - what each kind of component computes.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Functions that take `session` get what open_session() made, or `self` where there is none.     */
#ifndef SCULPT_KINDS_H
#define SCULPT_KINDS_H
#include "plugin.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Examples 0 .. count-1. The inputs x_i stay inside; other components see them through extensions
 * (ext/sites.h) or by being of the same library. */
typedef struct sculpt_dataset_api {
  /* Appends a split. A dataset that divides one file itself makes further splits out of "train". On
   * a prediction from a model the split is "predict". */
  sculpt_status (*load)(void* self, const char* split, const sculpt_source*,
                        sculpt_error*);                                  /* [main] */
  sculpt_status (*count)(const void* self, int64_t* out, sculpt_error*); /* [any] */
  /* The examples of a split are [begin, end); of an unknown split begin == end. */
  sculpt_status (*split)(const void* self, const char* name, int64_t* begin, int64_t* end,
                         sculpt_error*); /* [any] */
  /* y_i, lent; data == NULL when the example is unlabelled. */
  sculpt_status (*truth)(const void* self, int64_t example, sculpt_labels* out,
                         sculpt_error*); /* [any] */
} sculpt_dataset_api;

/* The joint feature map psi(x, y) in R^dimension. */
typedef struct sculpt_features_api {
  /* Below 2^31. [any], after seal */
  sculpt_status (*dimension)(const void* self, int64_t* out, sculpt_error*);
  /* sum += scale * psi(x_example, y) */
  sculpt_status (*accumulate)(void* session, int64_t example, sculpt_labels y, double scale,
                              sculpt_accumulator* sum, sculpt_error*); /* [worker] */
} sculpt_features_api;

/* Delta(truth, guess) >= 0, finite, and Delta(y, y) = 0. Both are outputs, never NULL. */
typedef struct sculpt_loss_api {
  sculpt_status (*loss)(void* session, int64_t example, sculpt_labels truth, sculpt_labels guess,
                        double* out, sculpt_error*); /* [worker] */
} sculpt_loss_api;

/* argmax over y in Y_i of   <w, psi(x_i, y)> + loss_weight * Delta(truth, y)
 *   loss_weight 0   the score alone
 *   loss_weight 1   separation under margin rescaling
 *   others > 0      the search for slack rescaling and norm 2
 *
 * truth.data == NULL: there is no truth (prediction); loss_weight then is 0. The reverse does not
 * hold: with a truth and loss_weight 0 the question is about the scores of the outputs Y_i of this
 * truth (log Z, the best completion of a partial truth, homolog against decoys). So look at the
 * truth to learn whether there is one, and at loss_weight to learn whether Delta counts.        */
typedef struct sculpt_query {
  uint32_t struct_size;
  uint32_t reserved;
  int64_t example;
  uint64_t seed; /* of (run, pass, example), never of the thread */
  sculpt_weights weights;
  sculpt_labels truth; /* data == NULL: none */
  double loss_weight;  /* >= 0 */
} sculpt_query;

/* flags of an answer */
enum {
  SCULPT_ANSWER_EXACT = 1,        /* value is the maximum */
  SCULPT_ANSWER_BOUND = 2,        /* bound >= the maximum; else `bound` is not read */
  SCULPT_ANSWER_NO_OUTPUT = 4,    /* Y_i is empty; labels, value and bound are not read */
  SCULPT_ANSWER_TRUTH_OUTSIDE = 8 /* the truth is not in Y_i: the value may lie below its own */
};
typedef struct sculpt_answer {
  uint32_t struct_size;
  uint32_t flags;             /* SCULPT_ANSWER_*; 0 promises nothing */
  sculpt_label_buffer labels; /* the output found */
  double value;               /* <w, psi> + loss_weight * Delta of that output */
  double bound;
} sculpt_answer;

typedef struct sculpt_oracle_api {
  sculpt_status (*argmax)(void* session, const sculpt_query*, sculpt_answer*,
                          sculpt_error*); /* [worker] */
} sculpt_oracle_api;

#ifdef __cplusplus
}
#endif
#endif
