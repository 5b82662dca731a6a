/* sculpt/kinds.h - what each kind of component computes.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A `session` is the result of open_session(), or `self` if the component has no open_session().
 * Components implement these tables; the host calls them. The tags [main], [worker] and [any] are
 * explained in plugin.h. */
#ifndef SCULPT_KINDS_H
#define SCULPT_KINDS_H
#include "plugin.h"
#ifdef __cplusplus
extern "C" {
#endif

/* The examples 0 .. count-1. The dataset keeps the inputs x_i to itself. Other components read them
 * through extensions (ext/sites.h), or directly if they are in the same library.
 *
 * Of these functions only load() is called before seal. So the memory of a dataset may move with
 * every load, for example in a growing array. From seal on it stays where it is: what truth() and
 * the extensions lend is valid until destroy. Examples keep their numbers. */
typedef struct sculpt_dataset_api {
  /* Appends a split. A dataset that divides one file itself makes the other splits from "train".
   * The split is called "predict" if a model predicts. */
  sculpt_status (*load)(void* self, const char* split, const sculpt_source*,
                        sculpt_error*); /* [main] */
  /* *out = the number of examples of all splits. */
  sculpt_status (*count)(const void* self, int64_t* out, sculpt_error*); /* [any] */
  /* The examples of a split are [*begin, *end). If the split is unknown, *begin == *end. */
  sculpt_status (*split)(const void* self, const char* name, int64_t* begin, int64_t* end,
                         sculpt_error*); /* [any] */
  /* *out = y_i, lent until destroy. data == NULL if the example is unlabelled. */
  sculpt_status (*truth)(const void* self, int64_t example, sculpt_labels* out,
                         sculpt_error*); /* [any] */
} sculpt_dataset_api;

/* The joint feature map psi(x, y) in R^dimension. It exists for every output of the oracle, and for
 * the truth of each training example: a plane is psi(truth) - psi(output). It also exists for a
 * truth that the oracle never finds, such as a tree that the grammar does not cover. A truth
 * without a psi is an error of the data. */
typedef struct sculpt_features_api {
  /* *out = the number of features, below 2^31. [any], after seal */
  sculpt_status (*dimension)(const void* self, int64_t* out, sculpt_error*);
  /* sum += scale * psi(x_example, y). */
  sculpt_status (*accumulate)(void* session, int64_t example, sculpt_labels y, double scale,
                              sculpt_accumulator* sum, sculpt_error*); /* [worker] */
} sculpt_features_api;

/* The loss: *out = Delta(truth, guess), finite and >= 0, with Delta(y, y) = 0. Truth and guess are
 * outputs; neither has data == NULL. */
typedef struct sculpt_loss_api {
  sculpt_status (*loss)(void* session, int64_t example, sculpt_labels truth, sculpt_labels guess,
                        double* out, sculpt_error*); /* [worker] */
} sculpt_loss_api;

/* The query of an oracle:
 *   argmax over y in Y_i of   <w, psi(x_i, y)> + loss_weight * Delta(truth, y)
 *   loss_weight 0   the score alone
 *   loss_weight 1   the most violated output under margin rescaling
 *   others > 0      the search for slack rescaling and norm 2
 *
 * truth.data == NULL: there is no truth (prediction), and loss_weight is 0. The reverse is not
 * true: a query may have a truth and loss_weight 0. Such a query asks for scores over the set Y_i
 * of this truth. Examples are log Z, the best completion of a partial truth, and a homolog against
 * decoys. So read the truth to learn whether there is one. Read loss_weight to learn whether Delta
 * counts. */
typedef struct sculpt_query {
  uint32_t struct_size;
  uint32_t reserved;
  int64_t example;
  uint64_t seed; /* depends on (run, pass, example), never on the thread */
  sculpt_weights weights;
  sculpt_labels truth; /* data == NULL: none */
  double loss_weight;  /* >= 0 */
} sculpt_query;

/* The flags of an answer. */
enum {
  SCULPT_ANSWER_EXACT = 1,     /* `value` is the maximum */
  SCULPT_ANSWER_BOUND = 2,     /* `bound` >= the maximum; without this flag `bound` is not read */
  SCULPT_ANSWER_NO_OUTPUT = 4, /* Y_i is empty; labels, value and bound are not read */
  SCULPT_ANSWER_TRUTH_OUTSIDE = 8 /* the truth is not in Y_i; its own value may exceed `value` */
};
/* Filled by an oracle or a map_solver. The caller sets struct_size and lends `labels`. */
typedef struct sculpt_answer {
  uint32_t struct_size;
  uint32_t flags;             /* SCULPT_ANSWER_*; 0 promises nothing */
  sculpt_label_buffer labels; /* the output found */
  double value;               /* <w, psi> + loss_weight * Delta of this output */
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
