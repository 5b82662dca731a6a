/* sculpt/host/batch.h - structured losses for a network: values, gradients, outputs, marginals.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A network gives scores to the labels of each example. Any map_solver finds best outputs or sums
 * over all outputs, for many examples at once on several threads. Handles, failures and records:
 * host/api.h.
 *
 *   score(y) = sum over variables v of unary_v[y_v] + sum over factors f of table_f[y of its scope]
 *
 * The scores of a batch are three arrays. Examples follow each other without padding:
 *
 *   unary    for each variable of each example its states
 *   tables   for each factor with a table of its own this table, row-major over the scope: the last
 *            variable varies fastest
 *   shared   tables that factors of all examples use, one after the other
 *
 *   int64_t lengths[2] = {24, 17};                  two sequences with 22 labels:
 *   sculpt_batch_chains(2, lengths, 22, SCULPT_BATCH_SHARED_TABLE, &graphs, &failure);
 *   input.unary = emissions;                        [24 + 17][22]
 *   input.shared = transitions;                     [22][22] from the row's to the column's label
 *   input.truths = labels;                          [24 + 17]
 *   sculpt_batch_loss(batch, graphs, SCULPT_BATCH_LOG_LOSS, &input, &output, &failure);
 *
 * The value of an example with the truth t:
 *
 *   hinge            max(0, max over y of score(y) + Delta(t, y), minus score(t))
 *   perceptron       the same with Delta = 0
 *   log-loss         log sum over y of exp(score(y)), minus score(t)
 *   softmax-margin   log sum over y of exp(score(y) + Delta(t, y)), minus score(t)
 *   best             max over y of score(y)
 *   log Z            log sum over y of exp(score(y))
 *
 *   Delta(t, y) = sum over v of variable_weights[v] * costs[t_v][y_v],  the default is the number
 *                 of labels that differ
 *
 * With z(y) the indicator of the cells that y uses, the gradient of best is z(y*), that of log Z is
 * E[z], the marginals. A loss subtracts z(t). An approximate map_solver may find no output that
 * reaches the truth. Then hinge and perceptron are 0, with the gradient 0.
 *
 * A label -1 of a truth is not known, as for latent variables. Then score(t) is that of the best
 * output that agrees with t. For the last two losses it is log sum exp over these outputs. Delta
 * counts the known labels alone.
 *
 * Results do not depend on the number of threads, to the last bit. */
#ifndef SCULPT_HOST_BATCH_H
#define SCULPT_HOST_BATCH_H
#include "api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A map_solver with its threads. Calls from several threads take turns. A child process after
 * fork() cannot use it, and opens its own. */
typedef struct sculpt_batch sculpt_batch;

typedef struct sculpt_batch_options {
  uint32_t struct_size;
  int32_t threads;        /* 0: all cores */
  const char* map_solver; /* "viterbi", "org.sculpt.viterbi" or "folder/file.so#viterbi" */
  const char* parameters; /* a JSON object; NULL: all have their defaults */
  /* Folders that are searched for plugins before those of the program; NULL: none. */
  const char* const* plugin_path; /* [plugin_path_count] */
  int64_t plugin_path_count;
  /* Receives warnings of plugins and of their search, severity SCULPT_LOG_* (ext/host.h). One call
   * at a time, on any thread. It must not call the batch, except for stop. NULL: they are dropped.
   */
  void (*log)(void* user, int32_t severity, const char* text);
  void* user;
} sculpt_batch_options;

/* Finds and creates the map_solver. Fails with SCULPT_EXIT_CONFIG if no map_solver has this name or
 * a parameter is wrong, with SCULPT_EXIT_PLUGIN if its library cannot be used. */
SCULPT_API sculpt_exit sculpt_batch_open(const sculpt_batch_options*, sculpt_batch** out,
                                         sculpt_failure**);
SCULPT_API void sculpt_batch_free(sculpt_batch*);
/* The running call fails soon with SCULPT_EXIT_INTERRUPTED. The request ends with the call. Without
 * a call it stops the next one. May be called in a signal handler. [any] */
SCULPT_API void sculpt_batch_stop(sculpt_batch*);

/* The factor graphs of the examples of a batch. They may serve many calls and batches, and several
 * threads at once. */
typedef struct sculpt_batch_graphs sculpt_batch_graphs;

/* Which tables the pairs of neighbours of a chain have. */
enum {
  SCULPT_BATCH_SHARED_TABLE = 0, /* all pairs of all chains the same, in `shared` */
  SCULPT_BATCH_OWN_TABLES = 1    /* each pair its own, in `tables` */
};
/* Sequences. lengths[example_count] may be 0; label_count >= 1. */
SCULPT_API sculpt_exit sculpt_batch_chains(int64_t example_count, const int64_t* lengths,
                                           int32_t label_count, int32_t tables,
                                           sculpt_batch_graphs** out, sculpt_failure**);

/* Any graphs. Offsets begin with 0 and never fall. The arrays are read during the call only. */
typedef struct sculpt_batch_graph_arrays {
  uint32_t struct_size;
  int32_t state_count; /* of every variable, if `states` is NULL */
  int64_t example_count;
  const int64_t* variable_from; /* [example_count + 1] the first variable of each example */
  const int32_t* states;        /* [variables] at least 1 each; or NULL */
  const int64_t* factor_from;   /* [example_count + 1] the first factor; NULL: no factors */
  const int64_t* scope_from;    /* [factors + 1] begins of scopes; NULL: each factor is a pair */
  /* [scopes] The variables of the factors, counted from 0 in each example. A scope has one or more
   * variables, each once. */
  const int32_t* scope;
  /* [factors] The shared table that the factor uses, -1: it has its own. NULL: all have their own
   * if shared_count is 0, all use the shared table 0 if it is 1. */
  const int32_t* shared_table;
  int64_t shared_count;        /* shared tables */
  const int64_t* shared_sizes; /* [shared_count] cells of each */
} sculpt_batch_graph_arrays;
SCULPT_API sculpt_exit sculpt_batch_graphs_open(const sculpt_batch_graph_arrays*,
                                                sculpt_batch_graphs** out, sculpt_failure**);
SCULPT_API void sculpt_batch_graphs_free(sculpt_batch_graphs*);

/* Sizes and offsets of the arrays of a batch. The caller sets struct_size. The offsets live as long
 * as the graphs. */
typedef struct sculpt_batch_layout {
  uint32_t struct_size;
  uint32_t reserved;
  int64_t example_count;
  int64_t variable_count;       /* of all examples, as the next two */
  int64_t unary_size;           /* cells of `unary` */
  int64_t tables_size;          /* cells of `tables` */
  int64_t shared_size;          /* cells of `shared` */
  const int64_t* variable_from; /* [example_count + 1] */
  const int64_t* unary_from;    /* [example_count + 1] */
  const int64_t* tables_from;   /* [example_count + 1] */
} sculpt_batch_layout;
SCULPT_API sculpt_exit sculpt_batch_graphs_layout(const sculpt_batch_graphs*, sculpt_batch_layout*,
                                                  sculpt_failure**);

/* What a call reads. The sizes must be those of the layout. All scores must be between -1e100 and
 * 1e100: forbid a label by a score such as -1e4. */
typedef struct sculpt_batch_input {
  uint32_t struct_size;
  int32_t cost_count;   /* labels of `costs` */
  const double* unary;  /* [unary_size] */
  const double* tables; /* [tables_size] */
  const double* shared; /* [shared_size] */
  int64_t unary_size;   /* cells of unary, tables, shared */
  int64_t tables_size;
  int64_t shared_size;
  const int32_t* truths;          /* [truth_size] labels, -1: not known; for losses only */
  int64_t truth_size;             /* variables */
  const double* variable_weights; /* [variables] finite, >= 0. NULL: 1 each. */
  /* [cost_count][cost_count] From the true label to the other one: finite, >= 0, 0 on the diagonal.
   * cost_count is at least the number of states of every variable. NULL: 1 beside the diagonal. */
  const double* costs;
  /* [example_count] Factors of the gradients, such as what the next layer gives. Values are without
   * them. NULL: 1 each. */
  const double* example_weights;
  uint64_t seed; /* for map_solvers that draw random numbers */
} sculpt_batch_input;

/* What a call writes, not adds to. An array that is NULL is left out. The arrays are unspecified
 * after a failure. A gradient may be written over the scores. */
typedef struct sculpt_batch_output {
  uint32_t struct_size;
  uint32_t reserved;
  double* values;       /* [example_count] see the top */
  double* unary;        /* [unary_size] the gradients of the values */
  double* tables;       /* [tables_size] */
  double* shared;       /* [shared_size] summed over the examples */
  int32_t* outputs;     /* [variables] the output y that attains the maximum; see below */
  int32_t* exact;       /* [example_count] 1: the map_solver proves the value, up to rounding */
  double* upper_bounds; /* [example_count] of the value; INFINITY if the map_solver proves none */
} sculpt_batch_output;

/* The losses. */
enum {
  SCULPT_BATCH_HINGE = 0,
  SCULPT_BATCH_PERCEPTRON = 1,
  SCULPT_BATCH_LOG_LOSS = 2, /* this and the next need a map_solver with marginals */
  SCULPT_BATCH_SOFTMAX_MARGIN = 3
};
/* Values and gradients of a loss. `outputs` attain the maximum of the score, with Delta for hinge
 * and softmax-margin. For the last two losses they cost a search besides the sums. */
SCULPT_API sculpt_exit sculpt_batch_loss(sculpt_batch*, const sculpt_batch_graphs*, int32_t loss,
                                         const sculpt_batch_input*, const sculpt_batch_output*,
                                         sculpt_failure**);
/* The best outputs. Their scores are the values. With truths, outputs agree with the known labels.
 */
SCULPT_API sculpt_exit sculpt_batch_decode(sculpt_batch*, const sculpt_batch_graphs*,
                                           const sculpt_batch_input*, const sculpt_batch_output*,
                                           sculpt_failure**);
/* log Z as the values and marginals as the gradients; `shared` has expected counts. `outputs` are
 * the best ones. With truths, the sums are over the outputs that agree with the known labels. */
SCULPT_API sculpt_exit sculpt_batch_marginals(sculpt_batch*, const sculpt_batch_graphs*,
                                              const sculpt_batch_input*, const sculpt_batch_output*,
                                              sculpt_failure**);

#ifdef __cplusplus
}
#endif
#endif
