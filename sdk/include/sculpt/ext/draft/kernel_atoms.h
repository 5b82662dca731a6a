/* sculpt/ext/draft/kernel_atoms.h - joint kernels without a dense w.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 *   psi(x, y) = sum over (atom, block) of coefficient * phi(atom) (x) e_block   +  a linear part
 *   <w, psi>  = sum over (atom, block) of coefficient * scores[atom][block]  +  <linear, its part>
 *
 * Atoms are the parts of inputs that a kernel compares: a position of a sequence, or a whole input.
 * Blocks are the copies of phi, one per label for example. The host keeps w as numbers beta over
 * support atoms and blocks. It asks the kernel for k(atom, support atom), and passes on
 *
 *   scores[atom][block] = sum over support atoms s of beta[s][block] * k(atom, s)
 *
 * for the atoms of one example. The linear part (transitions) stays an ordinary w.
 *
 * Atoms are the sites of the dataset (ext/sites.h), numbered over all examples in order. The atoms
 * of example 0 start at 0; those of example 1 follow, and so on. So a kernel is bound to the
 * dataset alone, and all features and kernels use the same number for an atom.
 *
 * A model holds the bytes of its support atoms. In prediction the training data are gone: the
 * kernel compares the atoms of the new data with these "kept" atoms.
 *
 * If the host works through a kernel, there is no dense w, and weights.data is NULL or the linear
 * part, as said below. Only components that offer these extensions see this case. A problem is
 * refused at bind if its features or oracle need a dense w. A map_solver never sees w. */
#ifndef SCULPT_EXT_DRAFT_KERNEL_ATOMS_H
#define SCULPT_EXT_DRAFT_KERNEL_ATOMS_H
#include "../factor_graph.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_KERNEL_ATOMS "sculpt.kernel-atoms/draft-2"
#define SCULPT_EXT_KERNEL_ARGMAX "sculpt.kernel-argmax/draft-1"
#define SCULPT_EXT_KERNEL "sculpt.kernel/draft-2" /* the layout of sculpt_kernel_api */

typedef struct sculpt_kernel_shape { /* the same for all examples */
  uint32_t struct_size;
  uint32_t reserved;
  int64_t block_count;
  int64_t linear_dimension; /* size of the linear part; may be 0 */
} sculpt_kernel_shape;

/* Offered by features. Coefficients of an example have the index (atom - begin) * block_count +
 * block, below 2^31. */
typedef struct sculpt_ext_kernel_atoms {
  sculpt_status (*shape)(const void* self, sculpt_kernel_shape* out,
                         sculpt_error*); /* [any], after seal */
  /* The atoms of an example are [*begin, *end): its sites, numbered as above. [any], after seal */
  sculpt_status (*atoms)(const void* self, int64_t example, int64_t* begin, int64_t* end,
                         sculpt_error*);
  /* coefficients += scale * those of psi(x, y). linear += scale * the linear part of psi(x, y).
   * [worker] */
  sculpt_status (*accumulate)(void* session, int64_t example, sculpt_labels y, double scale,
                              sculpt_accumulator* coefficients, sculpt_accumulator* linear,
                              sculpt_error*);
  /* theta[theta_size] = the potentials of the factor graph, from scores[(end - begin) *
   * block_count] and `linear`. NULL if the features offer no factor graph. [worker] */
  sculpt_status (*potentials)(void* session, int64_t example, const double* scores,
                              sculpt_weights linear, double* theta, sculpt_error*);
  /* The adjoint of potentials(), for mu[theta_size]: coefficients += scale * what mu says about
   * them, and linear likewise. So beliefs and expectations become coefficients. NULL if
   * potentials() is. [worker] */
  sculpt_status (*pullback)(void* session, int64_t example, const double* mu, double scale,
                            sculpt_accumulator* coefficients, sculpt_accumulator* linear,
                            sculpt_error*);
} sculpt_ext_kernel_atoms;

/* Offered by oracles that can read scores in place of w. */
typedef struct sculpt_ext_kernel_argmax {
  /* As argmax() of sculpt_oracle_api. scores[(end - begin) * block_count] belong to the atoms of
   * the example, and query->weights is the linear part alone. [worker] */
  sculpt_status (*argmax)(void* session, const sculpt_query*, const double* scores, sculpt_answer*,
                          sculpt_error*);
} sculpt_ext_kernel_argmax;

/* Claims of a kernel, combined by |. */
enum {
  /* Positive semidefinite: no sum over a, b of c_a c_b k(a, b) is negative, for any numbers c and
   * any atoms. Without it the dual proves nothing, and the host certifies no gap. */
  SCULPT_KERNEL_POSITIVE = 1
};

/* The api of SCULPT_KIND_KERNEL: k between two atoms. A kernel is bound to the dataset alone.
 *
 * This table is a draft, too. A kernel has SCULPT_EXT_KERNEL in the list `extensions` of its
 * sculpt_component, which says that its table has this layout. A kernel without the id is refused.
 * The id stands in the list alone: extension() returns NULL for it.
 *
 * A value depends on its two atoms alone, to the last bit. The other atoms of the call, their order
 * and the thread do not matter. k(a, b) and k(b, a) are the same number. An atom gives the same
 * numbers whether it is one of the dataset or kept. So a cache of values changes no result.
 *
 * The life of a kernel: create, restore (ext/state.h), keep if it comes from a model, bind, seal.
 */
typedef struct sculpt_kernel_api {
  /* *out = the claims, SCULPT_KERNEL_*. They follow from the parameters. [any] */
  sculpt_status (*claims)(const void* self, uint32_t* out, sculpt_error*);
  /* out[count][other_count] = k(atoms[i], others[j]), row by row. Many atoms in one call allow
   * products of matrices. [worker] */
  sculpt_status (*rows)(void* session, const int64_t* atoms, int64_t count, const int64_t* others,
                        int64_t other_count, double* out, sculpt_error*);
  /* out[count] = k(atoms[i], atoms[i]). [worker] */
  sculpt_status (*diagonal)(void* session, const int64_t* atoms, int64_t count, double* out,
                            sculpt_error*);
  /* Appends the bytes of an atom: all that k needs of it. Little-endian; equal atoms of equal
   * datasets have equal bytes. [any], after seal */
  sculpt_status (*write_atom)(const void* self, int64_t atom, sculpt_byte_buffer* out,
                              sculpt_error*);
  /* Takes the kept atoms 0 .. count-1: atom k has the bytes [from[k], from[k + 1]) of `bytes`. At
   * most once, before bind. The bytes live until the call returns. They may be damaged: check them,
   * and return SCULPT_E_DATA. [main] */
  sculpt_status (*keep)(void* self, const char* bytes, const int64_t* from, int64_t count,
                        sculpt_error*);
  /* out[count][end - begin] = k(atoms[i], kept atom j), row by row, for the kept atoms [begin,
   * end). [worker] */
  sculpt_status (*kept_rows)(void* session, const int64_t* atoms, int64_t count, int64_t begin,
                             int64_t end, double* out, sculpt_error*);
} sculpt_kernel_api;

#ifdef __cplusplus
}
#endif
#endif
