/* sculpt/ext/draft/witness.h - numbers that prove that no output has a larger value.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 * An answer says EXACT or BOUND. A witness lets another program verify it without trust in the
 * component, and without its algorithm. From the witness it computes an upper bound of all values,
 * in exact arithmetic or with directed rounding. Wrong numbers prove a bound that is too large, or
 * nothing, never one that is too small.
 *
 * A witness is a text, its kind, and an array of doubles. The kinds:
 *
 *   "none"        no numbers. The verifier tries all outputs, or proves nothing.
 *   "messages"    factor graphs (ext/factor_graph.h). A number m[f][v](x) for each factor f >=
 *                 variable_count, in order; for each variable v of its scope, in order; for each
 *                 state x of v. Every output has at most the value
 *
 *                   sum over v of max over x of (theta_v(x) + sum over f with v of m[f][v](x))
 *                 + sum over f of max over cells of (theta_f(cell) - sum over v of f of m[f][v](x))
 *
 *                 whatever the numbers are: each is added once and subtracted once. They are the
 *                 messages of a dynamic program on a forest, a dual solution of the LP over the
 *                 local polytope, or a maximal flow of a cut. The bound is then that of the
 *                 program, the LP or the cut.
 *   "potentials"  dynamic programs over a hypergraph. A number u[n] for each node n, the root last.
 *                 If u[head] >= score(edge) + sum over tails of u[tail] for all edges, no output
 *                 has a value above u[root]. The score of an edge is exact, without rounding. So
 *                 round u up until the inequality holds.
 *   "dual"        linear programs max c_0 + <c, x>, A x <= b, 0 <= x <= 1. A number y[r] >= 0 for
 *                 each row r. No output has a value above
 *
 *                   c_0 + <b, y> + sum over j of max(0, c_j - (A^T y)_j)
 *
 * For "potentials" and "dual" the page of the component says which nodes, edges and rows an example
 * has, and their order. The value of an output is that of the query: <w, psi>, with loss_weight *
 * Delta if there is a truth. The numbers are finite. A verifier that meets a kind that it does not
 * know, another count of numbers or a number that is not finite proves nothing. */
#ifndef SCULPT_EXT_DRAFT_WITNESS_H
#define SCULPT_EXT_DRAFT_WITNESS_H
#include "../factor_graph.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_WITNESS "sculpt.witness/draft-1"
#define SCULPT_EXT_MAP_WITNESS "sculpt.map-witness/draft-1"

#define SCULPT_WITNESS_NONE "none"
#define SCULPT_WITNESS_MESSAGES "messages"
#define SCULPT_WITNESS_POTENTIALS "potentials"
#define SCULPT_WITNESS_DUAL "dual"

/* Numbers that the callee writes: grow, write, then set `size`. As sculpt_label_buffer: grow() may
 * move `data`, and the buffer belongs to the caller. */
typedef struct sculpt_number_buffer {
  double* data; /* [capacity] */
  int64_t size;
  int64_t capacity;
  sculpt_status (*grow)(struct sculpt_number_buffer*, int64_t min_capacity);
} sculpt_number_buffer;

/* The caller sets struct_size and lends `numbers`. */
typedef struct sculpt_witness {
  uint32_t struct_size;
  uint32_t reserved;
  const char* kind;             /* SCULPT_WITNESS_*, or another word; valid until destroy */
  sculpt_number_buffer numbers; /* starts at size 0 */
} sculpt_witness;

/* Offered by oracles. */
typedef struct sculpt_ext_witness {
  /* Fills the answer as argmax() does, and the witness of its bound: with the flag EXACT of its
   * value, with BOUND of its bound, up to rounding. Without these flags, or with NO_OUTPUT, the
   * kind is "none". [worker] */
  sculpt_status (*prove)(void* session, const sculpt_query*, sculpt_answer*, sculpt_witness*,
                         sculpt_error*);
} sculpt_ext_witness;

/* Offered by map_solvers. As above, with solve() in place of argmax(). */
typedef struct sculpt_ext_map_witness {
  sculpt_status (*prove)(void* session, const sculpt_map_query*, sculpt_answer*, sculpt_witness*,
                         sculpt_error*); /* [worker] */
} sculpt_ext_map_witness;

#ifdef __cplusplus
}
#endif
#endif
