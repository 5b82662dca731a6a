/* sculpt/ext/draft/kernel_atoms.h - joint kernels without a dense w.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   psi(x, y) = sum over (atom, block) of coefficient * phi(atom) (x) e_block   +  a linear part
 *
 * Atoms are the parts of inputs that a kernel compares: a position of a sequence, or a whole input.
 * Blocks are the copies of phi, one per label for example. The host keeps w as coefficients over
 * support atoms and asks the kernel for k(atom, atom'). In place of w, the features get
 * scores[atom][block] for the atoms of one example. The linear part (transitions) stays an ordinary
 * w.
 *
 * Atoms are the sites of the dataset (ext/sites.h), numbered over all examples in order. The atoms
 * of example 0 start at 0; those of example 1 follow, and so on. So a kernel is bound to the
 * dataset alone, and all features and kernels use the same number for an atom.
 *
 * If the host works through a kernel, there is no dense w, and weights.data is NULL in queries.
 * Only components that offer kernel atoms see this case. A problem is refused at bind if its
 * features or oracle need a dense w. A map_solver never sees w. */
#ifndef SCULPT_EXT_DRAFT_KERNEL_ATOMS_H
#define SCULPT_EXT_DRAFT_KERNEL_ATOMS_H
#include "../factor_graph.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_KERNEL_ATOMS "sculpt.kernel-atoms/draft-1"

/* Offered by features. */
typedef struct sculpt_ext_kernel_atoms {
  /* *out = the number of blocks. */
  sculpt_status (*block_count)(const void* self, int64_t* out, sculpt_error*); /* [any] */
  /* The atoms of an example are [*begin, *end): its sites, numbered as above. [any] */
  sculpt_status (*atoms)(const void* self, int64_t example, int64_t* begin, int64_t* end,
                         sculpt_error*);
  /* coefficients += scale * those of psi(x, y), at the index (atom - begin) * block_count + block.
   * linear += scale * the linear part of psi(x, y). [worker] */
  sculpt_status (*accumulate)(void* session, int64_t example, sculpt_labels y, double scale,
                              sculpt_accumulator* coefficients, sculpt_accumulator* linear,
                              sculpt_error*);
  /* theta[theta_size] = the potentials of the factor graph, from scores[(end - begin) *
   * block_count] and `linear`. [worker] */
  sculpt_status (*potentials)(void* session, int64_t example, const double* scores,
                              sculpt_weights linear, double* theta, sculpt_error*);
} sculpt_ext_kernel_atoms;

/* The api of SCULPT_KIND_KERNEL: k between two atoms. Atoms are the sites of the bound dataset,
 * numbered over all examples in order. A kernel is bound to the dataset alone. */
typedef struct sculpt_kernel_api {
  /* out[count] = k(atom, others[0 .. count-1]). */
  sculpt_status (*row)(void* session, int64_t atom, const int64_t* others, int64_t count,
                       double* out, sculpt_error*); /* [worker] */
} sculpt_kernel_api;

#ifdef __cplusplus
}
#endif
#endif
