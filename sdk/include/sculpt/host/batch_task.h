/* sculpt/host/batch_task.h - structured losses for a network that gives weights to any task.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Read batch.h first. There a network gives the scores of a factor graph. Here it gives the weights
 * w of an experiment's features, for each example its own or for all the same:
 *
 *   score(y) = <w, psi(x_i, y)>
 *
 * Examples are the rules of a grammar, the energies of an RNA, or the costs of an alignment. The
 * dataset, the features, the loss Delta and the oracle are those of the experiment. Values and
 * gradients are as in batch.h, with psi(x_i, y) in place of z(y). */
#ifndef SCULPT_HOST_BATCH_TASK_H
#define SCULPT_HOST_BATCH_TASK_H
#include "batch.h"
#include "lent_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The components of an experiment with the examples of its split "train". Calls from several
 * threads take turns. A child process after fork() opens its own. */
typedef struct sculpt_batch_task sculpt_batch_task;

typedef struct sculpt_batch_task_options {
  uint32_t struct_size;
  int32_t threads;        /* 0: all cores */
  const char* experiment; /* JSON, as in a file. It may leave out "solver", which is not used */
  const char* folder;     /* of relative paths in the experiment; NULL: the working directory */
  /* Folders that are searched for plugins before those of the program; NULL: none. */
  const char* const* plugin_path; /* [plugin_path_count] */
  int64_t plugin_path_count;
  void (*log)(void* user, int32_t severity, const char* text); /* as of sculpt_batch_options */
  void* user;
  /* Arrays for the split "train": {"memory": "NAME"} of the experiment. Borrowed until the task is
   * freed. */
  const sculpt_lent_rows* lent; /* [lent_count] */
  int64_t lent_count;
} sculpt_batch_task_options;

/* Reads the data and binds the components. Fails as the program does, such as with
 * SCULPT_EXIT_CONFIG and "experiment:3:14: ...". A kernel is refused. */
SCULPT_API sculpt_exit sculpt_batch_task_open(const sculpt_batch_task_options*,
                                              sculpt_batch_task** out, sculpt_failure**);
SCULPT_API void sculpt_batch_task_free(sculpt_batch_task*);
SCULPT_API void sculpt_batch_task_stop(sculpt_batch_task*); /* as sculpt_batch_stop() [any] */

/* The number of examples, and of features. */
SCULPT_API int64_t sculpt_batch_task_examples(const sculpt_batch_task*);
SCULPT_API int64_t sculpt_batch_task_dimension(const sculpt_batch_task*);

/* What a call reads. */
typedef struct sculpt_batch_task_input {
  uint32_t struct_size;
  uint32_t reserved;
  const int64_t* examples; /* [example_count] from 0 to the number of examples - 1 */
  int64_t example_count;
  /* [example_count][dimension] The weights of each example, or [dimension] the same for all. They
   * are between -1e100 and 1e100, and not negative where the features demand it. */
  const double* weights;
  int64_t weights_size;          /* example_count * dimension, or dimension */
  const double* example_weights; /* [example_count] factors of the gradients; NULL: 1 each */
  uint64_t seed;                 /* for oracles that draw random numbers */
} sculpt_batch_task_input;

/* What a call writes. An array that is NULL is left out. The arrays are unspecified after a
 * failure. */
typedef struct sculpt_batch_task_output {
  uint32_t struct_size;
  uint32_t reserved;
  double* values;       /* [example_count] */
  double* gradient;     /* [weights_size]; summed over the examples if they share the weights */
  int32_t* exact;       /* [example_count] 1: the oracle proves the value, up to rounding */
  double* upper_bounds; /* [example_count] of the value; INFINITY if the oracle proves none */
} sculpt_batch_task_output;

/* A SCULPT_BATCH_* loss. Labels of a truth that are not known need an oracle that completes them,
 * and hinge or perceptron. Where the truth is no output of the oracle, a hinge is not below 0. */
SCULPT_API sculpt_exit sculpt_batch_task_loss(sculpt_batch_task*, int32_t loss,
                                              const sculpt_batch_task_input*,
                                              const sculpt_batch_task_output*, sculpt_failure**);
/* The best outputs. Their scores are the values. */
SCULPT_API sculpt_exit sculpt_batch_task_decode(sculpt_batch_task*, const sculpt_batch_task_input*,
                                                const sculpt_batch_task_output*, sculpt_failure**);
/* log Z as the values and E[psi] as the gradient. */
SCULPT_API sculpt_exit sculpt_batch_task_expectations(sculpt_batch_task*,
                                                      const sculpt_batch_task_input*,
                                                      const sculpt_batch_task_output*,
                                                      sculpt_failure**);
/* The outputs that attained the maximum in the last call, in the canonical form of the features
 * (data.h). Those of its example k are (*labels)[(*label_from)[k]] to
 * (*labels)[(*label_from)[k + 1] - 1]. They live until the next call. None after log-loss,
 * softmax-margin, expectations or a failure: *label_from is NULL. */
SCULPT_API void sculpt_batch_task_outputs(const sculpt_batch_task*, const int64_t** label_from,
                                          const int32_t** labels);

#ifdef __cplusplus
}
#endif
#endif
