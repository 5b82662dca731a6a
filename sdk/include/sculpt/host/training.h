/* sculpt/host/training.h - trains a model from an experiment.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Read api.h and session.h first. */
#ifndef SCULPT_HOST_TRAINING_H
#define SCULPT_HOST_TRAINING_H
#include "lent_rows.h"
#include "model.h"
#include "session.h"
#ifdef __cplusplus
extern "C" {
#endif

/* The report of one pass over the examples. Numbers that are not known are NaN. */
typedef struct sculpt_pass {
  uint32_t struct_size; /* set by the host */
  int32_t is_certified; /* 1: `primal` is an upper bound of the objective at the best w */
  int64_t pass;         /* 1, 2, ... */
  int64_t oracle_calls; /* so far */
  double primal;        /* the best so far */
  double dual;          /* no w has a smaller objective */
  double gap;           /* primal - dual */
  double relative_gap;  /* gap / |primal| */
  double seconds;       /* so far */
} sculpt_pass;

/* What to do if there is a run in the folder already. */
enum { SCULPT_RUN_REFUSE = 0, SCULPT_RUN_REPLACE = 1, SCULPT_RUN_RESUME = 2 };

typedef struct sculpt_training_options {
  uint32_t struct_size;
  int32_t existing;       /* SCULPT_RUN_*; needs `output` */
  const char* path;       /* the experiment file, or NULL */
  const char* json;       /* the experiment as text, if path == NULL */
  const char* folder;     /* base of relative paths in `json`; NULL: the working folder */
  const char* const* set; /* [set_count] changes as of --set: "solver.C=10" */
  int64_t set_count;
  /* The run folder: config, events, checkpoints and the model, as the program leaves them. NULL:
   * the run leaves nothing but the model that the call returns. */
  const char* output;
  int32_t is_guarded; /* 1: check plugins more strictly, as --guard does */
  int32_t reserved;   /* 0 */
  /* Called after each pass, on the thread of the caller; may be NULL. To end the run it calls
   * sculpt_session_stop(). */
  void (*pass_done)(void* user, const sculpt_pass*);
  void* user;
  /* Arrays for splits {"memory": "NAME"} of the experiment. Borrowed during the call. */
  const sculpt_lent_rows* lent; /* [lent_count] */
  int64_t lent_count;
} sculpt_training_options;

/* Trains. Returns SCULPT_EXIT_REACHED or SCULPT_EXIT_NOT_REACHED with a new *model. `model` may be
 * NULL if there is an output folder. */
SCULPT_API sculpt_exit sculpt_train(sculpt_session*, const sculpt_training_options*,
                                    sculpt_model** model, sculpt_failure** failure);

#ifdef __cplusplus
}
#endif
#endif
