/* sculpt/ext/kernel.h - kernels: values between the rows of a dataset.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   k(a, b) = <phi(a), phi(b)>     for atoms a and b
 *
 * Atoms are the rows of the sites of the dataset (ext/sites.h), numbered over all examples in
 * order. The atoms of example 0 start at 0; those of example 1 follow, and so on. An atom is a
 * position of a sequence, for example, or a whole input. A kernel is bound to the dataset alone.
 *
 * With a kernel, phi replaces the rows. The host computes the scores of atoms from k. It passes
 * them to features and oracle as weights (ext/row_blocks.h).
 *
 * A model holds the bytes of its support atoms. In prediction the training data are gone: the
 * kernel compares the atoms of the new data with these "kept" atoms. */
#ifndef SCULPT_EXT_KERNEL_H
#define SCULPT_EXT_KERNEL_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_KERNEL "sculpt.kernel/1" /* the layout of sculpt_kernel_api */

/* Claims of a kernel, combined by |. */
enum {
  /* Positive semidefinite: no sum over a, b of c_a c_b k(a, b) is negative, for any numbers c and
   * any atoms. Without it the dual proves nothing, and the host certifies no gap. */
  SCULPT_KERNEL_POSITIVE = 1
};

/* The api of SCULPT_KIND_KERNEL: k between two atoms.
 *
 * A kernel has SCULPT_EXT_KERNEL in the list `extensions` of its sculpt_component, which says that
 * its table has this layout. A kernel without the id is refused. The id stands in the list alone:
 * extension() returns NULL for it.
 *
 * A value depends on its two atoms alone, to the last bit. The other atoms of the call, their order
 * and the thread do not matter. k(a, b) and k(b, a) are the same number. An atom gives the same
 * numbers whether it is one of the dataset or kept. So a cache of values changes no result.
 * Values are finite. The host keeps some of them in float, and computes the certificate in double.
 *
 * The life of a kernel: create, restore (ext/state.h), keep if it comes from a model, bind, seal.
 * The dataset may have other atoms than those of the model, or none.
 *
 * The host passes atoms of the dataset and kept atoms alone, so no function needs to check them. An
 * atom may stand in a list twice. bind() refuses rows that the kernel cannot work with by
 * SCULPT_E_DATA, with the place of the example. It refuses a dataset without sites by
 * SCULPT_E_UNSUPPORTED. */
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
