/* sculpt/host/examples.h - what a model says about examples: outputs, scores, probabilities,
 * metrics.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Read api.h, session.h and model.h first. */
#ifndef SCULPT_HOST_EXAMPLES_H
#define SCULPT_HOST_EXAMPLES_H
#include "../ext/draft/memory_source.h"
#include "model.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Examples that were read for a model. They keep the session and the model that they came from. */
typedef struct sculpt_examples sculpt_examples;

/* Where examples come from: a file, text in its format, or arrays. */
typedef struct sculpt_examples_source {
  uint32_t struct_size;
  int32_t reserved; /* 0 */
  const char* path; /* a file; for text and arrays a name in messages, or NULL */
  const char* text; /* [text_size], copied; NULL: the file is read */
  int64_t text_size;
  const char* const* set; /* [set_count] changes as of predict --set: "dataset.first_index=0" */
  int64_t set_count;
  /* Arrays in place of a file or text; NULL: none. Borrowed until the examples are freed. */
  const struct sculpt_memory_rows* rows;
} sculpt_examples_source;

SCULPT_API sculpt_exit sculpt_examples_read(sculpt_session*, const sculpt_model*,
                                            const sculpt_examples_source*, sculpt_examples**,
                                            sculpt_failure** failure);
SCULPT_API int64_t sculpt_examples_count(const sculpt_examples*);
SCULPT_API void sculpt_examples_free(sculpt_examples*);

/* Outputs of examples. Those of example i are [first_output[i], first_output[i + 1]): none if it
 * has no output. The labels of output k are label[first_label[k]] to label[first_label[k + 1] - 1],
 * in the canonical form of the features (data.h). */
typedef struct sculpt_outputs {
  uint32_t struct_size;
  int32_t reserved;
  int64_t example_count;
  const int64_t* first_output; /* [example_count + 1] */
  const int64_t* first_label;  /* [first_output[example_count] + 1] */
  const int32_t* label;        /* [first_label[first_output[example_count]]] */
  const double* score;         /* [outputs] <w, psi(x, y)>; NULL if not asked for */
  const double* probability;   /* [outputs]; NULL: the model has no probabilities */
  const char* const* text;     /* [outputs] in the format of the dataset; NULL if not asked for */
} sculpt_outputs;

/* Numbers of rows of examples: the scores or the probabilities of labels. The rows of example i are
 * [first_row[i], first_row[i + 1]), and the numbers of row r are value[first_value[r]] to
 * value[first_value[r + 1] - 1]. */
typedef struct sculpt_rows {
  uint32_t struct_size;
  int32_t reserved;
  int64_t example_count;
  const int64_t* first_row;   /* [example_count + 1] */
  const int64_t* first_value; /* [first_row[example_count] + 1] */
  const double* value;        /* [first_value[first_row[example_count]]] */
} sculpt_rows;

/* How outputs are chosen. */
enum {
  SCULPT_BEST = 0,          /* the output of the largest score */
  SCULPT_BEST_MARGINALS = 1 /* the most probable label of each position */
};

typedef struct sculpt_predict_options {
  uint32_t struct_size;
  int32_t choice;      /* SCULPT_BEST or SCULPT_BEST_MARGINALS */
  int32_t keeps_given; /* 1: keep the labels that the examples have */
  int32_t has_text;    /* 1: fill sculpt_outputs.text */
} sculpt_predict_options;

/* Set struct_size of the records that a call fills, too. What these calls fill lives until the next
 * call with the same examples, or until they are freed. `options` may be NULL. */
SCULPT_API sculpt_exit sculpt_predict(sculpt_examples*, const sculpt_predict_options* options,
                                      sculpt_outputs* outputs, sculpt_failure** failure);
/* The `count` best outputs of each example, or all if there are fewer. Fills `score`. */
SCULPT_API sculpt_exit sculpt_predict_best(sculpt_examples*, int64_t count,
                                           const sculpt_predict_options* options,
                                           sculpt_outputs* outputs, sculpt_failure** failure);
/* `count` random outputs of each example, drawn by their probability. Fills `score`. */
SCULPT_API sculpt_exit sculpt_predict_sample(sculpt_examples*, int64_t count, uint64_t seed,
                                             const sculpt_predict_options* options,
                                             sculpt_outputs* outputs, sculpt_failure** failure);
/* The scores that outputs are chosen by, as predict --scores prints them. */
SCULPT_API sculpt_exit sculpt_predict_scores(sculpt_examples*, sculpt_rows* rows,
                                             sculpt_failure** failure);
/* The probability of each label, one row for each position. */
SCULPT_API sculpt_exit sculpt_predict_marginals(sculpt_examples*, sculpt_rows* rows,
                                                sculpt_failure** failure);
/* The metrics of the model on the examples, as JSON: what evaluate --json prints. */
SCULPT_API sculpt_exit sculpt_evaluate(sculpt_examples*, const sculpt_predict_options* options,
                                       const char** json, sculpt_failure** failure);

#ifdef __cplusplus
}
#endif
#endif
