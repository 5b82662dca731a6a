/* sculpt/ext/factor_graph.h - lets any map_solver serve any feature map and any additive loss.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   score(y) = sum over factors f of theta[table[f] + offset_f(y)]
 *
 * The label array of an example is exactly the assignment y: y[v] in [0, states[v]). Factor v <
 * variable_count is the unary factor of variable v and its table is not shared; later factors may
 * share tables. offset_f is row-major over the scope: its last variable varies fastest. No scope
 * names a variable twice.
 *
 * theta = A_x w is linear in w, and `pullback` is the adjoint: <A_x w, mu> = <w, A_x^T mu>. So
 * psi(x, y) is the pullback of the indicator of y (1 in a cell for each factor that uses it), and
 * marginals, beliefs and relaxed solutions come back to R^d the same way. */
#ifndef SCULPT_EXT_FACTOR_GRAPH_H
#define SCULPT_EXT_FACTOR_GRAPH_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_FACTOR_GRAPH "sculpt.factor-graph/1"
#define SCULPT_EXT_FACTOR_LOSS "sculpt.factor-loss/1"

/* classes of graphs: promised by a graph, demanded by a map_solver or a loss */
enum {
  SCULPT_GRAPH_PAIRWISE = 1, /* no scope larger than 2 */
  SCULPT_GRAPH_FOREST = 2,   /* no cycles; two factors over one pair are one */
  /* pairs join v and v + 1 only, in this order, at most one each; promise FOREST, PAIRWISE too */
  SCULPT_GRAPH_CHAIN = 4,
  SCULPT_GRAPH_BINARY = 8,      /* two states everywhere */
  SCULPT_GRAPH_ATTRACTIVE = 16, /* pair tables reward agreement for every w in the weight bounds */
  SCULPT_GRAPH_SINGLE = 32,     /* one variable */
  /* Beyond the unary factors every scope is v, v + 1 or v, v + 1, v + 2, in this order, and no two
   * are the same. A CHAIN graph is one too: it may promise both, and the host takes CHAIN where
   * ORDER_TWO is demanded. With scopes of three it is neither PAIRWISE nor FOREST. */
  SCULPT_GRAPH_ORDER_TWO = 64
};

typedef struct sculpt_factor_graph {
  uint32_t struct_size;
  uint32_t classes; /* SCULPT_GRAPH_* */
  /* Equal ids (not 0) imply equal graphs within one component: a solver may keep its plan, and the
   * host checks a graph once for each of its threads. */
  uint64_t topology;
  int64_t variable_count;
  int64_t factor_count; /* >= variable_count */
  int64_t theta_size;
  const int32_t* states;     /* [variable_count] */
  const int64_t* scope_from; /* [factor_count + 1] */
  const int32_t* scope;      /* [scope_from[factor_count]] variables */
  const int64_t* table;      /* [factor_count] offsets into theta */
} sculpt_factor_graph;

/* Offered by features. The graph is lent until the next graph() on the session. */
typedef struct sculpt_ext_factor_graph {
  /* Classes that the graphs of all examples have. [any], after seal */
  sculpt_status (*classes)(const void* self, uint32_t* out, sculpt_error*);
  sculpt_status (*graph)(void* session, int64_t example, const sculpt_factor_graph** out,
                         sculpt_error*); /* [worker] */
  /* theta[theta_size] = A_x w */
  sculpt_status (*potentials)(void* session, int64_t example, sculpt_weights w, double* theta,
                              sculpt_error*); /* [worker] */
  /* sum += scale * A_x^T mu, mu[theta_size] */
  sculpt_status (*pullback)(void* session, int64_t example, const double* mu, double scale,
                            sculpt_accumulator* sum, sculpt_error*); /* [worker] */
} sculpt_ext_factor_graph;

/* Offered by losses that split over factors: theta += scale * l and *constant += scale * c with
 * Delta(truth, y) = c + sum over factors of l. */
typedef struct sculpt_ext_factor_loss {
  /* Classes of graphs it needs. [any] */
  sculpt_status (*demands)(const void* self, uint32_t* out, sculpt_error*);
  sculpt_status (*add)(void* session, int64_t example, const sculpt_factor_graph*,
                       sculpt_labels truth, double scale, double* theta, double* constant,
                       sculpt_error*); /* [worker] */
} sculpt_ext_factor_loss;

typedef struct sculpt_map_query {
  uint32_t struct_size;
  uint32_t reserved;
  const sculpt_factor_graph* graph;
  const double* theta; /* [graph->theta_size] */
  uint64_t seed;       /* as in sculpt_query */
} sculpt_map_query;

/* The api of SCULPT_KIND_MAP_SOLVER. */
typedef struct sculpt_map_solver_api {
  /* Classes of graphs it needs, all of them. One that also takes graphs without them says so by
   * ext/draft/map_demands.h. [any] */
  sculpt_status (*demands)(const void* self, uint32_t* out, sculpt_error*);
  sculpt_status (*solve)(void* session, const sculpt_map_query*, sculpt_answer*,
                         sculpt_error*); /* [worker] */
} sculpt_map_solver_api;

#ifdef __cplusplus
}
#endif
#endif
