/* sculpt/ext/draft/map_demands.h - "demands": alternative sets of graph classes that a map_solver
 * requires.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A map_solver accepts a graph if the graph has all classes of at least one alternative:
 *   viterbi: FOREST and PAIRWISE, or ORDER_TWO
 * Offer this extension if one set of classes is not enough. `demands` of the map_solver's api
 * returns the first alternative. So a host that does not know this extension sends only graphs of
 * the first alternative. */
#ifndef SCULPT_EXT_DRAFT_MAP_DEMANDS_H
#define SCULPT_EXT_DRAFT_MAP_DEMANDS_H
#include "../factor_graph.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_MAP_DEMANDS "sculpt.map-demands/0"

/* Offered by map_solvers. */
typedef struct sculpt_ext_map_demands {
  /* *out = the alternatives[*count], each a set of SCULPT_GRAPH_*, lent until destroy. *count is at
   * least 1. [any] */
  sculpt_status (*alternatives)(const void* self, const uint32_t** out, int64_t* count,
                                sculpt_error*);
  /* *out = the classes that the solver's frontier requires in addition (ext/frontier.h); 0 if none.
   * A graph without them is still solved, but the host asks for no frontier of it. [any] */
  sculpt_status (*frontier)(const void* self, uint32_t* out, sculpt_error*);
} sculpt_ext_map_demands;

#ifdef __cplusplus
}
#endif
#endif
