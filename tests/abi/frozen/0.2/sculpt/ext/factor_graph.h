/* sculpt/ext/factor_graph.h - lets any map_solver serve any feature map and any additive loss.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   score(y) = sum over factors f of theta[table[f] + offset_f(y)]
 *
 * The label array of an example is exactly the assignment y: y[v] in [0, states[v]). Factor v <
 * variable_count is the unary factor of variable v, and its table is not shared. Later factors may
 * share tables. offset_f is row-major over the scope: its last variable varies fastest. No scope
 * contains a variable twice.
 *
 * theta = A_x w is linear in w, and `pullback` is the adjoint: <A_x w, mu> = <w, A_x^T mu>. So
 * psi(x, y) is the pullback of the indicator z(y): in each cell, the number of factors that use it.
 * Marginals, beliefs and relaxed solutions come back to R^d the same way.
 *
 * Words: `demands` are the classes of graphs that a component requires. `table[f]` is where the
 * table of factor f begins in theta. `topology` is a number that equal graphs share. */
#ifndef SCULPT_EXT_FACTOR_GRAPH_H
#define SCULPT_EXT_FACTOR_GRAPH_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_FACTOR_GRAPH "sculpt.factor-graph/1"
#define SCULPT_EXT_FACTOR_LOSS "sculpt.factor-loss/1"

/* The classes of graphs, combined by |. A graph promises classes; a map_solver or a loss requires
 * them. */
enum {
  SCULPT_GRAPH_PAIRWISE = 1, /* no scope larger than 2 */
  SCULPT_GRAPH_FOREST = 2,   /* no cycles; two factors over one pair are a cycle */
  /* Pairs join only v and v + 1, in this order, at most one factor each. Such a graph also promises
   * FOREST and PAIRWISE. */
  SCULPT_GRAPH_CHAIN = 4,
  SCULPT_GRAPH_BINARY = 8,      /* every variable has two states */
  SCULPT_GRAPH_ATTRACTIVE = 16, /* pair tables reward agreement for every w in the weight bounds */
  SCULPT_GRAPH_SINGLE = 32,     /* one variable */
  /* Except for the unary factors, every scope is (v, v + 1) or (v, v + 1, v + 2), in this order. No
   * two scopes are the same. A CHAIN graph is also ORDER_TWO: it may promise both, and the host
   * accepts CHAIN where ORDER_TWO is required. A graph with scopes of three is neither PAIRWISE nor
   * FOREST. */
  SCULPT_GRAPH_ORDER_TWO = 64
};

/* The graph of one example. The scope of a factor is the list of its variables. */
typedef struct sculpt_factor_graph {
  uint32_t struct_size;
  uint32_t classes; /* SCULPT_GRAPH_* */
  /* An id of the graph. Within one component, equal ids other than 0 mean equal graphs. So a solver
   * may keep what it computed from the graph. The host checks a graph once per id and thread. */
  uint64_t topology;
  int64_t variable_count;
  int64_t factor_count; /* >= variable_count */
  int64_t theta_size;
  const int32_t* states;     /* [variable_count] */
  const int64_t* scope_from; /* [factor_count + 1] where each scope begins */
  const int32_t* scope;      /* [scope_from[factor_count]] variables */
  const int64_t* table;      /* [factor_count] where each table begins in theta */
} sculpt_factor_graph;

/* Offered by features. The graph is lent until the next graph() on the same session. */
typedef struct sculpt_ext_factor_graph {
  /* *out = the classes that the graphs of all examples have. [any], after seal */
  sculpt_status (*classes)(const void* self, uint32_t* out, sculpt_error*);
  /* *out = the graph of the example. */
  sculpt_status (*graph)(void* session, int64_t example, const sculpt_factor_graph** out,
                         sculpt_error*); /* [worker] */
  /* theta[theta_size] = A_x w. */
  sculpt_status (*potentials)(void* session, int64_t example, sculpt_weights w, double* theta,
                              sculpt_error*); /* [worker] */
  /* sum += scale * A_x^T mu, for mu[theta_size]. */
  sculpt_status (*pullback)(void* session, int64_t example, const double* mu, double scale,
                            sculpt_accumulator* sum, sculpt_error*); /* [worker] */
} sculpt_ext_factor_graph;

/* Offered by losses that split over factors: Delta(truth, y) = c + sum over factors f of l[table[f]
 * + offset_f(y)], with l[theta_size] and a constant c. */
typedef struct sculpt_ext_factor_loss {
  /* *out = the classes of graphs that it requires, SCULPT_GRAPH_*. [any] */
  sculpt_status (*demands)(const void* self, uint32_t* out, sculpt_error*);
  /* theta[theta_size] += scale * l and *constant += scale * c. */
  sculpt_status (*add)(void* session, int64_t example, const sculpt_factor_graph*,
                       sculpt_labels truth, double scale, double* theta, double* constant,
                       sculpt_error*); /* [worker] */
} sculpt_ext_factor_loss;

/* The query of a map_solver: argmax over y of the score above. theta includes the loss, if any. */
typedef struct sculpt_map_query {
  uint32_t struct_size;
  uint32_t reserved;
  const sculpt_factor_graph* graph;
  const double* theta; /* [graph->theta_size] */
  uint64_t seed;       /* as in sculpt_query */
} sculpt_map_query;

/* The api of SCULPT_KIND_MAP_SOLVER. */
typedef struct sculpt_map_solver_api {
  /* *out = the sets of classes[*count] that it requires, each a set of SCULPT_GRAPH_*, lent until
   * destroy. *count is at least 1. It accepts a graph that has all classes of at least one set:
   *   viterbi: FOREST and PAIRWISE, or ORDER_TWO
   * The set 0 accepts every graph. [any] */
  sculpt_status (*demands)(const void* self, const uint32_t** out, int64_t* count, sculpt_error*);
  /* Fills the answer: labels[variable_count], and value = score(y) under theta. */
  sculpt_status (*solve)(void* session, const sculpt_map_query*, sculpt_answer*,
                         sculpt_error*); /* [worker] */
  /* *out = the classes that the solver's frontier (ext/frontier.h) requires in addition, or 0. The
   * host still lets it solve a graph without them, but asks for no frontier. NULL: 0. [any] */
  sculpt_status (*frontier_demands)(const void* self, uint32_t* out, sculpt_error*);
} sculpt_map_solver_api;

#ifdef __cplusplus
}
#endif
#endif
