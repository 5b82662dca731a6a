/* sculpt/ext/draft/map_demands.h - the classes of graphs that a map_solver takes, where one set of
 * classes does not say it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A graph is taken when it has all classes of one alternative at least:
 *   viterbi: FOREST and PAIRWISE, or ORDER_TWO
 * `demands` of the map_solver's api gives the first alternative. A host that does not know this
 * extension therefore asks about graphs of that one alone. */
#ifndef SCULPT_EXT_DRAFT_MAP_DEMANDS_H
#define SCULPT_EXT_DRAFT_MAP_DEMANDS_H
#include "../factor_graph.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_MAP_DEMANDS "sculpt.map-demands/0"

/* Offered by map_solvers. */
typedef struct sculpt_ext_map_demands {
  /* *out = alternatives [*count], each a set of SCULPT_GRAPH_*; lent until destroy. The count is at
   * least 1. [any] */
  sculpt_status (*alternatives)(const void* self, const uint32_t** out, int64_t* count,
                                sculpt_error*);
  /* Classes that a graph must have besides for the solver's frontier (ext/frontier.h); 0: none. A
   * graph without them is solved, but no frontier of it is asked for. [any] */
  sculpt_status (*frontier)(const void* self, uint32_t* out, sculpt_error*);
} sculpt_ext_map_demands;

#ifdef __cplusplus
}
#endif
#endif
